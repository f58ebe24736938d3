//! The triangular table of principal variations.

use arrayvec::ArrayVec;

use crate::chess::Move;
use crate::search::MAX_PLY;

/// A line of play.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// For each ply the best line found from there. A node that improves its line
/// puts its move in front of its child's.
pub(super) struct PvTable {
    lines: Vec<Line>,
}

impl PvTable {
    pub fn new() -> Self {
        Self { lines: vec![Line::new(); MAX_PLY + 1] }
    }

    /// The line from `ply`.
    pub fn line(&self, ply: usize) -> &Line {
        &self.lines[ply]
    }

    /// Forgets the line from `ply`: its node has just been entered.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// Makes the line from `ply` the move `m` and the line from the next ply.
    pub fn raise(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let (line, child) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(m);
        // The child's line is at least one ply shorter than the board is deep.
        let length = child.len().min(line.remaining_capacity());
        line.extend(child[..length].iter().copied());
    }
}
