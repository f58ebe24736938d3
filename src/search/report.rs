//! What a search reports: one [`Report`] for each line of an iteration, and one
//! [`SearchResult`] at the end.
//!
//! The search itself prints nothing. A caller passes a [`Reporter`], which may print,
//! collect or ignore the reports.

use std::time::Duration;

use crate::chess::Move;
use crate::eval::{Score, WinDrawLoss};
use crate::search::tt::entry::Bound;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play; `None` if the position, or the list of moves to search, has
    /// none.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    pub score: Score,
    pub nodes: u64,
    /// The last iteration started, or the plies reached if these are fewer.
    pub depth: u8,
}

/// One line of play after an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The iteration, or the plies reached if these are fewer.
    pub depth: u8,
    /// The deepest ply reached, or the length of the line if it is longer.
    pub seldepth: usize,
    /// The rank of the line among the best ones, from 1.
    pub multipv: usize,
    pub score: Score,
    /// The probabilities of win, draw and loss for the side to move.
    pub wdl: WinDrawLoss,
    /// Whether the score is exact or a bound. A proven mate without a line that shows
    /// it is a bound: it may come sooner.
    pub bound: Bound,
    pub nodes: u64,
    /// Positions found in endgame tables.
    pub table_hits: u64,
    pub elapsed: Duration,
    /// The share of the transposition table in use, in permille.
    pub hashfull: u32,
    /// The line, from the root. Empty only if there is no legal move.
    pub pv: &'a [Move],
}

impl Report<'_> {
    /// The report of a mate or stalemate at the root.
    pub fn game_over(score: Score, elapsed: Duration) -> Self {
        Self {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score,
            wdl: if score.is_mate() { WinDrawLoss::LOST } else { WinDrawLoss::DRAWN },
            bound: Bound::Exact,
            nodes: 0,
            table_hits: 0,
            elapsed,
            hashfull: 0,
            pv: &[],
        }
    }

    /// Whether the score is the result of a complete iteration or a proven mate, and
    /// not a bound from a search that continues with another window.
    pub fn is_final(&self) -> bool {
        self.bound == Bound::Exact || self.score.is_mate()
    }
}

/// Receives the reports of a search.
pub trait Reporter {
    fn report(&mut self, report: &Report<'_>);

    /// Whether details are reported after some seconds of search: current moves, and a score in
    /// the middle of an iteration. What is made of them depends on the clock.
    fn wants_details(&self) -> bool {
        false
    }

    /// The search of a root move, numbered from 1, starts.
    fn current_move(&mut self, _depth: u8, _m: Move, _number: usize) {}
}

/// Ignores all reports.
impl Reporter for () {
    fn report(&mut self, _: &Report<'_>) {}
}
