//! How much of an endgame advantage can be turned into a win.
//!
//! The factor shrinks the endgame half of the score, out of [`FULL_SCALE`]. It is
//! asked for the side that stands better there. The numbers come from comparing
//! scores with results of games, class by class; defences that have a name are in
//! [`fortress`].

mod fortress;

use crate::chess::{Bitboard, Color, Piece, State};
use crate::eval::context::EvalContext;
use crate::eval::tapered::{FULL_FIFTY_MOVE_SCALE, FULL_SCALE};
use crate::tablebase::egtb::pawn_wins;

/// The scale if `strong` is the side that stands better in the endgame.
pub(super) fn factor(context: &EvalContext, strong: Color) -> i32 {
    let state = context.state;
    let pawns = state.colored(strong, Piece::Pawn);
    let count = pawns.len() as i32;
    if pawns.is_empty() {
        return pawnless(context, strong);
    }
    if let Some(scale) = fortress::wrong_rook_pawn(state, strong) {
        return scale;
    }
    if count == 1
        && let Some(scale) = fortress::factor(state, strong)
    {
        return scale;
    }
    let pieces = Color::ALL.map(|side| units(context, side));
    if opposite_bishops(context) {
        return if pieces == [3, 3] { (11 * count - 6).min(38) } else { (30 + 5 * count).min(50) };
    }
    if pieces == [0, 0] {
        return pawn_ending(context, strong);
    }
    // Few pawns are few chances to queen one, and on one wing the defender's
    // pieces have only one place to be.
    if on_both_flanks(state.pieces(Piece::Pawn)) {
        (38 + 4 * count).min(FULL_SCALE)
    } else {
        (14 + 14 * count).min(48)
    }
}

/// Of several pawns one usually queens. Of a single one it is known whether it
/// would against the bare king: the enemy's pawns make a win harder, but a draw
/// hardly ever worse.
fn pawn_ending(context: &EvalContext, strong: Color) -> i32 {
    let pawns = context.state.colored(strong, Piece::Pawn);
    if pawns.more_than_one() {
        FULL_SCALE
    } else if pawn_wins(context.state, strong, pawns.lowest()) {
        28
    } else {
        2
    }
}

/// What is left of a score as the fifty-move rule comes nearer: an advantage that
/// has changed nothing for long is hard to use. The first moves take nothing away:
/// otherwise positions that differ in the order of moves alone, which the
/// transposition table takes for the same, would differ in score.
#[inline]
pub(super) fn fifty_move_scale(state: &State) -> i32 {
    const PATIENCE: i32 = 12;
    FULL_FIFTY_MOVE_SCALE - (i32::from(state.halfmove_clock()) - PATIENCE).clamp(0, 100 - PATIENCE)
}

/// Whether some of the pawns are on the queen's wing and some on the king's.
#[inline]
pub(super) fn on_both_flanks(pawns: Bitboard) -> bool {
    pawns.intersects(Bitboard::QUEEN_FLANK) && pawns.intersects(Bitboard::KING_FLANK)
}

/// Material other than pawns in the usual small numbers: 3, 3, 5, 9.
fn units(context: &EvalContext, side: Color) -> u32 {
    let count = |piece| context.state.colored(side, piece).len();
    3 * (count(Piece::Knight) + count(Piece::Bishop))
        + 5 * count(Piece::Rook)
        + 9 * count(Piece::Queen)
}

/// Without pawns a minor piece more does not win, less than a rook never, and a
/// lone rook seldom.
fn pawnless(context: &EvalContext, strong: Color) -> i32 {
    let own = units(context, strong);
    let lead = own - units(context, !strong).min(own);
    if own < 5 {
        0
    } else if lead <= 3 {
        4
    } else if own == 5 {
        20
    } else if lead <= 6 {
        12
    } else {
        // Won or not, such endings are hard; the pieces are worth much as it is.
        28
    }
}

fn opposite_bishops(context: &EvalContext) -> bool {
    let bishops = Color::ALL.map(|side| context.state.colored(side, Piece::Bishop));
    let light = |set: Bitboard| set.intersects(Bitboard::LIGHT_SQUARES);
    bishops.iter().all(|set| set.len() == 1) && light(bishops[0]) != light(bishops[1])
}
