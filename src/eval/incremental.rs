//! Material and piece-square tables, updated incrementally (Chess Programming Wiki,
//! "Piece-Square Tables").
//!
//! [`Accumulator`] keeps their sum up to date through [`Observer`]: the board reports every
//! piece added or removed and does not depend on the evaluation.

use crate::chess::{Color, File, Observer, Piece, Square, State};
use crate::eval::material::PieceCounts;
use crate::eval::tapered::Tapered;
use crate::eval::trace::{TermSum, Tracer, add};
use crate::eval::weights::WEIGHTS;

/// Material and placement of each side, and the numbers of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Accumulator {
    /// By colour, then by [`half`] of the side's king: with both sums, a king that changes
    /// halves needs no new sum.
    sides: [[Tapered; 2]; 2],
    counts: PieceCounts,
}

impl Accumulator {
    /// The sum over all pieces of a position.
    pub fn from_state(state: &State) -> Self {
        let mut accumulator = Self::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in state.colored(color, piece) {
                    accumulator.added(color, piece, square);
                }
            }
        }
        accumulator
    }

    /// The material and placement terms, White's less Black's.
    #[inline]
    pub(super) fn score(&self, state: &State) -> Tapered {
        let [white, black] = Color::each(|us| self.sides[us.index()][half(state.king(us))]);
        white - black
    }

    /// The numbers of the pieces.
    #[inline]
    pub(super) fn counts(&self) -> PieceCounts {
        self.counts
    }

    /// From 0, with kings and pawns only, to [`FULL_PHASE`](crate::eval::tapered::FULL_PHASE).
    pub fn phase(&self) -> i32 {
        self.counts.phase()
    }
}

impl Observer for Accumulator {
    #[inline]
    fn added(&mut self, color: Color, piece: Piece, square: Square) {
        let placed = &PLACED[color.index()][piece.index()][square.index()];
        let sums = &mut self.sides[color.index()];
        for half in 0..2 {
            sums[half] += placed[half];
        }
        self.counts.add(color, piece);
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        let placed = &PLACED[color.index()][piece.index()][square.index()];
        let sums = &mut self.sides[color.index()];
        for half in 0..2 {
            sums[half] -= placed[half];
        }
        self.counts.remove(color, piece);
    }
}

/// 0 for a king on the right half of the board, 1 for one on the left: the board is
/// mirrored then.
#[inline(always)]
fn half(king: Square) -> usize {
    usize::from(king.file().index() < 4)
}

/// Counts the terms that an [`Accumulator`] sums up, for a tracer.
pub(super) fn count<T: Tracer>(state: &State, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let king = state.king(us);
    add!(sum, king_square[king_place(us, king)]);
    for piece in Piece::ALL.into_iter().filter(|&piece| piece != Piece::King) {
        for square in state.colored(us, piece) {
            add!(sum, material[piece.index()]);
            add!(sum, piece_square[piece.index()][place(us, square, half(king))]);
        }
    }
}

/// The index of a square in the table of a piece.
fn place(color: Color, square: Square, half: usize) -> usize {
    let file = square.file().index();
    let file = if half == 0 { file } else { 7 - file };
    8 * color.relative_rank(square.rank()).index() + file
}

/// The index of a square in the table of the king.
fn king_place(color: Color, square: Square) -> usize {
    4 * color.relative_rank(square.rank()).index() + square.file().edge_distance()
}

/// Material plus placement by colour, piece, square and half of the own king.
static PLACED: [[[[Tapered; 2]; Square::COUNT]; Piece::COUNT]; 2] = {
    let mut placed = [[[[Tapered::ZERO; 2]; Square::COUNT]; Piece::COUNT]; 2];
    let mut square = 0;
    while square < Square::COUNT {
        let folded = File::new(square).edge_distance();
        let mut piece = 0;
        while piece < Piece::COUNT {
            let mut half = 0;
            while half < 2 {
                let value = if piece < Piece::King as usize {
                    let place = if half == 0 { square } else { square ^ 7 };
                    WEIGHTS.material[piece].plus(WEIGHTS.piece_square[piece][place])
                } else {
                    WEIGHTS.king_square[4 * (square / 8) + folded]
                };
                placed[Color::White as usize][piece][square][half] = value;
                placed[Color::Black as usize][piece][square ^ 56][half] = value;
                half += 1;
            }
            piece += 1;
        }
        square += 1;
    }
    placed
};
