//! Histories: how well moves did elsewhere in the tree (J. Schaeffer, "The history
//! heuristic", 1983).
//!
//! | to read | it holds |
//! |---|---|
//! | [`quiet`] | scores of quiet moves: by squares, by the previous moves |
//! | [`capture`] | scores of captures: by the piece, its destination and its victim |
//! | [`counter`] | the quiet move that last refuted a move |
//! | [`correction`] | the average error of the static evaluation in positions of a kind |
//! | [`context`], [`score`] | the facts of a node by which they are indexed; one entry |

mod capture;
mod context;
mod correction;
mod counter;
mod quiet;
mod score;

use bytemuck::Zeroable;

pub use capture::CaptureHistory;
pub use context::{ContinuationRow, ContinuationRows, PieceTo};
pub use correction::CorrectionHistory;
pub use counter::CounterMoves;
pub use quiet::QuietHistory;

/// All histories of a thread, kept from one search of a game to the next.
#[derive(Zeroable)]
pub struct History {
    pub quiet: QuietHistory,
    pub capture: CaptureHistory,
    pub counter: CounterMoves,
    pub correction: CorrectionHistory,
}

impl History {
    /// Clears all histories.
    pub fn clear(&mut self) {
        bytemuck::write_zeroes(self);
    }
}
