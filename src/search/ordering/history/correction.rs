//! Correction history: the average error of the static evaluation in positions of a
//! kind.
//!
//! After a search the difference between its score and the static evaluation updates
//! tables indexed by features that the positions of a tree share: the pawns (introduced in
//! Caissa, M. Witanowski, 2023), the minor pieces (in Sirius), the pieces of each colour (in
//! Starzix) and the last two moves (in Motor).

use bytemuck::Zeroable;

use crate::chess::{Color, State};
use crate::eval::Score;
use crate::search::ordering::history::context::PieceTo;
use crate::search::ordering::history::score::HistoryScore;
use crate::search::params as p;
use crate::util::unsafe_ops::prefetch;

/// The bound of a correction, in its own unit.
const MAX_CORRECTION: i32 = 1024;
/// The entries of one table, a power of two.
const SLOTS: usize = 16_384;

type Correction = HistoryScore<MAX_CORRECTION>;

#[derive(Zeroable)]
pub struct CorrectionHistory {
    /// By the side to move, then by key.
    pawn: [[Correction; SLOTS]; 2],
    minor: [[Correction; SLOTS]; 2],
    /// By the side to move and the colour of the pieces.
    non_pawn: [[[Correction; SLOTS]; 2]; 2],
    continuation: [[Correction; PieceTo::COUNT]; PieceTo::COUNT + 1],
}

impl CorrectionHistory {
    /// Loads the entries of a position into the cache, for an evaluation that follows soon.
    #[inline]
    pub fn prefetch(&self, state: &State, [one, two]: [PieceTo; 2]) {
        if let Some(correction) = self.continuation[two.index()].get(one.index()) {
            prefetch(correction);
        }
        let us = state.side_to_move().index();
        prefetch(&self.pawn[us][slot(state.pawn_key())]);
        prefetch(&self.minor[us][slot(state.minor_key())]);
        for color in Color::ALL {
            prefetch(&self.non_pawn[us][color.index()][slot(state.non_pawn_key(color))]);
        }
    }

    /// The corrected static evaluation. A certain result, decisive or drawn, is unchanged:
    /// in an endgame that consists of certain draws the corrections would confirm each
    /// other. An evaluation that is zero by chance is not corrected either. `one` and `two` are
    /// the moves one and two plies before.
    #[inline]
    pub fn corrected(&self, state: &State, [one, two]: [PieceTo; 2], eval: Score) -> Score {
        if eval.is_decisive() || eval == Score::DRAW {
            return eval;
        }
        let us = state.side_to_move().index();
        let [white, black] = Color::each(|color| {
            self.non_pawn[us][color.index()][slot(state.non_pawn_key(color))].get()
        });
        let continuation = self.continuation[two.index()].get(one.index());
        let sum = self.pawn[us][slot(state.pawn_key())].get() * p::correct_pawn()
            + self.minor[us][slot(state.minor_key())].get() * p::correct_minor()
            + (white + black) * p::correct_non_pawn()
            + continuation.map_or(0, |it| it.get()) * p::correct_continuation();
        (eval + Score::new(sum / 1024)).clamp_eval()
    }

    /// Updates the tables: a search to `depth` returned `error` centipawns more than the
    /// static evaluation.
    pub fn update(&mut self, state: &State, [one, two]: [PieceTo; 2], depth: i32, error: i32) {
        let bonus =
            (error * depth * p::correct_rate() / 1024).clamp(-p::correct_max(), p::correct_max());
        let us = state.side_to_move().index();
        self.pawn[us][slot(state.pawn_key())].update(bonus);
        self.minor[us][slot(state.minor_key())].update(bonus);
        for color in Color::ALL {
            self.non_pawn[us][color.index()][slot(state.non_pawn_key(color))].update(bonus);
        }
        if let Some(correction) = self.continuation[two.index()].get_mut(one.index()) {
            correction.update(bonus);
        }
    }
}

#[inline]
fn slot(key: u64) -> usize {
    key as usize % SLOTS
}
