//! The facts of a node that the histories are indexed by.

use crate::chess::{Color, Move, Piece, Square, State, Threats};

/// A piece and its destination square: a move as the histories of later moves see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// Twelve kinds of pieces on 64 squares.
    pub const COUNT: usize = 12 * Square::COUNT;
    /// A null move, or no move.
    pub const NONE: Self = Self(Self::COUNT as u16);

    #[inline]
    pub fn new(color: Color, piece: Piece, to: Square) -> Self {
        let piece = Piece::COUNT * color.index() + piece.index();
        Self((Square::COUNT * piece + to.index()) as u16)
    }

    /// A move of the side to move.
    #[inline]
    pub fn of(state: &State, m: Move) -> Self {
        Self::new(state.side_to_move(), state.moved_piece(m), m.to())
    }

    /// At most [`PieceTo::COUNT`], the index of [`PieceTo::NONE`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What the histories of quiet moves depend on, apart from the position.
#[derive(Clone, Copy)]
pub struct HistoryContext {
    /// The squares that the opponent attacks.
    pub threats: Threats,
    /// The moves one, two and four plies before.
    pub previous: [PieceTo; 3],
}

impl HistoryContext {
    /// For nodes that search only captures, whose history needs no context.
    pub const NONE: Self = Self { threats: Threats::NONE, previous: [PieceTo::NONE; 3] };

    /// The context of a node after the moves one, two and four plies before.
    #[inline]
    pub fn new(state: &State, previous: [PieceTo; 3]) -> Self {
        Self { threats: state.threats(!state.side_to_move()), previous }
    }
}
