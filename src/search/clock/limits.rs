//! The limits of a search, as a `go` command gives them.

use std::time::Duration;

use crate::chess::Move;
use crate::search::options::MAX_DEPTH;

/// The limits of one search. All of them apply at once; without any, the search runs
/// until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The last iteration.
    pub depth: Option<u8>,
    /// The number of nodes, exact on one thread after the first iteration.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// Stop when a mate in at most this many moves is found, or refuted. Short mates
    /// are refuted by proof, longer ones when a deep search finds none.
    pub mate: Option<u8>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Return no move before `stop`.
    pub infinite: bool,
    /// Return no move before `stop` or `ponderhit`.
    pub ponder: bool,
    /// Search only these moves, all legal; of an empty list, none.
    pub search_moves: Option<Vec<Move>>,
}

impl Limits {
    /// Limits of `factor` times the work. Another iteration counts as twice the work.
    pub fn times(&self, factor: u32) -> Self {
        let plies = factor.max(1).ilog2() as u8;
        Self {
            depth: self.depth.map(|depth| depth.saturating_add(plies).min(MAX_DEPTH)),
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(factor.into())),
            movetime: self.movetime.map(|time| time.saturating_mul(factor)),
            ..self.clone()
        }
    }
}

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub remaining: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// Moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_times_the_work() {
        let nodes = Limits { nodes: Some(100), ..Limits::default() };
        assert_eq!(nodes.times(4).nodes, Some(400));
        let depth = Limits { depth: Some(10), ..Limits::default() };
        assert_eq!(depth.times(4).depth, Some(12));
        let time = Limits { movetime: Some(Duration::from_secs(1)), ..Limits::default() };
        assert_eq!(time.times(4).movetime, Some(Duration::from_secs(4)));
    }
}
