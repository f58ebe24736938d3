//! The Universal Chess Interface: Lovec's dialogue with chess programs.
//!
//! Four threads share the work: this one reads commands, one searches (with helpers if
//! `Threads` is above 1), one watches the clock, one writes. None of them waits for another,
//! but this one for room for answers: a client that does not read them has to wait. The input
//! is read as bytes, and nothing in it can end the program; an invalid command is skipped or
//! answered by an `info string`.
//!
//! [`command`] and [`go`] parse, [`response`] prints, both without side effects;
//! [`session`] connects them with the [engine](crate::engine).
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

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
use std::time::Duration;

use crate::engine::{Engine, OtherSearch};
use crate::search::SearcherError;
use crate::uci::output::Output;
use crate::uci::reader::{Input, Lines};
use crate::uci::reporter::UciListener;
use crate::uci::response::problem;
use crate::uci::session::Session;
use crate::util::stream;

const READ_BYTES: usize = 64 << 10;
/// How often to look again at a client that does not read; it is noticed at once when it does.
const READING: Duration = Duration::from_secs(1);

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
    let mut session = Session::new(name, engine, output.clone(), interactive);
    let mut lines = Lines::new(BufReader::with_capacity(READ_BYTES, stream::stdin()));
    loop {
        // However long it takes: a client that has gone closes its end.
        while !output.wait_for_room(READING) {}
        match lines.read() {
            Input::Line => {
                if session.handle(lines.line()).is_break() {
                    session.quit();
                    return Ok(());
                }
            }
            Input::TooLong => session.reply(problem("line too long; ignored")),
            Input::End => {
                session.end_of_input();
                return Ok(());
            }
        }
    }
}
