//! One dialogue with a client: routes each command to the engine.
//!
//! Nothing here takes long. Whatever does is a job for the search thread, and
//! what has to come after such a job is queued behind it, so that answers come
//! in the order of the commands without the reader ever waiting.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::chess::Position;
use crate::engine::options::{Effect, OPTIONS};
use crate::engine::request::{GoRequest, PositionError, PositionRequest};
use crate::engine::{Engine, StartError};
use crate::eval;
use crate::search::Control;
#[cfg(feature = "spsa")]
use crate::search::params::PARAMETERS;
use crate::uci::command::{CommandLine, UciCommand};
use crate::uci::output::Output;
use crate::uci::reporter::UciListener;
#[cfg(feature = "spsa")]
use crate::uci::response::ParameterLine;
use crate::uci::response::{Id, InfoString, OptionLine, Problem, UnknownCommand};
use crate::uci::tasks;
use crate::uci::transcript::{self, Speaker};

/// How long leaving may take: the searches first, then the writer,
/// then the log file.
const PATIENCE_WITH_SEARCH: Duration = Duration::from_millis(40);
const PATIENCE_WITH_CLIENT: Duration = Duration::from_millis(25);
const PATIENCE_WITH_LOG_FILE: Duration = Duration::from_millis(25);
/// How long the last answers may take when the input has ended. Whoever has left
/// but goes on reading gets them all, even on a machine that is busy.
const PATIENCE_AT_THE_END: Duration = Duration::from_millis(500);

/// Words that were no moves and are named in a complaint.
const MAX_WORDS_NAMED: usize = 8;

const HELP: &str = "\
Commands of the UCI protocol:
  uci                          who the engine is and which options it has
  isready                      answered by readyok
  setoption name N [value V]   set an option
  ucinewgame                   forget earlier games
  position startpos|fen F [moves M...]
  go [wtime T] [btime T] [winc T] [binc T] [movestogo N] [depth N] [nodes N]
     [movetime T] [mate N] [searchmoves M...] [infinite] [ponder]   (T in ms)
  stop, ponderhit              end a search, turn pondering into searching
  quit                         leave
And for people:
  d                            show the position
  eval                         explain its evaluation
  perft N, go perft N          count the positions N plies away
  bench [DEPTH]                measure the speed
  help                         this text
`lovec --help` shows what the program can do from the command line.";

pub(super) struct Session {
    engine: Engine,
    output: Output,
    debug: bool,
    /// Whether a person types the commands.
    interactive: bool,
}

impl Session {
    /// Starts an engine that talks through `output`. `interactive` says that the
    /// commands come from a terminal.
    pub fn start(output: Output, interactive: bool) -> Result<Self, StartError> {
        let engine = Engine::start(UciListener { output: output.clone() })?;
        Ok(Self { engine, output, debug: false, interactive })
    }

