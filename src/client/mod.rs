//! The client's side of UCI: drives another engine, or this one, as a process.
//!
//! The engine may be any program. Whatever it does, each call returns, in bounded memory: an
//! engine that ends, is silent for too long, writes too much or answers with nonsense is a
//! [`ClientError`]. Dropping the client ends the process and its group; so does, on Linux,
//! any end of this process for the process itself.
//!
//! ```no_run
//! use std::process::Command;
//! use std::time::Duration;
//! use lovec::chess::Position;
//! use lovec::client::{EngineClient, GoLimit};
//!
//! let timeout = Duration::from_secs(10);
//! let mut engine = EngineClient::start(Command::new("lovec"), timeout, &|| false)?;
//! engine.set_option("Hash", "64")?;
//! engine.new_game()?;
//! let found = engine.search(&Position::startpos(), &[], GoLimit::Nodes(100_000))?;
//! println!("{:?} {:?}", found.best, found.line().map(|line| line.score));
//! # Ok::<(), lovec::client::ClientError>(())
//! ```

mod command;
mod error;
mod info;
mod option;
mod process;
mod words;

use std::process::Command;
use std::time::{Duration, Instant};
use std::{fmt, iter};

use crate::chess::notation::uci::{format_move, parse_move};
use crate::chess::{Move, Position};
use crate::client::option::EngineOption;
use crate::client::process::EngineProcess;
use crate::client::words::after;
use crate::eval::Score;

pub use command::{EngineCommand, EngineCommandError};
pub use error::{ClientError, EngineFault};
pub use info::EngineLine;

/// The longest output that [`output_of`] accepts, in bytes.
const MAX_OUTPUT_BYTES: usize = 4 << 20;
/// Characters of the name of an engine that are kept.
const MAX_NAME: usize = 200;
/// Options of an engine that are kept; real engines have up to some hundred.
const MAX_OPTIONS: usize = 500;
/// Bytes of the line of an option; a longer one is ignored.
const MAX_OPTION_BYTES: usize = 16 << 10;

/// What a program that is no engine writes on its standard output until it ends. It has no
/// input. `is_stopped` is as in [`EngineClient::start`].
///
/// # Errors
///
/// If the program cannot be started, does not end with success, takes more than `timeout`, or
/// writes more than 4 MiB.
pub fn output_of(
    command: Command,
    timeout: Duration,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<String, ClientError> {
    let words = iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let (program, line) = (words[0].clone(), words.join(" "));
    let read = || {
        let mut process = EngineProcess::start(command)?;
        let deadline = Instant::now() + timeout;
        let mut text = String::new();
        loop {
            match process.read_line(&line, deadline, is_stopped) {
                Ok(Some(next)) if text.len() + next.len() >= MAX_OUTPUT_BYTES => {
                    let bytes = MAX_OUTPUT_BYTES;
                    return Err(EngineFault::LongOutput { command: line, bytes });
                }
                Ok(Some(next)) => text = text + &next + "\n",
                Ok(None) => return Err(EngineFault::Silent { command: line, timeout, last: None }),
                Err(EngineFault::Ended { .. }) if process.has_succeeded() => return Ok(text),
                Err(fault) => return Err(fault),
            }
        }
    };
    read().map_err(|fault| ClientError { engine: program, fault })
}

/// What ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoLimit {
    Depth(u8),
    Nodes(u64),
    MoveTime(Duration),
    /// The time of White and of Black, and what each move adds to it.
    Clock {
        left: [Duration; 2],
        increment: Duration,
    },
}

impl GoLimit {
    /// The first of these limits.
    pub fn first(nodes: Option<u64>, depth: Option<u8>, time: Option<Duration>) -> Self {
        let nodes = nodes.map(Self::Nodes);
        let limit = nodes.or_else(|| depth.map(Self::Depth));
        limit.unwrap_or_else(|| Self::MoveTime(time.unwrap_or_default()))
    }

