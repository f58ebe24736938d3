//! Random dialogues with the real program: no panic, no hang, every answer exactly once.
//!
//! A stream is a few lines of commands and the pauses between them. Streams come
//! from a [`grammar`] of commands with valid, extreme and broken parameters, or
//! are [`dialogues`] of real clients with faults. One process answers many of them
//! in turn, so that each finds the options, tables and games that earlier ones have
//! left. An independent [`reading`] of the stream determines the answers: a `bestmove`
//! for each `go`, a `readyok` for each `isready`, an `uciok` for each `uci`. Every line
//! must be well-formed.
//!
//! | variable | meaning |
//! |---|---|
//! | `LOVEC_FUZZ_STREAMS` | the number of streams, half of either kind; 600 if not set |
//! | `LOVEC_FUZZ_SEED` | the seed of the random streams; 0 if not set |
//! | `LOVEC_BINARY` | another binary to talk to, such as the release build |
//!
//! A stream that fails is made smaller, each attempt with a fresh process, and
//! shown. If it fails only after earlier streams, it cannot be made smaller; the file that
//! the failure names holds everything that the process has received.

mod dialogues;
mod grammar;
mod harness;
mod reading;
mod stream;

#[test]
fn random_commands() {
    harness::run("commands", 1, grammar::stream());
}

#[test]
fn garbled_dialogues() {
    harness::run("dialogues", 2, dialogues::stream());
}
