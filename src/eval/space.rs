//! Room to manoeuvre behind the own pawns in the centre, and the centre itself.

use crate::chess::{Bitboard, Piece};
use crate::eval::context::{EvalContext, own_rank};
use crate::eval::trace::{TermSum, Tracer, add};

const CENTRE_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

#[inline(always)]
pub(super) fn score<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let them = !us;
    let (state, map) = (context.state, &context.attacks);
    let pawns = state.colored(us, Piece::Pawn);
    let area = CENTRE_FILES & (own_rank(us, 1) | own_rank(us, 2) | own_rank(us, 3));
    let safe = area.without(pawns | map.by(them, Piece::Pawn));
    let behind = (pawns.forward_fill(them) & safe).without(map.all(them));
    let room = safe.len() + behind.len();
    add!(sum, space * room);
    add!(sum, space_for_pieces * room * context.non_pawns(us).len() / 8);
    add!(sum, centre_attacked * (map.all(us) & CENTRE).len());
}
