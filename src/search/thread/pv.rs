//! The triangular table of principal variations.

use crate::chess::Move;
use crate::search::options::MAX_PLY;
use crate::util::array_list::ArrayList;

/// A line of play.
pub type PvLine = ArrayList<Move, MAX_PLY>;

/// The best line from each ply of the current line. A node that raises alpha puts its
/// move in front of the line of its child.
pub struct PvTable {
    lines: Vec<PvLine>,
}

impl PvTable {
    pub fn new() -> Self {
        Self { lines: vec![PvLine::new(); MAX_PLY + 1] }
    }

    /// The line from `ply`.
    pub fn line(&self, ply: usize) -> &PvLine {
        &self.lines[ply]
    }

    /// Clears the line from `ply`, when its node is entered.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// Sets the line from `ply` to the move `m` and the line from the next ply.
    pub fn update(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        replace(&mut upper[ply], m, &lower[0]);
    }
}

/// Sets a line to a move and the moves after it, as far as they fit.
pub fn replace(line: &mut PvLine, first: Move, rest: &[Move]) {
    line.clear();
    line.push(first);
    line.extend_if_room(rest.iter().copied());
}
