//! How moves are numbered.

use std::fmt;

use crate::chess::color::Color;
use crate::chess::position::State;

/// The number of a move and its side: `17.` or `17...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveNumber {
    pub number: u16,
    pub color: Color,
}

impl MoveNumber {
    /// The number of the next move of a position.
    pub fn next(state: &State) -> Self {
        Self { number: state.fullmove_number(), color: state.side_to_move() }
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.color == Color::White { "." } else { "..." };
        write!(f, "{}{dots}", self.number)
    }
}
