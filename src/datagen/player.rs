//! The player of both sides: a search of a fixed number of nodes.

use std::sync::Arc;

use crate::chess::{Move, Position};
use crate::eval::Score;
use crate::search::{
    Control, Limits, Report, Reporter, SearchRequest, SearchResult, Searcher, SearcherError,
};

/// Enough for the few thousand nodes of a move, and small enough for the cache.
const HASH_MIB: usize = 8;

/// A searcher, and the control that stops its games early.
pub(super) struct Player {
    searcher: Searcher,
    control: Arc<Control>,
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveChoice {
    pub best: Move,
    /// From White's side.
    pub score: Score,
}

impl Player {
    /// A player, which leaves memory for the searches of `others` more players.
    pub fn new(others: usize, control: &Arc<Control>) -> Result<Self, SearcherError> {
        Ok(Self {
            searcher: Searcher::one_of_many(others, HASH_MIB)?,
            control: Arc::clone(control),
        })
    }

    /// Clears all memory of earlier games, so that the next does not depend on them.
    pub fn new_game(&mut self) {
        self.searcher.clear();
    }

    /// Searches a position that has a move; `None` if the games were stopped.
    pub fn choose_move(&mut self, position: &Position, nodes: u64) -> Option<MoveChoice> {
        let mut exact = LastExact(None);
        let outcome = self.search(position, nodes, &mut exact);
        if self.is_stopped() {
            return None;
        }
        let score = exact.0.unwrap_or(outcome.score);
        Some(MoveChoice { best: outcome.best?, score: score * position.side_to_move().sign() })
    }

    /// Searches a position and reports to `reporter`.
    pub fn search(
        &mut self,
        position: &Position,
        nodes: u64,
        reporter: &mut impl Reporter,
    ) -> SearchResult {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = SearchRequest {
            control: Arc::clone(&self.control),
            ..SearchRequest::new(position.clone(), limits)
        };
        self.searcher.search(request, reporter)
    }

    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }
}

/// Keeps the last exact score. The nodes run out in the middle of an iteration, which may
/// have disproved the score of the previous one without having found its own.
struct LastExact(Option<Score>);

impl Reporter for LastExact {
    fn report(&mut self, report: &Report<'_>) {
        if report.is_final() {
            self.0 = Some(report.score);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    const ROOK_UP: &str = "4k3/8/8/8/8/8/4P3/R3K3 b - - 0 1";

    #[test]
    fn scores_are_from_whites_side() {
        let mut player = Player::new(0, &Control::new(Instant::now(), false)).unwrap();
        let choice = player.choose_move(&Position::from_fen(ROOK_UP).unwrap(), 200).unwrap();
        assert!(choice.score > Score::new(300), "{:?}", choice.score);
    }
}
