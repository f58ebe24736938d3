//! The one who plays both sides: a search of a fixed number of nodes.

use std::sync::Arc;
use std::time::Instant;

use crate::chess::{Move, Position};
use crate::eval::Score;
use crate::search::{
    Bound, Control, Limits, Outcome, Report, Reporter, SearchOptions, Searcher, SearcherError,
};

/// Enough for the few thousand nodes of a move, and small enough to stay close to
/// the processor.
const HASH_MIB: usize = 8;

/// A searcher, and the control that ends its games early.
pub(super) struct Player {
    searcher: Searcher,
    control: Arc<Control>,
}

/// What a search thinks of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveChoice {
    pub best: Move,
    /// From White's side.
    pub score: Score,
}

impl Player {
    /// A player who is alone.
    ///
    /// # Errors
    ///
    /// If there is no memory or no thread for the searches.
    pub fn new(control: &Arc<Control>) -> Result<Self, SearcherError> {
        Self::beside(0, control)
    }

    /// A player beside so many others.
    ///
    /// # Errors
    ///
    /// If there is no memory or no thread for the searches.
    pub fn beside(others: usize, control: &Arc<Control>) -> Result<Self, SearcherError> {
        Ok(Self { searcher: Searcher::beside(others, HASH_MIB)?, control: Arc::clone(control) })
    }

    /// Forgets all games before, which the next one must not depend on.
    pub fn new_game(&mut self) {
        self.searcher.clear();
    }

    /// Searches a position that has a move; `None` once games are to end.
    pub fn think(&mut self, position: &Position, nodes: u64) -> Option<MoveChoice> {
        let mut exact = LastExact(None);
        let outcome = self.follow(position, nodes, &mut exact);
        if self.is_stopped() {
            return None;
        }
        let score = exact.0.unwrap_or(outcome.score);
        Some(MoveChoice { best: outcome.best?, score: score * position.side_to_move().sign() })
    }

    /// Searches a position, and tells a reporter all of it.
    pub fn follow(
        &mut self,
        position: &Position,
        nodes: u64,
        reporter: &mut impl Reporter,
    ) -> Outcome {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let options = SearchOptions::default();
        self.searcher.search(position, &limits, &options, &self.control, Instant::now(), reporter)
    }

    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }
}

/// Keeps the last score that was more than a bound. The nodes run out in the
/// middle of an iteration, which may just have found that the score of the one
/// before does not hold, and not yet which one does.
struct LastExact(Option<Score>);

impl Reporter for LastExact {
    fn report(&mut self, report: &Report<'_>) {
        if report.bound == Bound::Exact {
            self.0 = Some(report.score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOK_UP: &str = "4k3/8/8/8/8/8/4P3/R3K3 b - - 0 1";

    #[test]
    fn scores_are_from_whites_side() {
        let mut player = Player::new(&Control::new(Instant::now(), false)).unwrap();
        let choice = player.think(&Position::from_fen(ROOK_UP).unwrap(), 200).unwrap();
        assert!(choice.score > Score::new(300), "{:?}", choice.score);
    }

    #[test]
    fn a_player_who_forgets_thinks_the_same_again() {
        let mut player = Player::new(&Control::new(Instant::now(), false)).unwrap();
        let position = Position::startpos();
        let mut think = || {
            player.new_game();
            let choice = player.think(&position, 3000).unwrap();
            (choice.best, choice.score)
        };
        assert_eq!(think(), think());
    }

    #[test]
    fn nobody_thinks_after_the_end() {
        let control = Control::new(Instant::now(), false);
        let mut player = Player::new(&control).unwrap();
        control.stop();
        assert!(player.think(&Position::startpos(), 1000).is_none());
    }
}