    /// How long a search may take by itself, where the limit is a time.
    fn time(self) -> Duration {
        match self {
            Self::Depth(_) | Self::Nodes(_) => Duration::ZERO,
            Self::MoveTime(time) => time,
            Self::Clock { left: [white, black], .. } => white.max(black),
        }
    }
}

/// The command that starts the search.
impl fmt::Display for GoLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "go depth {depth}"),
            Self::Nodes(nodes) => write!(f, "go nodes {nodes}"),
            Self::MoveTime(time) => write!(f, "go movetime {}", time.as_millis()),
            Self::Clock { left, increment } => {
                let [white, black] = left.map(|time| time.as_millis());
                let increment = increment.as_millis();
                write!(f, "go wtime {white} btime {black} winc {increment} binc {increment}")
            }
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineAnswer {
    /// A legal move; `None` if there is none.
    pub best: Option<Move>,
    /// The last report of each line, best first. An exact score of the best line is kept when
    /// a bound for the same move follows.
    pub lines: Vec<EngineLine>,
    /// The score of the last report of the best line, which may be a bound.
    pub last_score: Option<Score>,
    /// The most nodes that were reported.
    pub nodes: u64,
}

impl EngineAnswer {
    /// The best line.
    pub fn line(&self) -> Option<&EngineLine> {
        self.lines.first().filter(|line| line.multipv == 1)
    }

    /// Adds a report, which replaces the line of the same place.
    fn add(&mut self, line: EngineLine) {
        self.nodes = self.nodes.max(line.nodes);
        if line.multipv == 1 {
            self.last_score = Some(line.score);
        }
        match self.lines.binary_search_by_key(&line.multipv, |line| line.multipv) {
            Ok(0) if is_bound_of(&line, &self.lines[0]) => {}
            Ok(place) => self.lines[place] = line,
            Err(place) => self.lines.insert(place, line),
        }
    }
}

/// Whether a line is a bound for the move whose exact score is known: a search that was
/// stopped may end with one, and its score is from the iteration before.
fn is_bound_of(line: &EngineLine, known: &EngineLine) -> bool {
    known.is_exact && !line.is_exact && known.pv.first() == line.pv.first()
}

