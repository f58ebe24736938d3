//! Material imbalance.
//!
//! The values of the pieces are summed up by [`Accumulator`](crate::eval::Accumulator); the
//! terms here depend on the other pawns and pieces: the bishop pair, and knights, rooks and
//! queens (L. Kaufman, "The evaluation of material imbalances", 1999).

use crate::chess::Piece;
use crate::eval::context::EvalContext;
use crate::eval::trace::{TermSum, Tracer, add};

/// The number of own pawns without an adjustment.
const USUAL_PAWNS: i32 = 5;

#[inline(always)]
pub(super) fn score<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let state = context.state;
    let own = |piece| state.colored(us, piece).len() as i32;
    let enemy = |piece| state.colored(!us, piece).len() as i32;
    let (pawns, knights, bishops) = (own(Piece::Pawn), own(Piece::Knight), own(Piece::Bishop));
    let (rooks, queens) = (own(Piece::Rook), own(Piece::Queen));
    let enemy_minors = enemy(Piece::Knight) + enemy(Piece::Bishop);

    let pair = i32::from(bishops >= 2);
    add!(sum, bishop_pair * pair);
    add!(
        sum,
        bishop_pair_pawns * pair * (state.pieces(Piece::Pawn).len() as i32 - 2 * USUAL_PAWNS)
    );
    add!(sum, knight_pawns * knights * (pawns - USUAL_PAWNS));
    add!(sum, rook_pawns * rooks * (pawns - USUAL_PAWNS));
    let blocked = state.colored(us, Piece::Pawn) & state.colored(!us, Piece::Pawn).backward(us);
    for (piece, number) in [knights, bishops, rooks].into_iter().enumerate() {
        add!(sum, closed_position[piece] * number * blocked.len() as i32);
    }
    add!(sum, rook_pair * i32::from(rooks >= 2));
    add!(sum, rook_beside_queen * rooks * queens);
    add!(sum, minor_beside_queen * (knights + bishops) * queens);
    add!(sum, queen_against_rooks * queens * enemy(Piece::Rook));
    add!(sum, queen_against_minors * queens * enemy_minors);
    add!(sum, rook_against_minors * rooks * enemy_minors);
}
