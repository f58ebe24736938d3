//! Sends streams to the real program and counts its answers.

use std::cell::RefCell;
use std::env;
use std::fs;
use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::session::Session;
use crate::uci_fuzz::reading::Expected;
use crate::uci_fuzz::stream::Stream;

const DEFAULT_STREAMS: u32 = 600;
/// Streams that one process answers before it is ended.
const STREAMS_PER_PROCESS: usize = 200;

/// How long an answer may take before the engine counts as hung.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same while a stream that fails is made smaller.
const SHRINKING_PATIENCE: Duration = Duration::from_secs(5);
/// How long a pause is, unless everything is answered.
const PAUSE: Duration = Duration::from_millis(3);
/// After more lines than these in one stream, reports of a search may be missing.
const FLOOD: usize = 1000;

/// Follows each stream. The only legal move shows that all earlier searches have been
/// answered.
const LAST_COMMANDS: &str = "stop
isready
position fen 7k/8/8/8/8/8/6r1/7K w - - 0 1
go nodes 1 searchmoves h1g2
stop
isready";
const LAST_MOVE: &str = "bestmove h1g2";

/// Sends `LOVEC_FUZZ_STREAMS` streams. `salt` distinguishes tests with the same seed.
pub fn run(name: &str, salt: u8, streams: impl Strategy<Value = Stream>) {
    let count = number("LOVEC_FUZZ_STREAMS").unwrap_or(DEFAULT_STREAMS).div_ceil(2);
    let seed_number = number("LOVEC_FUZZ_SEED").unwrap_or(0);
    let mut seed = [salt; 32];
    seed[..4].copy_from_slice(&seed_number.to_le_bytes());
    let config = Config {
        cases: count,
        failure_persistence: None,
        max_shrink_iters: 3000,
        max_shrink_time: 120_000,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let client = RefCell::new(Client::new());
    let start = Instant::now();
    let result = runner.run(&streams, |stream| client.borrow_mut().serve(&stream));
    let client = client.into_inner();
    let total = client.total;
    match result {
        Ok(()) => println!(
            "{name}: {count} streams of {} commands, {} of them `go`, in {:.1} s, \
             seed {seed_number}",
            total.commands,
            total.best_moves,
            start.elapsed().as_secs_f64()
        ),
        Err(TestError::Fail(reason, stream)) => {
            let file = format!("{}/uci_fuzz_{name}.txt", env!("CARGO_TARGET_TMPDIR"));
            let written = fs::write(&file, &client.sent);
            panic!(
                "{reason}\nseed {seed_number}; the input of the process that failed first is \
                 in {file} ({written:?}); the smallest stream that fails:\n{stream:?}"
            )
        }
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

fn number(variable: &str) -> Option<u32> {
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is `{text}`, which is not a number")))
}

/// The client of one process after another.
struct Client {
    /// `None` before the first stream and when a process has ended.
    session: Option<Session>,
    /// Streams that the process has answered.
    served: usize,
    /// Everything that the process has received.
    sent: Vec<u8>,
    /// After the first failure each stream gets a process of its own.
    failed: bool,
    /// The expected answers of all streams together.
    total: Expected,
}

impl Client {
    fn new() -> Self {
        Self {
            session: None,
            served: 0,
            sent: Vec::new(),
            failed: false,
            total: Expected::default(),
        }
    }

    fn serve(&mut self, stream: &Stream) -> Result<(), TestCaseError> {
        let session = self.session.take();
        if self.failed {
            drop(session);
            return Turn::new(fresh_session(), stream, SHRINKING_PATIENCE).play().map(drop);
        }
        if session.is_none() {
            self.served = 0;
            self.sent.clear();
        }
        stream.pieces.iter().for_each(|piece| self.sent.extend(&piece.bytes));
        // Reset below unless something fails or panics.
        self.failed = true;
        let session = session.unwrap_or_else(fresh_session);
        self.session = Turn::new(session, stream, PATIENCE).play()?;
        self.served += 1;
        if self.served == STREAMS_PER_PROCESS
            && let Some(mut session) = self.session.take()
        {
            // The other way to end the program.
            session.close_input();
            session.finish();
        }
        self.failed = false;
        self.total.commands += stream.expected.commands;
        self.total.best_moves += stream.expected.best_moves;
        Ok(())
    }
}

fn fresh_session() -> Session {
    let mut session = Session::start();
    session.allow_drawings();
    session
}

/// One stream and the answers to it.
struct Turn<'a> {
    session: Session,
    stream: &'a Stream,
    patience: Duration,
    seen: Expected,
    lines: usize,
    last_best_move: String,
    /// Whether the search under way has reported a score.
    scored: bool,
}

impl<'a> Turn<'a> {
    fn new(mut session: Session, stream: &'a Stream, patience: Duration) -> Self {
        session.clear_transcript();
        Self {
            session,
            stream,
            patience,
            seen: Expected::default(),
            lines: 0,
            last_best_move: String::new(),
            scored: false,
        }
    }

    /// Sends the stream and reads every answer. Returns the process unless it has ended.
    fn play(mut self) -> Result<Option<Session>, TestCaseError> {
        let result = self.exchange();
        if result.is_err() {
            self.session.kill();
        }
        Ok(result?.then_some(self.session))
    }

    /// Returns whether the process is still running.
    fn exchange(&mut self) -> Result<bool, TestCaseError> {
        let mut sent = Vec::new();
        for piece in &self.stream.pieces {
            self.session.try_send_bytes(&piece.bytes);
            sent.extend(&piece.bytes);
            if piece.pause {
                let mut so_far = Expected::default();
                so_far.add(&sent);
                self.pause(so_far.best_moves)?;
            }
        }
        let mut expected = self.stream.expected;
        if expected.quit {
            // `quit` may end the process before everything is answered.
            for line in self.session.finish() {
                self.read(&line)?;
            }
            return match self.surplus(&expected) {
                None => Ok(false),
                Some(surplus) => Err(TestCaseError::fail(surplus)),
            };
        }
        self.session.try_send(LAST_COMMANDS);
        expected.add(LAST_COMMANDS.as_bytes());
        self.read_all(&expected)?;
        Ok(true)
    }

    /// Reads until this number of searches is answered, or for [`PAUSE`].
    fn pause(&mut self, best_moves: usize) -> Result<(), TestCaseError> {
        let deadline = Instant::now() + PAUSE;
        while self.seen.best_moves < best_moves {
            match self.session.line_before(deadline) {
                Some(line) => self.read(&line)?,
                None => break,
            }
        }
        Ok(())
    }

    fn read_all(&mut self, expected: &Expected) -> Result<(), TestCaseError> {
        let deadline = Instant::now() + self.patience;
        while self.seen.best_moves < expected.best_moves
            || self.seen.ready < expected.ready
            || self.seen.uci_ok < expected.uci_ok
        {
            match self.session.line_before(deadline) {
                Some(line) => self.read(&line)?,
                // If the program has crashed, its last output explains the failure.
                None if Instant::now() < deadline => drop(self.session.finish()),
                None => return Err(self.failure("an answer is missing", expected)),
            }
        }
        if self.last_best_move != LAST_MOVE {
            return Err(self.failure("too many bestmove", expected));
        }
        match self.surplus(expected) {
            None => Ok(()),
            Some(surplus) => Err(self.failure(surplus, expected)),
        }
    }

    fn surplus(&self, expected: &Expected) -> Option<&'static str> {
        if self.seen.best_moves > expected.best_moves {
            Some("too many bestmove")
        } else if self.seen.ready > expected.ready {
            Some("too many readyok")
        } else if self.seen.uci_ok > expected.uci_ok {
            Some("too many uciok")
        } else {
            None
        }
    }

    fn failure(&self, reason: &str, expected: &Expected) -> TestCaseError {
        let Expected { best_moves, ready, uci_ok, .. } = self.seen;
        TestCaseError::fail(format!(
            "{reason}: {best_moves} of {} bestmove, {ready} of {} readyok, {uci_ok} of {} uciok",
            expected.best_moves, expected.ready, expected.uci_ok
        ))
    }

    fn read(&mut self, line: &str) -> Result<(), TestCaseError> {
        self.lines += 1;
        match line {
            "readyok" => self.seen.ready += 1,
            "uciok" => self.seen.uci_ok += 1,
            _ if line.starts_with("bestmove") => {
                self.seen.best_moves += 1;
                line.clone_into(&mut self.last_best_move);
                let needs_score = line != "bestmove (none)" && self.lines < FLOOD;
                if needs_score && !self.scored {
                    return Err(TestCaseError::fail(format!("{line} without a score")));
                }
                self.scored = false;
            }
            _ => self.scored |= line.starts_with("info depth ") && line.contains(" score "),
        }
        Ok(())
    }
}
