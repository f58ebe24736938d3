//! A UCI dialogue with the real program over pipes.
//!
//! Rules that hold for every dialogue are checked here: each line is well-formed, no line
//! comes after `bestmove` until the next command, the program ends without a panic and
//! with status 0.
//!
//! Every wait has an end: a line that does not come within [`PATIENCE`] fails the test
//! and prints the dialogue, and a watchdog kills a process that does not read its input.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::lines::{EngineLine, Info};
use crate::program::{self, binary, read_all};

/// How long a reply may take before the engine counts as hung. Generous: a busy machine
/// is slow.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// How long the end of the program may take.
const END_PATIENCE: Duration = Duration::from_secs(20);
/// How long a whole dialogue may take before its process is killed.
const LIFETIME: Duration = Duration::from_secs(600);

pub struct Session {
    child: Arc<Mutex<Child>>,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
    /// Ends the watchdog when it is dropped.
    _watchdog: Sender<()>,
    transcript: Vec<String>,
    /// Lines of a search that were read before its answer.
    earlier: Vec<String>,
    /// Whether drawings and tables are accepted.
    drawings: bool,
}

/// The answer to `go`.
#[derive(Debug)]
pub struct Answer {
    /// Every line between the command and `bestmove`.
    pub lines: Vec<String>,
    pub best: String,
    pub ponder: Option<String>,
}

fn spawn(arguments: &[&str], stdout: Stdio) -> Child {
    let binary = binary();
    Command::new(&binary)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{binary}: {error}"))
}

/// Kills the process unless the sender is dropped within [`LIFETIME`].
fn watch(child: Arc<Mutex<Child>>) -> Sender<()> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        if receiver.recv_timeout(LIFETIME) == Err(RecvTimeoutError::Timeout) {
            let _ = child.lock().unwrap().kill();
        }
    });
    sender
}

impl Session {
    /// Starts the program.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts the program with these arguments.
    pub fn start_with(arguments: &[&str]) -> Self {
        let mut session = Self::spawned(arguments);
        session.read_output();
        session
    }

    /// Starts the program without reading its output until [`Session::read_output`].
    pub fn start_unread() -> Self {
        Self::spawned(&[])
    }

    fn spawned(arguments: &[&str]) -> Self {
        let mut child = spawn(arguments, Stdio::piped());
        let stdin = child.stdin.take();
        let stderr = read_all(child.stderr.take().unwrap());
        let child = Arc::new(Mutex::new(child));
        let watchdog = watch(Arc::clone(&child));
        let (_, lines) = mpsc::channel();
        Self {
            child,
            stdin,
            lines,
            stderr: Some(stderr),
            _watchdog: watchdog,
            transcript: Vec::new(),
            earlier: Vec::new(),
            drawings: false,
        }
    }

