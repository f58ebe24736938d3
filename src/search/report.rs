//! What a search says while it runs.
//!
//! Nothing in the search prints. It tells a [`Reporter`], which may write UCI,
//! count for a benchmark, collect training data, or do nothing.

use std::time::Duration;

use crate::chess::Move;
use crate::eval::{Score, WinDrawLoss};
use crate::search::tt::Bound;

/// The state of a search after an iteration, for one line of play.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    pub depth: u8,
    /// The deepest ply reached, that of the line included.
    pub seldepth: usize,
    /// Which of the best lines this is, from 1.
    pub multipv: usize,
    pub score: Score,
    /// What the score promises to the side to move.
    pub wdl: WinDrawLoss,
    /// Whether the score is exact or only a bound.
    pub bound: Bound,
    pub nodes: u64,
    /// Positions found in endgame tables.
    pub table_hits: u64,
    pub elapsed: Duration,
    /// Share of the transposition table in use, in permille.
    pub hashfull: u32,
    /// The line, from the root. Empty only if there is no legal move.
    pub pv: &'a [Move],
}

impl Report<'_> {
    /// What the score says in the light of its line. A mate is there at the latest
    /// when its proof says; without a line that shows it, it may come sooner.
    pub fn shown_bound(&self) -> Bound {
        match self.score.plies_to_mate() {
            Some(plies) if self.bound == Bound::Exact && plies != self.pv.len() => {
                if self.score > Score::ZERO { Bound::Lower } else { Bound::Upper }
            }
            _ => self.bound,
        }
    }
}

/// Whatever wants to follow a search.
pub trait Reporter {
    fn report(&mut self, report: &Report<'_>);

    /// The search of root move `number`, from 1, begins. Called only once a
    /// search has run for some seconds.
    fn current_move(&mut self, depth: u8, m: Move, number: usize) {
        let _ = (depth, m, number);
    }
}

/// Nobody listens.
impl Reporter for () {
    fn report(&mut self, _: &Report<'_>) {}
}
