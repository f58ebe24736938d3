//! Experience with captures: by the piece, its destination and its victim.

use crate::chess::{Move, Piece, State};
use crate::search::history::{HistoryScore, MAX_HISTORY, Played};
use crate::util::memory::{MemoryError, zeroed};

type Score = HistoryScore<MAX_HISTORY>;

pub(in crate::search) struct CaptureHistory {
    scores: Vec<[Score; Piece::COUNT]>,
}

impl CaptureHistory {
    pub fn new() -> Result<Self, MemoryError> {
        Ok(Self { scores: zeroed(Played::COUNT)? })
    }

    pub fn clear(&mut self) {
        self.scores.as_flattened_mut().fill(Score::default());
    }

    /// The score of a capture or promotion.
    #[inline]
    pub fn score(&self, state: &State, m: Move) -> i32 {
        self.scores[Played::of(state, m).index()][victim(state, m)].get()
    }

    /// Moves the score by `bonus`.
    pub fn update(&mut self, state: &State, m: Move, bonus: i32) {
        self.scores[Played::of(state, m).index()][victim(state, m)].update(bonus);
    }
}

/// The place of the victim; that of the king, whom nobody takes, is for
/// promotions without one.
#[inline]
fn victim(state: &State, m: Move) -> usize {
    state.captured(m).unwrap_or(Piece::King).index()
}