    /// Does what a line says. `arrival` is when it came in; `Break` means that
    /// the client wants to leave.
    pub fn handle(&mut self, bytes: &[u8], arrival: Instant) -> ControlFlow<()> {
        let text = String::from_utf8_lossy(bytes);
        self.output.transcript().note(Speaker::Client, &text);
        transcript::log(Speaker::Client, &text);
        let line = CommandLine::parse(&text);
        if let Some(word) = line.skipped {
            self.skipped(word, line.command.is_some());
        }
        line.notices.iter().for_each(|notice| self.say(InfoString(notice)));
        match line.command {
            Some(UciCommand::Quit) => ControlFlow::Break(()),
            Some(command) => {
                self.run(command, arrival);
                ControlFlow::Continue(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// Does the part of a command that cannot wait: `stop` ends the search that runs,
    /// and `quit` the dialogue.
    pub fn hurry(&self, bytes: &[u8]) -> ControlFlow<()> {
        match CommandLine::parse(&String::from_utf8_lossy(bytes)).command {
            Some(UciCommand::Quit) => return ControlFlow::Break(()),
            Some(UciCommand::Stop) => self.engine.stop(),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Whether the client has read enough for more answers.
    pub fn has_room(&self) -> bool {
        self.output.has_room()
    }

    /// Waits for the client to read, up to `patience` after it last did.
    pub fn wait_for_room(&self, patience: Duration) {
        self.output.wait_for_room(patience);
    }

    /// The same once the input has ended; tells whether the client still reads.
    pub fn wait_for_last_reading(&self) -> bool {
        self.output.wait_for_room(PATIENCE_AT_THE_END)
    }

    /// A line was too long to be kept.
    pub fn line_too_long(&self) {
        self.say(Problem("line too long; ignored"));
    }

    /// The input has ended: finishes what ends by itself.
    pub fn end_of_input(&self) {
        self.engine.finish();
        // The log file first: if writing to it fails, the client is told.
        self.output.transcript().drain(PATIENCE_AT_THE_END);
        self.output.drain(PATIENCE_AT_THE_END);
    }

    /// The client wants to leave: ends everything within a tenth of a second,
    /// even if it does not read the answers.
    pub fn quit(&self) {
        self.engine.shut_down(PATIENCE_WITH_SEARCH);
        self.output.transcript().drain(PATIENCE_WITH_LOG_FILE);
        self.output.drain(PATIENCE_WITH_CLIENT);
    }

    fn run(&mut self, command: UciCommand<'_>, arrival: Instant) {
        match command {
            UciCommand::Uci => self.say(identification()),
            UciCommand::Debug(on) => self.debug = on,
            UciCommand::IsReady => self.say("readyok"),
            UciCommand::SetOption { name, value } => self.set_option(&name, value),
            UciCommand::NewGame => self.engine.new_game(),
            UciCommand::Position(request) => self.set_position(request),
            UciCommand::Go(request) => self.go(&request, arrival),
            UciCommand::Perft(depth) => self.perft(depth),
            UciCommand::Stop => self.engine.stop(),
            UciCommand::PonderHit => self.engine.ponder_hit(),
            UciCommand::Display => self.describe(|position| position.to_string()),
            UciCommand::Eval => self.describe(|position| eval::describe(position)),
            UciCommand::Bench(depth) => self.run_task(tasks::bench(depth, self.output.clone())),
            UciCommand::Help => self.say(HELP),
            UciCommand::Malformed(reason) => self.say(Problem(reason)),
            UciCommand::Quit | UciCommand::Ignored => {}
        }
    }

    /// Answers in the order of the commands.
    fn say(&self, text: impl ToString) {
        let promise = self.output.promise(text.to_string());
        self.engine.answer(move || promise.keep());
    }

    /// An unknown word at the beginning of a line. A person who has typed nothing
    /// else is told, and a client that wants to know.
    fn skipped(&self, word: &str, before_command: bool) {
        log::debug!("unknown command `{}`", word.escape_debug());
        if self.interactive && !before_command {
            self.say(UnknownCommand(word));
        } else if self.debug {
            self.say(InfoString(format_args!("unknown command `{word}`")));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.engine.set_option(name, value) {
            Ok(Effect::LogTo(path)) => self.log_to(&path),
            // The engine sees to all else.
            Ok(_) => {}
            Err(error) => self.say(Problem(error)),
        }
    }

    fn log_to(&self, path: &str) {
        let output = self.output.clone();
        let name = path.to_owned();
        let failed = move |error| {
            output.answer(Problem(format_args!(
                "the log file `{name}` is given up, since it cannot be written: {error}"
            )));
        };
        if let Err(error) = self.output.transcript().open(path, failed) {
            self.say(Problem(format_args!("cannot write to `{path}`: {error}")));
        }
    }

    fn set_position(&mut self, request: Result<PositionRequest<'_>, PositionError>) {
        match self.engine.set_position(request) {
            Ok(warnings) => {
                for warning in warnings {
                    log::info!("{warning}");
                    self.say(InfoString(warning));
                }
            }
            Err(error) => self.say(Problem(error)),
        }
    }

    /// What is wrong with the command is said before the search can answer it.
    fn go(&self, request: &GoRequest<'_>, arrival: Instant) {
        let mut illegal = self.engine.illegal_search_moves(request);
        illegal.truncate(MAX_WORDS_NAMED);
        if !illegal.is_empty() {
            let words = illegal.join(" ");
            self.say(InfoString(format_args!("go: searchmoves: no legal move: {words}; ignored")));
        }
        if let Err(error) = self.engine.go(request, arrival) {
            self.say(Problem(error));
        }
    }

    fn perft(&self, depth: u32) {
        match self.engine.position() {
            Some(position) => {
                let chess960 = self.engine.settings().chess960;
                let position = Arc::clone(position);
                self.run_task(tasks::perft(position, depth, chess960, self.output.clone()));
            }
            None => self.say(Problem("no valid position")),
        }
    }

    fn run_task(&self, task: impl FnOnce(&Arc<Control>) + Send + 'static) {
        if let Err(error) = self.engine.run_task(task) {
            self.say(Problem(error));
        }
    }

    /// Says something about the current position.
    fn describe(&self, describe: impl FnOnce(&Position) -> String) {
        match self.engine.position() {
            Some(position) => self.say(describe(position)),
            None => self.say(Problem("no valid position")),
        }
    }
}

/// The answer to `uci`.
fn identification() -> String {
    let mut lines = vec![Id.to_string()];
    lines.extend(OPTIONS.iter().map(|option| OptionLine(option).to_string()));
    #[cfg(feature = "spsa")]
    lines.extend(PARAMETERS.iter().map(|p| ParameterLine(p).to_string()));
    lines.push("uciok".to_owned());
    lines.join("\n")
}