    /// Starts to read the output.
    pub fn read_output(&mut self) {
        let stdout = self.child.lock().unwrap().stdout.take().unwrap();
        let (sender, lines) = mpsc::channel();
        self.lines = lines;
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut bytes = Vec::new();
            while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
                let line = std::str::from_utf8(&bytes).expect("output is not UTF-8");
                let line = line.strip_suffix('\n').expect("the last line is cut short");
                let line = line.strip_suffix('\r').unwrap_or(line).to_owned();
                if sender.send(line).is_err() {
                    break;
                }
                bytes.clear();
            }
        });
    }

    /// Closes the output of the engine, which must be unread.
    pub fn close_output(&mut self) {
        drop(self.child.lock().unwrap().stdout.take().expect("an unread output"));
    }

    /// Accepts drawings and tables from now on.
    pub fn allow_drawings(&mut self) {
        self.drawings = true;
    }

    /// Sends one line.
    pub fn send(&mut self, command: &str) {
        self.note("> ", command);
        self.send_bytes(format!("{command}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is closed");
        if let Err(error) = stdin.write_all(bytes).and_then(|()| stdin.flush()) {
            self.fail(&format!("the engine does not take its input: {error}"));
        }
    }

    /// Sends a line even if the engine has ended.
    pub fn try_send(&mut self, command: &str) {
        self.try_send_bytes(format!("{command}\n").as_bytes());
    }

    /// Sends bytes even if the engine has ended.
    pub fn try_send_bytes(&mut self, bytes: &[u8]) {
        if let Some(stdin) = self.stdin.as_mut() {
            let _ = stdin.write_all(bytes);
        }
    }

    /// Clears the transcript of a long dialogue.
    pub fn clear_transcript(&mut self) {
        self.transcript.clear();
    }

    fn note(&mut self, mark: &str, text: &str) {
        let shown: String = text.chars().take(200).collect();
        self.transcript.push(format!("{mark}{shown}"));
    }

    fn fail(&self, message: &str) -> ! {
        let start = self.transcript.len().saturating_sub(60);
        panic!("{message}\nthe dialogue:\n{}", self.transcript[start..].join("\n"));
    }

    /// The next line, if it comes within this time.
    pub fn line_within(&mut self, time: Duration) -> Option<String> {
        let line = self.lines.recv_timeout(time).ok()?;
        self.note("< ", &line);
        match EngineLine::parse(&line) {
            Err(fault) if fault == "malformed" || !self.drawings => {
                self.fail(&format!("{line:?} is {fault}"))
            }
            _ => Some(line),
        }
    }

    /// The next line, if it comes before the deadline.
    pub fn line_before(&mut self, deadline: Instant) -> Option<String> {
        self.line_within(deadline.saturating_duration_since(Instant::now()))
    }

    /// Every line up to and including the first that begins with `start`.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        while let Some(line) = self.line_before(deadline) {
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
        self.fail(&format!("no line {start:?} within {PATIENCE:?}"))
    }

    /// The first line that begins with `start`.
    pub fn expect(&mut self, start: &str) -> String {
        self.until(start).pop().unwrap()
    }

    /// Waits for a line of a search that begins with `start`. The lines are kept for its answer.
    pub fn expect_of_search(&mut self, start: &str) {
        let lines = self.until(start);
        self.earlier.extend(lines);
    }

    /// Fails if a line that begins with `start` comes within this time. Other lines are kept
    /// for the next answer.
    pub fn expect_none_within(&mut self, start: &str, time: Duration) {
        let deadline = Instant::now() + time;
        while let Some(line) = self.line_before(deadline) {
            if line.starts_with(start) {
                self.fail(&format!("unexpected line: {line:?}"));
            }
            self.earlier.push(line);
        }
    }

    /// The answer to `uci`.
    pub fn uci(&mut self) -> Vec<String> {
        self.send("uci");
        self.until("uciok")
    }

    /// Waits until the engine is ready. Returns the lines before `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Fails if the engine has printed anything since the last line read.
    pub fn expect_silence(&mut self) {
        let lines = self.sync();
        if !lines.is_empty() {
            self.fail(&format!("unexpected lines: {lines:?}"));
        }
    }

    /// Fails unless the engine is ready while it searches.
    pub fn expect_ready_during_search(&mut self) {
        let lines = self.sync();
        if lines.iter().any(|line| line.starts_with("bestmove")) {
            self.fail("the search has ended");
        }
        self.earlier.extend(lines);
    }

    /// Everything up to `bestmove`.
    pub fn answer(&mut self) -> Answer {
        let mut lines = self.until("bestmove");
        let last = lines.pop().unwrap();
        self.parse_answer(lines, last.strip_prefix("bestmove ").unwrap_or_default())
    }

    /// The answer to a search that is stopped unless it ends within this time.
    pub fn answer_or_stop_after(&mut self, time: Duration) -> Answer {
        let deadline = Instant::now() + time;
        while let Some(line) = self.line_before(deadline) {
            match line.strip_prefix("bestmove ") {
                Some(best) => return self.parse_answer(Vec::new(), best),
                None => self.earlier.push(line),
            }
        }
        self.send("stop");
        self.answer()
    }

    fn parse_answer(&mut self, mut lines: Vec<String>, moves: &str) -> Answer {
        lines.splice(0..0, self.earlier.drain(..));
        match moves.split(' ').collect::<Vec<_>>()[..] {
            [best] => Answer { lines, best: best.to_owned(), ponder: None },
            [best, "ponder", ponder] => {
                Answer { lines, best: best.to_owned(), ponder: Some(ponder.to_owned()) }
            }
            _ => self.fail(&format!("not a bestmove line: bestmove {moves}")),
        }
    }

    /// Sends a `go` that ends by itself and waits for its answer, after which
    /// nothing may follow.
    pub fn go(&mut self, command: &str) -> Answer {
        self.send(command);
        let answer = self.answer();
        self.expect_silence();
        answer
    }

    /// Sends a `position` that must be accepted without a notice.
    pub fn position(&mut self, text: &str) {
        self.send(&format!("position {text}"));
        self.expect_silence();
    }

    /// Sets an option, which must be accepted, with a notice at most.
    pub fn set(&mut self, name: &str, value: &str) {
        self.send(&format!("setoption name {name} value {value}"));
        let lines = self.sync();
        let is_notice = |line: &String| {
            line.starts_with("info string ") && !line.starts_with("info string error: ")
        };
        if !lines.iter().all(is_notice) {
            self.fail(&format!("unexpected lines: {lines:?}"));
        }
    }

    /// Sends a command that must be refused with a single error. Returns the error.
    pub fn refused(&mut self, command: &str) -> String {
        self.send(command);
        match &self.sync()[..] {
            [line] if line.starts_with("info string error: ") => line.clone(),
            lines => self.fail(&format!("not one error but {lines:?}")),
        }
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Processor time used so far, in hundredths of a second.
    #[cfg(target_os = "linux")]
    pub fn processor_ticks(&self) -> u64 {
        program::processor_ticks(&self.child.lock().unwrap())
    }

    /// The most memory that the process has held at a time, in MiB.
    #[cfg(target_os = "linux")]
    pub fn peak_memory_mib(&self) -> u64 {
        program::memory_mib(&self.child.lock().unwrap(), "VmHWM").unwrap()
    }

    /// Waits for the process to end.
    pub fn wait(&mut self) -> ExitStatus {
        let status = program::wait(&mut self.child.lock().unwrap(), END_PATIENCE);
        self.stdin = None;
        status.unwrap_or_else(|| self.fail("the process does not end"))
    }

    /// Waits for the process to end without an error. Returns its last lines.
    pub fn finish(&mut self) -> Vec<String> {
        let status = self.wait();
        let mut lines = Vec::new();
        while let Some(line) = self.line_within(Duration::from_secs(1)) {
            lines.push(line);
        }
        let errors = self.stderr.take().unwrap().join().unwrap();
        if !status.success() || errors.contains("panicked") {
            self.fail(&format!("the process ended with {status}: {errors}"));
        }
        lines
    }

    /// Kills the process.
    pub fn kill(&mut self) {
        self.stdin = None;
        if let Ok(mut child) = self.child.lock() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A dialogue ends with `quit`, and the process without an error. No process outlives its test.
impl Drop for Session {
    fn drop(&mut self) {
        if self.stdin.is_some() && !thread::panicking() {
            self.send("quit");
            self.finish();
        }
        self.kill();
    }
}

impl Answer {
    /// The `info` lines with a score, in order.
    pub fn scored(&self) -> Vec<&str> {
        let scored = |line: &&String| line.starts_with("info ") && line.contains(" score ");
        self.lines.iter().filter(scored).map(String::as_str).collect()
    }

    /// The same, parsed.
    pub fn infos(&self) -> Vec<Info<'_>> {
        let info = |line| match EngineLine::parse(line) {
            Ok(EngineLine::Info(info)) => info,
            other => panic!("{line}: {other:?}"),
        };
        self.scored().into_iter().map(info).collect()
    }

    /// The last `info` line with a score of the best line of play.
    pub fn last(&self) -> &str {
        let is_best = |line: &&str| !line.contains(" multipv ") || line.contains(" multipv 1 ");
        let last = self.scored().into_iter().rfind(is_best);
        last.unwrap_or_else(|| panic!("no info line with a score in {self:?}"))
    }

    /// The words of the last line after `name`: `field("score", 2)` is
    /// `["cp", "12"]`.
    pub fn field(&self, name: &str, count: usize) -> Vec<&str> {
        let mut words = self.last().split(' ').skip_while(|word| *word != name);
        assert!(words.next().is_some(), "no {name} in {:?}", self.last());
        words.take(count).collect()
    }

    pub fn number(&self, name: &str) -> i64 {
        let field = self.field(name, 1);
        field[0].parse().unwrap_or_else(|_| panic!("{name} {field:?} is not a number"))
    }

    pub fn score(&self) -> String {
        self.field("score", 2).join(" ")
    }

    pub fn has_line(&self, start: &str) -> bool {
        self.lines.iter().any(|line| line.starts_with(start))
    }

    /// Whether any line contains this.
    pub fn contains(&self, text: &str) -> bool {
        self.lines.iter().any(|line| line.contains(text))
    }

    /// Whether an `info string` contains this.
    pub fn has_notice_of(&self, text: &str) -> bool {
        self.lines.iter().any(|line| line.starts_with("info string ") && line.contains(text))
    }
}
