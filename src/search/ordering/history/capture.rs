//! History of captures: by the piece, its destination and its victim (after Stockfish).

use crate::chess::{Move, Piece, State};
use crate::search::ordering::history::context::PieceTo;
use crate::search::ordering::history::score::{HistoryScore, MAX_HISTORY};
use crate::util::memory::{MemoryError, zeroed};

type Score = HistoryScore<MAX_HISTORY>;

pub struct CaptureHistory {
    scores: Vec<[Score; Piece::COUNT]>,
}

impl CaptureHistory {
    pub fn new() -> Result<Self, MemoryError> {
        Ok(Self { scores: zeroed(PieceTo::COUNT)? })
    }

    pub fn clear(&mut self) {
        self.scores.as_flattened_mut().fill(Score::default());
    }

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
