//! What a cell of a board holds.

use crate::chess::{Color, Piece};

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Not a square of the board.
    Border,
    Empty,
    Piece(Color, Piece),
}
