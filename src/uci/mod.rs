//! The Universal Chess Interface: Lovec's dialogue with chess programs.
//!
//! Four threads share the work and none of them waits for another: this one
//! reads commands, one searches, with helpers if it is told to, one keeps the time,
//! one writes. The input is taken as bytes and nothing in it can end the program; a
//! command that makes no sense is answered by an `info string` or skipped.
//!
//! [`command`] and [`go`] read, [`response`] prints, both without side effects;
//! [`session`] connects them with the [engine](crate::engine).
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod command;
#[cfg(test)]
mod fuzz;
mod go;
mod output;
mod reader;
mod reporter;
mod response;
mod session;
mod tasks;
mod transcript;
mod words;

use std::io::{self, BufReader, IsTerminal};
use std::ops::ControlFlow;
use std::time::Instant;

use crate::engine::StartError;
use crate::uci::output::Output;
use crate::uci::reader::{Input, read_line};
use crate::uci::session::Session;

const READ_BYTES: usize = 64 << 10;

/// Talks to the client on the standard streams until it leaves. Fails only if
/// the system has no threads or no memory to give.
pub fn run() -> Result<(), StartError> {
    let output = Output::to_stdout()?;
    let stdin = io::stdin();
    if stdin.is_terminal() {
        output.answer(format_args!(
            "Lovec {}, a UCI chess engine. `help` shows the commands, `quit` leaves.",
            env!("CARGO_PKG_VERSION")
        ));
    }
    let mut session = Session::start(output)?;
    let mut source = BufReader::with_capacity(READ_BYTES, stdin);
    let mut buffer = Vec::new();
    loop {
        match read_line(&mut source, &mut buffer) {
            Input::Line => {
                let arrival = Instant::now();
                if let ControlFlow::Break(()) = session.handle(&buffer, arrival) {
                    session.quit();
                    return Ok(());
                }
            }
            Input::TooLong => session.line_too_long(),
            Input::End => {
                session.end_of_input();
                return Ok(());
            }
        }
    }
}
