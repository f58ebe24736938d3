//! One dialogue with the real binary over pipes.
//!
//! Every wait has an end: a line that does not come within [`PATIENCE`] fails
//! the test with what was said so far, and a watchdog kills a process that has
//! stopped reading. The patience is generous, because a loaded machine is not a
//! fault; where a reply has a real deadline, [`best_of`] measures it several
//! times and keeps the quickest.
//!
//! `LOVEC_BINARY` names another binary to talk to, such as the release build.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::program::binary;

/// How long a reply may take before the engine counts as hung.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// How long a whole dialogue may take before its process is killed.
const LIFETIME: Duration = Duration::from_secs(600);

pub struct Session {
    child: Arc<Mutex<Child>>,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    stderr: Option<JoinHandle<String>>,
    /// Dropping it calls the watchdog off.
    _watchdog: Sender<()>,
    transcript: Vec<String>,
    /// What a search said before its answer was asked for.
    overheard: Vec<String>,
    /// Whether a board was asked for, which is drawn for people and may be
    /// indented.
    drawings: bool,
}

/// What `go` was answered.
#[derive(Debug)]
pub struct Answer {
    /// Every line between the command and `bestmove`.
    pub lines: Vec<String>,
    pub best: String,
    pub ponder: Option<String>,
}

fn spawn(stdout: Stdio) -> Child {
    let binary = binary();
    Command::new(&binary)
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
    /// A fresh process to which nothing has been said.
    pub fn start() -> Self {
        let mut session = Self::start_deaf();
        session.listen();
        session
    }

    /// A fresh process whose output nobody reads until [`Session::listen`].
    pub fn start_deaf() -> Self {
        let mut child = spawn(Stdio::piped());
        let stdin = child.stdin.take();
        let mut errors = child.stderr.take().unwrap();
        let stderr = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = errors.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let child = Arc::new(Mutex::new(child));
        let watchdog = watch(Arc::clone(&child));
        let (_, lines) = mpsc::channel();
        let stderr = Some(stderr);
        Self {
            child,
            stdin,
            lines,
            stderr,
            _watchdog: watchdog,
            transcript: Vec::new(),
            overheard: Vec::new(),
            drawings: false,
        }
    }

    /// Starts to read the output.
    pub fn listen(&mut self) {
        let stdout = self.child.lock().unwrap().stdout.take().unwrap();
        let (sender, lines) = mpsc::channel();
        self.lines = lines;
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut bytes = Vec::new();
            while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
                let now = Instant::now();
                let line = std::str::from_utf8(&bytes).expect("output is not UTF-8");
                let line = line.strip_suffix('\n').expect("the last line is cut short");
                let line = line.strip_suffix('\r').unwrap_or(line).to_owned();
                if sender.send((now, line)).is_err() {
                    break;
                }
                bytes.clear();
            }
        });
    }

    /// Closes our end of the engine's output.
    pub fn stop_listening(&mut self) {
        drop(self.child.lock().unwrap().stdout.take().expect("already listening"));
    }

    /// Accepts blank and indented lines from now on.
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

    /// Sends a line that the engine need not live to read.
    pub fn try_send(&mut self, command: &str) {
        self.try_send_bytes(format!("{command}\n").as_bytes());
    }

    /// Sends bytes that the engine need not live to read.
    pub fn try_send_bytes(&mut self, bytes: &[u8]) {
        if let Some(stdin) = self.stdin.as_mut() {
            let _ = stdin.write_all(bytes);
        }
    }

    /// Drops the transcript, for dialogues too long to be remembered.
    pub fn forget(&mut self) {
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

    /// The next line and when it came, if one comes in time.
    pub fn stamped_line_within(&mut self, time: Duration) -> Option<(Instant, String)> {
        match self.lines.recv_timeout(time) {
            Ok((instant, line)) => {
                self.note("< ", &line);
                let indented = line.trim().is_empty() || line.starts_with(char::is_whitespace);
                if indented && !self.drawings {
                    self.fail("a line is blank or indented");
                }
                Some((instant, line))
            }
            Err(_) => None,
        }
    }

    pub fn line_within(&mut self, time: Duration) -> Option<String> {
        self.stamped_line_within(time).map(|(_, line)| line)
    }

    /// Every line up to the first that begins with `start`, that one included.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        self.until_within(start, PATIENCE)
    }

    pub fn until_within(&mut self, start: &str, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.line_within(left) {
                Some(line) => {
                    let found = line.starts_with(start);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                None => self.fail(&format!("no line {start:?} within {time:?}")),
            }
        }
    }

    /// The first line that begins with `start`.
    pub fn expect(&mut self, start: &str) -> String {
        self.until(start).pop().unwrap()
    }

    /// Fails if a line that begins with `start` comes within this time. Others are
    /// kept for the next answer.
    pub fn expect_none_within(&mut self, start: &str, time: Duration) {
        let deadline = Instant::now() + time;
        while let Some(line) = self.line_within(deadline.saturating_duration_since(Instant::now()))
        {
            if line.starts_with(start) {
                self.fail(&format!("{line:?} should not have come"));
            }
            self.overheard.push(line);
        }
    }

    /// Keeps a line of a running search for its answer.
    pub fn overhear(&mut self, line: String) {
        self.overheard.push(line);
    }

    /// Asks whether the engine is ready; what it said before it was.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Fails unless nothing at all is waiting to be read.
    pub fn expect_silence(&mut self) {
        let lines = self.sync();
        if !lines.is_empty() {
            self.fail(&format!("nothing should have been said, not {lines:?}"));
        }
    }

    /// Everything up to `bestmove`.
    pub fn answer(&mut self) -> Answer {
        self.answer_within(PATIENCE)
    }

    pub fn answer_within(&mut self, time: Duration) -> Answer {
        let mut lines = self.until_within("bestmove", time);
        let last = lines.pop().unwrap();
        self.parse_answer(lines, last.strip_prefix("bestmove ").unwrap_or_default())
    }

    /// The answer to a search that may end by itself and is stopped if it does
    /// not within this time.
    pub fn answer_or_stop_after(&mut self, time: Duration) -> Answer {
        let deadline = Instant::now() + time;
        while let Some(line) = self.line_within(deadline.saturating_duration_since(Instant::now()))
        {
            match line.strip_prefix("bestmove ") {
                Some(best) => return self.parse_answer(Vec::new(), best),
                None => self.overheard.push(line),
            }
        }
        self.send("stop");
        self.answer()
    }

    fn parse_answer(&mut self, mut lines: Vec<String>, moves: &str) -> Answer {
        lines.splice(0..0, self.overheard.drain(..));
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

    /// Sends a `position` that must be accepted without a word.
    pub fn position(&mut self, text: &str) {
        self.send(&format!("position {text}"));
        self.expect_silence();
    }

    /// Sends an option that must be accepted without a word.
    pub fn set(&mut self, name: &str, value: &str) {
        self.send(&format!("setoption name {name} value {value}"));
        self.expect_silence();
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Processor time used so far, in hundredths of a second.
    #[cfg(target_os = "linux")]
    pub fn processor_ticks(&self) -> u64 {
        let id = self.child.lock().unwrap().id();
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
        // The name may hold anything; the fields after it begin with the state.
        let fields: Vec<&str> = stat[stat.rfind(')').unwrap() + 2..].split(' ').collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    /// The most memory that the process has held at a time, in MiB.
    #[cfg(target_os = "linux")]
    pub fn peak_memory_mib(&self) -> u64 {
        let id = self.child.lock().unwrap().id();
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    }

    /// Waits for the process to end by itself.
    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let status = self.child.lock().unwrap().try_wait().unwrap();
            match status {
                Some(status) => return status,
                None if Instant::now() > deadline => self.fail("the process does not end"),
                None => thread::sleep(Duration::from_micros(500)),
            }
        }
    }

    /// Waits for the process to end well and gives what it said last.
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

    /// Ends the dialogue: the process must leave in good order.
    pub fn quit(mut self) {
        self.send("quit");
        self.finish();
    }
}

/// No process outlives its test.
impl Drop for Session {
    fn drop(&mut self) {
        if let Ok(mut child) = self.child.lock() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Answer {
    /// The `info` lines with a score, in order.
    pub fn scored(&self) -> Vec<&str> {
        let scored = |line: &&String| line.starts_with("info ") && line.contains(" score ");
        self.lines.iter().filter(scored).map(String::as_str).collect()
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

    pub fn said(&self, start: &str) -> bool {
        self.lines.iter().any(|line| line.starts_with(start))
    }

    /// Whether an `info string` speaks of this.
    pub fn remarks_on(&self, text: &str) -> bool {
        self.lines.iter().any(|line| line.starts_with("info string ") && line.contains(text))
    }
}

/// The quickest of several measurements: what the engine is capable of, without
/// what the machine was doing meanwhile.
pub fn best_of(count: usize, mut measure: impl FnMut() -> Duration) -> Duration {
    (0..count).map(|_| measure()).min().unwrap()
}
