//! When a node need not be searched, or not fully.

use crate::chess::see::value;
use crate::chess::{Move, Piece, State};
use crate::eval::Score;
use crate::search::params::{
    DELTA_MARGIN, NULL_MOVE_BASE, NULL_MOVE_DEPTH, NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_EVAL_DIVISOR,
    NULL_MOVE_EVAL_MAX, REVERSE_FUTILITY_DEPTH, REVERSE_FUTILITY_MARGIN,
};

/// Reverse futility pruning, also "static null move": near the leaves a side
/// that is far above beta will hardly fall below it with the move in hand. A
/// side that is improving needs less of a lead. Returns the score to fail
/// high with.
#[inline]
pub(super) fn reverse_futility(
    depth: i32,
    eval: Score,
    beta: Score,
    improving: bool,
) -> Option<Score> {
    let margin = REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving));
    let fails_high =
        depth <= REVERSE_FUTILITY_DEPTH && !beta.is_mate() && eval - Score::new(margin) >= beta;
    fails_high.then(|| Score::new((eval.cp() + beta.cp()) / 2))
}

/// Whether to try passing the turn: if even that keeps the score above beta, a
/// move surely would. Not so in zugzwang, which pieces make unlikely
/// (C. Donninger, "Null move and deep search", 1993).
#[inline]
pub(super) fn null_move_may_be_tried(state: &State, depth: i32, eval: Score, beta: Score) -> bool {
    depth >= NULL_MOVE_DEPTH
        && eval >= beta
        && !beta.is_mate()
        && state.has_non_pawn_material(state.side_to_move())
}

/// The depth at which to verify a null move: shallower for deep nodes and for
/// large leads.
#[inline]
pub(super) fn null_move_depth(depth: i32, eval: Score, beta: Score) -> i32 {
    let lead = ((eval - beta).cp() / NULL_MOVE_EVAL_DIVISOR).min(NULL_MOVE_EVAL_MAX);
    depth - NULL_MOVE_BASE - depth / NULL_MOVE_DEPTH_DIVISOR - lead
}

/// Delta pruning in quiescence: what a capture can gain at best, when even that
/// does not reach alpha; otherwise `None`.
#[inline]
pub(super) fn hopeless_capture(
    state: &State,
    m: Move,
    stand_pat: Score,
    alpha: Score,
) -> Option<Score> {
    let victim = state.captured(m).map_or(0, value);
    let promotion = m.promotion().map_or(0, |piece| value(piece) - value(Piece::Pawn));
    let best = stand_pat + Score::new(victim + promotion + DELTA_MARGIN);
    (best <= alpha).then_some(best)
}
