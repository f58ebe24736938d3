//! The part of the evaluation that follows the pieces as they move.
//!
//! Material and placement depend on one piece at a time. [`Accumulator`] keeps
//! their sum up to date through [`Observer`]: the board tells it of every piece
//! that appears or leaves, and knows nothing of evaluation itself.

use crate::chess::{Color, Observer, Piece, Square, State};
use crate::eval::passed::folded_file;
use crate::eval::tapered::{FULL_PHASE, Tapered};
use crate::eval::trace::{Tally, Tracer, add};
use crate::eval::weights::WEIGHTS;

/// What a piece counts towards the middlegame.
const PHASE: [i32; Piece::COUNT] = [0, 1, 1, 2, 4, 0];

/// Material and placement from White's side, and the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Accumulator {
    score: Tapered,
    phase: i32,
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
    pub(super) fn score(&self) -> Tapered {
        self.score
    }

    /// From 0, with kings and pawns only, to [`FULL_PHASE`].
    #[inline]
    pub fn phase(&self) -> i32 {
        // Promotions may lead beyond the full set.
        self.phase.min(FULL_PHASE)
    }
}

impl Observer for Accumulator {
    #[inline]
    fn added(&mut self, color: Color, piece: Piece, square: Square) {
        self.score += PLACED[color.index()][piece.index()][square.index()];
        self.phase += PHASE[piece.index()];
    }

    #[inline]
    fn removed(&mut self, color: Color, piece: Piece, square: Square) {
        self.score -= PLACED[color.index()][piece.index()][square.index()];
        self.phase -= PHASE[piece.index()];
    }
}

/// Counts the terms that an [`Accumulator`] sums up, for a tracer.
pub(super) fn count<T: Tracer>(state: &State, tally: &mut Tally<'_, T>) {
    for piece in Piece::ALL {
        for square in state.colored(tally.color, piece) {
            if piece != Piece::King {
                add!(tally, material[piece.index()]);
            }
            add!(tally, piece_square[piece.index()][place(tally.color, square)]);
        }
    }
}

/// The index of a square in a placement table.
fn place(color: Color, square: Square) -> usize {
    4 * color.relative_rank(square.rank()).index() + folded_file(square)
}

/// Material plus placement of each colour, piece and square, White's positive.
static PLACED: [[[Tapered; Square::COUNT]; Piece::COUNT]; 2] = {
    let mut placed = [[[Tapered::ZERO; Square::COUNT]; Piece::COUNT]; 2];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let material =
            if piece < Piece::King as usize { WEIGHTS.material[piece] } else { Tapered::ZERO };
        let mut square = 0;
        while square < Square::COUNT {
            let file = if square % 8 < 4 { square % 8 } else { 7 - square % 8 };
            let value = material.plus(WEIGHTS.piece_square[piece][4 * (square / 8) + file]);
            placed[Color::White as usize][piece][square] = value;
            placed[Color::Black as usize][piece][square ^ 56] = value.negated();
            square += 1;
        }
        piece += 1;
    }
    placed
};
