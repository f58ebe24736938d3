//! The line from the root to the current node.

use crate::chess::{Color, Position};
use crate::eval::Accumulator;
use crate::search::options::MAX_PLY;
use crate::search::thread::pv::PvTable;
use crate::search::thread::stack::Stack;

/// The line from the root to the current node, and what its nodes leave for each other.
pub struct Line {
    /// The position of the current node, with the game before it.
    pub position: Position,
    pub stack: Stack,
    pub pv: PvTable,
    /// The deepest ply of this iteration.
    pub seldepth: usize,
    /// In a null-move verification: the side that must not pass, and the ply up to which
    /// it must not.
    pub verifying: Option<(Color, usize)>,
}

impl Line {
    /// The empty line at the root.
    pub fn new(root: &Position) -> Self {
        let mut position = root.clone();
        position.reserve(MAX_PLY + 1);
        Self {
            position,
            stack: Stack::new(Accumulator::from_state(root)),
            pv: PvTable::new(),
            seldepth: 0,
            verifying: None,
        }
    }
}
