//! Space behind the own centre pawns, and attacks on the centre (after Stockfish 11 and
//! Ethereal).

use crate::chess::{Bitboard, Piece, Rank};
use crate::eval::context::EvalContext;
use crate::eval::trace::{TermSum, Tracer, add};

#[inline(always)]
pub(super) fn score<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let them = !us;
    let (state, map) = (context.state, &context.attacks);
    let pawns = state.colored(us, Piece::Pawn);
    let area =
        Bitboard::CENTRE_FILES & (us.relative_ranks([Rank::Second, Rank::Third, Rank::Fourth]));
    let safe = area.without(pawns | map.by(them, Piece::Pawn));
    let behind = (pawns.forward_fill(them) & safe).without(map.all(them));
    let room = safe.len() + behind.len();
    add!(sum, space * room);
    add!(sum, space_for_pieces * room * context.non_pawns(us).len() / 8);
    add!(sum, centre_attacked * (map.all(us) & Bitboard::CENTRE).len());
}
