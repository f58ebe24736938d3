//! Runs of rows, for the tests of the laboratory.

use crate::chess::Position;
use crate::lab::game::{AnyGame, Chess, Draws, Evaluation, GameMove, GameTree};
use crate::lab::{Answer, Counts, Limit, Outcome, Row, Watch};

/// A middlegame with many captures.
pub const MIDDLEGAME: &str =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// How a row ends on a game, and its counts.
pub fn run(row: &str, game: &mut dyn GameTree, depth: u32, limit: Limit<'_>) -> (Outcome, Counts) {
    let mut watch = Watch::default();
    let outcome = Row::parse(row, &[]).unwrap().run(game, depth, limit, &mut watch);
    (outcome, watch.counts)
}

/// What a row finds in the game of a text, and its counts.
pub fn solve(row: &str, game: &str, depth: u32) -> (Answer, Counts) {
    solve_within(row, game, depth, u64::MAX)
}

/// [`solve`] with a limit of nodes.
pub fn solve_within(row: &str, game: &str, depth: u32, nodes: u64) -> (Answer, Counts) {
    let mut game = AnyGame::parse(game).unwrap();
    let (outcome, counts) = run(row, game.tree(), depth, Limit { nodes, ..Limit::NONE });
    (outcome.answer.unwrap(), counts)
}

/// The value, the line and the leaves that a row finds in the game of a text with a limit of
/// nodes.
pub fn found(row: &str, game: &str, depth: u32, nodes: u64) -> (i32, Vec<GameMove>, u64) {
    let (answer, counts) = solve_within(row, game, depth, nodes);
    (answer.value, answer.line, counts.leaves)
}

/// A position without the draws of a game.
pub fn chess(fen: &str, evaluation: Evaluation) -> Chess {
    Chess::new(Position::from_fen(fen).unwrap(), evaluation, Draws::None)
}

/// What a row finds in a position, and its counts.
pub fn search(row: &str, fen: &str, depth: u32, evaluation: Evaluation) -> (Answer, Counts) {
    let (outcome, counts) = run(row, &mut chess(fen, evaluation), depth, Limit::NONE);
    (outcome.answer.unwrap(), counts)
}

/// The nodes of a search of [`MIDDLEGAME`] to depth 4.
pub fn nodes_of_middlegame(row: &str) -> u64 {
    search(row, MIDDLEGAME, 4, Evaluation::Lovec).1.nodes
}
