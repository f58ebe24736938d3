//! Passed pawns: rank, path, kings, rooks and neighbours (after Stockfish 11 and Ethereal).
//!
//! What depends on the pawns alone is part of the cached
//! [`PawnStructure`](crate::eval::pawns::PawnStructure).

use crate::chess::{Bitboard, Color, Piece, Rank, Square, State, attacks};
use crate::eval::context::EvalContext;
use crate::eval::pawns::Pawns;
use crate::eval::trace::{TermSum, Tracer, add};

/// The weight of the kings' distances by the rank of the pawn.
const KING_URGENCY: [i32; 8] = [0, 0, 0, 1, 2, 4, 6, 0];

/// The terms of the passed pawns of a side that depend on the pawns alone.
pub(super) fn among_pawns<T: Tracer>(pawns: &Pawns, sum: &mut TermSum<'_, T>) {
    let protected = pawns.own.pawn_attacks(Pawns::US);
    for pawn in pawns.passed {
        let rank = pawn.rank().index();
        add!(sum, passed[rank]);
        add!(sum, passed_file[pawn.file().edge_distance()]);

        let bit = pawn.bitboard();
        let supporters = (bit | bit.backward(Pawns::US)).beside();
        if supporters.intersects(pawns.passed) {
            add!(sum, passed_connected[rank]);
        }
        if protected.contains(pawn) {
            add!(sum, passed_protected[rank]);
        }
        let beside = bit.file_fill().beside();
        let near = bit.file_fill() | beside | beside.beside();
        if !(pawns.own | pawns.enemy).without(bit).intersects(near) {
            add!(sum, passed_outside);
        }
    }
}

/// The terms that depend on other pieces too: of pawns from the fourth rank on.
#[inline(always)]
pub(super) fn score<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let passed = context.passed(us);
    if passed.is_empty() {
        return;
    }
    let low = us.relative_ranks([Rank::Second, Rank::Third]);
    for pawn in passed.without(low) {
        pawn_score(context, sum, pawn);
    }
    if context.state.is_pawn_ending() {
        add!(sum, passed_unstoppable * i32::from(unstoppable(context.state, us, passed)));
    }
}

#[inline(always)]
fn pawn_score<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>, pawn: Square) {
    let us = sum.color;
    let them = !us;
    let (state, map) = (context.state, &context.attacks);
    let rank = us.relative_rank(pawn.rank()).index();
    let bit = pawn.bitboard();
    let step = pawn.forward(us);
    let urgency = KING_URGENCY[rank];
    add!(sum, passed_own_king[state.king(us).distance(step) as usize & 7] * urgency);
    add!(sum, passed_enemy_king[state.king(them).distance(step) as usize & 7] * urgency);

    let behind = bit.forward_fill(them);
    let rooks = state.pieces(Piece::Rook) & behind & attacks::rook(pawn, state.occupied());
    let chasing = rooks & state.color(them);
    add!(sum, passed_rook_behind * (rooks & state.color(us)).len());
    add!(sum, passed_rook_chasing * chasing.len());

    let path = bit.forward_fill(us);
    let held_up = path & (map.all(them) | state.color(them));
    if held_up.any() && held_up.is_subset(map.all(us)) {
        add!(sum, passed_defended_path[rank]);
    }
    if state.occupied().contains(step) {
        add!(sum, passed_blocked[rank]);
    } else {
        // A rook behind the pawn attacks the whole path once the pawn moves on.
        if chasing.is_empty() && held_up.is_empty() {
            add!(sum, passed_free_path[rank]);
        } else if !map.all(them).contains(step) {
            add!(sum, passed_free_step[rank]);
        }
    }
    if map.all(us).contains(step) {
        add!(sum, passed_escorted[rank]);
    }
}

/// Whether one of the `passed` pawns of `us` queens without help against a king and pawns:
/// the king is outside the square of the pawn, and the path is empty (Chess Programming Wiki,
/// "Rule of the Square").
fn unstoppable(state: &State, us: Color, passed: Bitboard) -> bool {
    let them = !us;
    let tempo = u8::from(state.side_to_move() == them);
    passed.iter().any(|pawn| {
        let path = pawn.bitboard().forward_fill(us);
        let goal = path.most_advanced(us);
        // A pawn at home may step twice.
        let moves = goal.distance(pawn).min(5);
        !path.intersects(state.occupied()) && state.king(them).distance(goal) > moves + tempo
    })
}
