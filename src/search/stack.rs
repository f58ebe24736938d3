//! What the search remembers of each ply of the line that it is in.

use crate::chess::Move;
use crate::eval::{Accumulator, Score};

/// One ply.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The incremental part of the evaluation of the position at this ply.
    pub accumulator: Accumulator,
    /// The static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The move being searched at this ply; `None` for a null move.
    pub current: Option<Move>,
    /// Quiet moves that lately refuted a sibling of this node, the newest first.
    pub killers: [Option<Move>; 2],
}

impl Frame {
    pub fn new(accumulator: Accumulator) -> Self {
        Self { accumulator, eval: None, current: None, killers: [None; 2] }
    }

    /// Remembers a quiet move that caused a cutoff.
    pub fn add_killer(&mut self, m: Move) {
        if self.killers[0] != Some(m) {
            self.killers = [Some(m), self.killers[0]];
        }
    }
}
