//! Where the person types: a line editor at a terminal, plain lines elsewhere.

use std::env;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};
use signal_hook::consts::SIGINT;
use signal_hook::low_level::raise;

use crate::cli::interrupt::Interrupt;
use crate::cli::play::command::Completions;
use crate::util::thread::{SMALL_STACK_BYTES, start};

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 64 << 10;
/// How often Ctrl-C is looked for.
const INTERVAL: Duration = Duration::from_millis(20);

/// Asks for lines. They are read by a thread of their own, so that a signal need not wait for
/// one.
pub(super) struct Prompt {
    questions: SyncSender<(String, Completions)>,
    /// Ends with the input.
    lines: Receiver<String>,
    terminal: Option<EditedTerminal>,
    /// Writes above the line that is edited.
    printer: Option<Box<dyn ExternalPrinter + Send>>,
    /// The last prompt.
    asked: String,
}

/// What a wait for a line has brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Awaited {
    Line(String),
    /// The end of the input, or a signal.
    End,
    /// The time is over; the line is still being typed.
    TimeOver,
}

impl Prompt {
    pub fn new() -> Result<Self> {
        let (questions, inbox) = sync_channel::<(String, Completions)>(1);
        let (sender, lines) = sync_channel(1);
        let (printer_sender, printers) = sync_channel(1);
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let is_edited = is_terminal && env::var_os("TERM").is_none_or(|name| name != "dumb");
        start("input", SMALL_STACK_BYTES, move || {
            let mut editor = if is_edited { editor() } else { None };
            let printer = editor.as_mut().and_then(|it| it.create_external_printer().ok());
            if printer_sender.send(printer).is_err() {
                return;
            }
            for (prompt, completions) in inbox {
                let line = match &mut editor {
                    Some(editor) => edited(editor, &prompt, completions),
                    None => plain(&prompt),
                };
                let Some(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        })?;
        let terminal = is_edited.then(EditedTerminal::of_now);
        let printer = printers.recv().ok().flatten();
        let printer = printer.map(|it| Box::new(it) as Box<dyn ExternalPrinter + Send>);
        Ok(Self { questions, lines, terminal, printer, asked: String::new() })
    }

    /// Asks for a line and waits for it, at most for `time`.
    pub fn ask(
        &mut self,
        prompt: String,
        completions: Completions,
        time: Option<Duration>,
        interrupt: &Interrupt,
    ) -> Awaited {
        self.asked.clone_from(&prompt);
        if interrupt.is_raised() || self.questions.send((prompt, completions)).is_err() {
            return Awaited::End;
        }
        self.wait(time, interrupt)
    }

    /// Waits for the line that was asked for.
    pub fn wait(&mut self, time: Option<Duration>, interrupt: &Interrupt) -> Awaited {
        let begin = Instant::now();
        while !interrupt.is_raised() {
            match self.lines.recv_timeout(INTERVAL) {
                Ok(line) => return Awaited::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Awaited::End,
                Err(RecvTimeoutError::Timeout) if time.is_some_and(|it| begin.elapsed() > it) => {
                    return Awaited::TimeOver;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Awaited::End
    }

    /// Shows a text while a line is being typed.
    pub fn show(&mut self, text: String) -> Result<()> {
        if let Some(printer) = &mut self.printer {
            printer.print(text + "\n")?;
            return Ok(());
        }
        let mut out = io::stdout().lock();
        write!(out, "\n{text}\n{}", self.asked)?;
        Ok(out.flush()?)
    }
}

/// The editor may still wait for a line.
impl Drop for Prompt {
    fn drop(&mut self) {
        if let Some(terminal) = &self.terminal {
            terminal.restore();
        }
    }
}

fn editor() -> Option<Editor<Completions, MemHistory>> {
    let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true);
    let config = config.bracketed_paste(false).build();
    let editor = Editor::with_history(config, MemHistory::new());
    editor.inspect_err(|error| log::warn!("lines cannot be edited: {error}")).ok()
}

/// A line from the editor; `None` at the end of the input.
fn edited(
    editor: &mut Editor<Completions, MemHistory>,
    prompt: &str,
    completions: Completions,
) -> Option<String> {
    editor.set_helper(Some(completions));
    match editor.readline(prompt) {
        Ok(line) => Some(line),
        Err(ReadlineError::Interrupted) => {
            // The editor reads Ctrl-C as a key. The signal ends the wait for this line.
            raise(SIGINT).ok()?;
            loop {
                thread::park();
            }
        }
        // Bytes that are not UTF-8, as of another keyboard: asked again.
        Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
            Some(String::new())
        }
        Err(_) => None,
    }
}

/// A line of the standard input; `None` at its end.
fn plain(prompt: &str) -> Option<String> {
    {
        // Unlocked again before the wait.
        let mut out = io::stdout().lock();
        write!(out, "{prompt}").and_then(|()| out.flush()).ok()?;
    }
    let mut line = Vec::new();
    let mut input = io::stdin().lock();
    let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
    if read.is_err() || line.is_empty() {
        return None;
    }
    if !line.ends_with(b"\n") {
        // The rest of a long line, which is refused as a whole.
        input.skip_until(b'\n').ok()?;
    }
    Some(String::from_utf8_lossy(&line).into_owned())
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, self.of_text(&line[..pos])))
    }
}

impl Helper for Completions {}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}

impl Validator for Completions {}

/// A terminal as it was before its lines were edited.
struct EditedTerminal {
    #[cfg(unix)]
    attributes: Option<rustix::termios::Termios>,
}

impl EditedTerminal {
    fn of_now() -> Self {
        Self {
            #[cfg(unix)]
            attributes: rustix::termios::tcgetattr(io::stdin()).ok(),
        }
    }

    fn restore(&self) {
        #[cfg(unix)]
        if let Some(attributes) = &self.attributes {
            use rustix::termios::{OptionalActions, tcsetattr};
            // A terminal that is gone needs nothing.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, attributes);
        }
    }
}
