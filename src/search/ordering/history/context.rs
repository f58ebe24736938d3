//! The facts of a node that the histories are indexed by.

use crate::chess::{Color, Move, Piece, Square, State};

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

/// A row of the continuation histories: an earlier move, whether it was an evasion of a
/// check, and whether it was noisy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContinuationRow(u16);

impl ContinuationRow {
    /// The row of a null move, or of no move.
    pub const NONE: Self = Self(4 * PieceTo::COUNT as u16);
    pub const COUNT: usize = 4 * PieceTo::COUNT + 1;

    #[inline]
    pub fn new(piece_to: PieceTo, in_check: bool, noisy: bool) -> Self {
        debug_assert!(piece_to != PieceTo::NONE);
        let table = 2 * u16::from(in_check) + u16::from(noisy);
        Self(PieceTo::COUNT as u16 * table + piece_to.0)
    }

    /// Less than [`ContinuationRow::COUNT`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The rows of the moves one, two, four and six plies before a node.
pub type ContinuationRows = [ContinuationRow; 4];