/// An engine as a process, killed when it is dropped.
pub struct EngineClient<'a> {
    process: EngineProcess,
    name: String,
    options: Vec<EngineOption>,
    chess960: bool,
    timeout: Duration,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> EngineClient<'a> {
    /// Starts an engine and waits for `uciok`.
    ///
    /// Every answer must come within `timeout`, the answer of a search within `timeout` more than
    /// the time it is given. A call ends early, and with it the use of the client, when
    /// `is_stopped` returns true; it is asked some fifty times a second.
    pub fn start(
        command: Command,
        timeout: Duration,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, ClientError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let process = EngineProcess::start(command)
            .map_err(|fault| ClientError { engine: program.clone(), fault })?;
        let (options, chess960) = (Vec::new(), false);
        let mut client = Self { process, name: program, options, chess960, timeout, is_stopped };
        let mut name = None;
        let mut options = Vec::new();
        client.process.send("uci".to_owned());
        client.read_until("uci", Duration::ZERO, |line| {
            if let Some(text) = after(line, &["id", "name"]) {
                name = Some(text.chars().take(MAX_NAME).collect());
            }
            if options.len() < MAX_OPTIONS && line.len() <= MAX_OPTION_BYTES {
                options.extend(EngineOption::parse(line));
            }
            after(line, &["uciok"]).map(|_| ())
        })?;
        client.name = name.unwrap_or(client.name);
        client.options = options;
        Ok(client)
    }

    /// Whether the calls were asked to end early.
    pub fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }

    /// The name that the engine reports, or the name of its program.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the engine announces an option. Case does not matter.
    pub fn has_option(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    fn option(&self, name: &str) -> Option<&EngineOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option. An empty value presses a button.
    ///
    /// # Errors
    ///
    /// If the engine does not announce the option, or not for such a value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let Some(option) = self.option(name) else {
            return Err(self.error(EngineFault::NoSuchOption(name.to_owned())));
        };
        if let Err(expected) = option.check(value) {
            let (name, value) = (option.name.clone(), value.to_owned());
            return Err(self.error(EngineFault::OptionValue { name, value, expected }));
        }
        let name = &option.name;
        self.process.send(match value {
            "" => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        });
        Ok(())
    }

    /// Begins another game, and waits until the engine is ready for it.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.process.send("ucinewgame".to_owned());
        self.wait_until_ready()
    }

    /// Waits until the engine has executed what it was sent.
    pub fn wait_until_ready(&mut self) -> Result<(), ClientError> {
        self.process.send("isready".to_owned());
        self.read_until("isready", Duration::ZERO, |line| after(line, &["readyok"]).map(|_| ()))
    }

    /// Searches the position that legal `moves` lead to from `start`. Chess960 is switched on
    /// where `start` needs it. What the engine still writes of an earlier search is not taken
    /// for an answer: the search begins when the engine is ready.
    ///
    /// # Errors
    ///
    /// If the engine does not answer with a legal move, or does not play Chess960.
    pub fn search(
        &mut self,
        start: &Position,
        moves: &[Move],
        limit: GoLimit,
    ) -> Result<EngineAnswer, ClientError> {
        let chess960 = start.is_chess960();
        if chess960 != self.chess960 {
            self.set_option("UCI_Chess960", if chess960 { "true" } else { "false" })?;
            self.chess960 = chess960;
        }
        let mut position = start.clone();
        let mut command = format!("position fen {}", start.fen());
        if !moves.is_empty() {
            command += " moves";
        }
        for &m in moves {
            command = command + " " + &format_move(m, chess960);
            position.make(m);
        }
        self.wait_until_ready()?;
        self.process.send(command);
        self.go(&position, limit)
    }

    fn go(&mut self, root: &Position, limit: GoLimit) -> Result<EngineAnswer, ClientError> {
        let command = limit.to_string();
        self.process.send(command.clone());
        let mut answer = EngineAnswer { best: None, lines: Vec::new(), last_score: None, nodes: 0 };
        let best = self.read_until(&command, limit.time(), |line| {
            if let Some(rest) = after(line, &["bestmove"]) {
                return Some(rest.split_whitespace().next().unwrap_or_default().to_owned());
            }
            if let Some(line) = EngineLine::parse(line, root) {
                answer.add(line);
            }
            None
        })?;
        let no_move = ["(none)", "0000"].contains(&&*best) && root.legal_moves().is_empty();
        if !no_move {
            let fen = root.fen();
            let best = parse_move(root, &best);
            let error = |error| self.error(EngineFault::BestMove { command, error, fen });
            answer.best = Some(best.map_err(error)?);
        }
        Ok(answer)
    }

    /// Reads lines until `found` returns something, for the timeout and `more` at most.
    fn read_until<T>(
        &mut self,
        command: &str,
        more: Duration,
        mut found: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, ClientError> {
        let timeout = self.timeout + more;
        let deadline = Instant::now() + timeout;
        let mut last = None;
        loop {
            match self.process.read_line(command, deadline, self.is_stopped) {
                Ok(Some(line)) => match found(&line) {
                    Some(result) => return Ok(result),
                    None => last = Some(line),
                },
                Ok(None) => {
                    let command = command.to_owned();
                    return Err(self.error(EngineFault::Silent { command, timeout, last }));
                }
                Err(fault) => return Err(self.error(fault)),
            }
        }
    }

    fn error(&self, fault: EngineFault) -> ClientError {
        ClientError { engine: self.name.clone(), fault }
    }
}

#[cfg(all(test, unix))]
mod tests;
