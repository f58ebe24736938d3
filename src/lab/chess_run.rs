//! Runs of rows on chess positions, for the tests of the laboratory.

use crate::chess::Position;
use crate::lab::game::chess::{Chess, Draws};
use crate::lab::game::evaluation::Evaluation;
use crate::lab::limit::Limit;
use crate::lab::row::Row;
use crate::lab::watch::{Counts, Watch};

/// A middlegame with many captures.
pub const MIDDLEGAME: &str =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// The value that a row finds, and its counts.
pub fn run(row: &str, fen: &str, depth: u32, evaluation: Evaluation) -> (i32, Counts) {
    let mut game = Chess::new(Position::from_fen(fen).unwrap(), evaluation, Draws::None);
    let mut watch = Watch::default();
    let outcome = Row::parse(row, &[]).unwrap().run(&mut game, depth, Limit::NONE, &mut watch);
    (outcome.answer.unwrap().value, watch.counts)
}

/// The nodes of a search of [`MIDDLEGAME`] to depth 4.
pub fn nodes_of_middlegame(row: &str) -> u64 {
    run(row, MIDDLEGAME, 4, Evaluation::lovec().unwrap()).1.nodes
}
