//! History of captures: by the piece, its destination and its victim (after Stockfish).

use bytemuck::Zeroable;

use crate::chess::{Move, Piece, State};
use crate::search::ordering::history::context::PieceTo;
use crate::search::ordering::history::score::HistoryScore;

type Score = HistoryScore<10_692>;

#[derive(Zeroable)]
pub struct CaptureHistory {
    scores: [[Score; Piece::COUNT]; PieceTo::COUNT],
}

impl CaptureHistory {
    /// The score of a capture or promotion.
    #[inline]
    pub fn score(&self, state: &State, m: Move) -> i32 {
        self.scores[PieceTo::of(state, m).index()][victim(state, m)].get()
    }

    /// Updates the score of a capture or promotion.
    pub fn update(&mut self, state: &State, m: Move, bonus: i32) {
        self.scores[PieceTo::of(state, m).index()][victim(state, m)].update(bonus);
    }
}

/// The index of the captured piece. A promotion without capture has the index of the
/// king, which is never captured.
#[inline]
fn victim(state: &State, m: Move) -> usize {
    state.captured(m).unwrap_or(Piece::King).index()
}
