//! What ends a search.

use std::time::Duration;

use crate::chess::Move;

/// The limits of one search, all of which hold at once; without any the search
/// goes on until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Iterations to complete.
    pub depth: Option<u8>,
    /// Nodes to visit, exact on one thread.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Stop once a mate in this many moves is found, or does not exist; a long one
    /// only seems not to.
    pub mate: Option<u8>,
    /// The clock from which to budget.
    pub clock: Option<Clock>,
    /// Do not answer before being stopped.
    pub infinite: bool,
    /// Do not answer before being stopped or before the opponent has played the
    /// expected move.
    pub ponder: bool,
    /// Search only these moves, all of them legal; never an empty list.
    pub search_moves: Option<Vec<Move>>,
}

/// The mover's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub remaining: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// Moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}
