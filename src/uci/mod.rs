//! The Universal Chess Interface: Lovec's dialogue with chess programs.
//!
//! Four threads share the work, and none of them waits for another: this one reads
//! commands, one searches (with helpers if `Threads` is above 1), one watches the clock,
//! one writes. The input is read as bytes, and nothing in it can end the program; an
//! invalid command is skipped or answered by an `info string`.
//!
//! A client that sends many commands and does not read has to wait: see [`backlog`].
//!
//! [`command`] and [`go`] parse, [`response`] prints, both without side effects;
//! [`session`] connects them with the [engine](crate::engine).
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod backlog;
mod command;
mod go;
mod output;
mod reader;
mod reporter;
mod response;
mod session;
mod tasks;
mod tokens;
mod transcript;

pub use response::option_line;

use std::io::{self, BufReader, IsTerminal};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::engine::{Engine, OtherSearch};
use crate::search::SearcherError;
use crate::uci::backlog::Backlog;
use crate::uci::output::Output;
use crate::uci::reader::{Input, Lines};
use crate::uci::reporter::UciListener;
use crate::uci::response::problem;
use crate::uci::session::Session;
use crate::util::stream;
use crate::util::timeouts::LAST_READING;

const READ_BYTES: usize = 64 << 10;
/// How often to check whether the client has read its answers.
const PAUSE: Duration = Duration::from_millis(10);

/// The name of the engine and its version.
const NAME: &str = concat!("Lovec ", env!("CARGO_PKG_VERSION"));

/// Talks to the client on the standard streams until it leaves.
pub fn run() -> Result<(), SearcherError> {
    talk(NAME, Engine::start)
}

/// The same with some of the options and another search than the playing one. `name` is
/// added to the name of the engine.
pub fn run_other(
    name: &str,
    options: &'static [&'static str],
    search: impl FnOnce() -> OtherSearch + Send + 'static,
) -> Result<(), SearcherError> {
    let start = |listener| Engine::start_other(listener, options, search);
    talk(&format!("{NAME} {name}"), start)
}

fn talk(
    name: &str,
    start: impl FnOnce(UciListener) -> Result<Engine, SearcherError>,
) -> Result<(), SearcherError> {
    let output = Output::to_stdout()?;
    let interactive = io::stdin().is_terminal();
    if interactive {
        output.answer(format_args!(
            "{name}, a UCI chess engine. `help` shows the commands, `quit` leaves."
        ));
    }
    let engine = start(UciListener { output: output.clone() })?;
    let session = Session::new(name, engine, output, interactive);
    Dialogue { session, backlog: Backlog::default() }.run();
    Ok(())
}

/// A session with its input. The backlog stays empty if the client reads its answers.
struct Dialogue {
    session: Session,
    backlog: Backlog,
}

impl Dialogue {
    fn run(mut self) {
        let mut lines = Lines::new(BufReader::with_capacity(READ_BYTES, stream::stdin()));
        loop {
            if self.catch_up().is_break() {
                return self.session.quit();
            }
            let waits = !self.backlog.is_empty() || !self.session.output.has_room();
            if self.backlog.is_full() {
                self.session.output.wait_for_room(PAUSE);
                continue;
            }
            lines.source.get_mut().set_timeout(waits.then_some(PAUSE));
            match lines.read() {
                Input::Line => {
                    if self.take(lines.line(), Instant::now(), waits).is_break() {
                        return self.session.quit();
                    }
                }
                Input::TooLong => self.session.reply(problem("line too long; ignored")),
                Input::Nothing => {}
                Input::End => return self.finish(),
            }
        }
    }

    /// Executes the commands of the backlog while there is room for their answers.
    fn catch_up(&mut self) -> ControlFlow<()> {
        while self.session.output.has_room() {
            let Some(waiting) = self.backlog.pop() else { break };
            self.session.handle(&waiting.line, waiting.arrival)?;
        }
        ControlFlow::Continue(())
    }

    /// Executes a command. If it has to wait, only `stop` and `quit` take effect.
    fn take(&mut self, line: &[u8], arrival: Instant, waits: bool) -> ControlFlow<()> {
        if !waits {
            return self.session.handle(line, arrival);
        }
        self.session.handle_urgent(line)?;
        self.backlog.push(line, arrival);
        ControlFlow::Continue(())
    }

    /// The input has ended. The backlog is executed as long as the client reads.
    fn finish(mut self) {
        while !self.backlog.is_empty() && self.session.output.wait_for_room(LAST_READING) {
            if self.catch_up().is_break() {
                return self.session.quit();
            }
        }
        self.session.end_of_input();
    }
}
