//! How much of an endgame advantage can be turned into a win.
//!
//! The factor shrinks the endgame half of the score, out of [`FULL_SCALE`]. It is
//! asked for the side that stands better there.

use crate::chess::{Bitboard, Color, File, Piece, Rank, Square};
use crate::eval::context::Context;
use crate::eval::tapered::FULL_SCALE;

/// The scale if `strong` is the side that stands better in the endgame.
pub(super) fn factor(context: &Context, strong: Color) -> i32 {
    let state = context.state;
    let pawns = state.colored(strong, Piece::Pawn);
    if pawns.is_empty() {
        return pawnless(context, strong);
    }
    if wrong_rook_pawn(context, strong) {
        return 0;
    }
    if opposite_bishops(context) {
        let bishops_only = Color::ALL.into_iter().all(|side| units(context, side) == 3);
        return if bishops_only { 20 + 3 * context.passed(strong).len() as i32 } else { 46 };
    }
    // Few pawns are few chances to queen one.
    FULL_SCALE.min(40 + 6 * pawns.len() as i32)
}

/// Material other than pawns in the usual small numbers: 3, 3, 5, 9.
fn units(context: &Context, side: Color) -> u32 {
    let count = |piece| context.state.colored(side, piece).len();
    3 * (count(Piece::Knight) + count(Piece::Bishop))
        + 5 * count(Piece::Rook)
        + 9 * count(Piece::Queen)
}

/// Without pawns a minor piece more does not win, and less than a rook never.
fn pawnless(context: &Context, strong: Color) -> i32 {
    let own = units(context, strong);
    let enemy = units(context, !strong);
    if own > enemy + 3 {
        FULL_SCALE
    } else if own < 5 {
        0
    } else if enemy <= 3 {
        4
    } else {
        14
    }
}

fn opposite_bishops(context: &Context) -> bool {
    let bishops = Color::ALL.map(|side| context.state.colored(side, Piece::Bishop));
    let light = |set: Bitboard| set.intersects(Bitboard::LIGHT_SQUARES);
    bishops.iter().all(|set| set.len() == 1) && light(bishops[0]) != light(bishops[1])
}

/// Only pawns on one rook file, at most bishops that cannot drive a king out of
/// their corner beside them, and the king is there.
fn wrong_rook_pawn(context: &Context, strong: Color) -> bool {
    let state = context.state;
    let pawns = state.colored(strong, Piece::Pawn);
    let bishops = state.colored(strong, Piece::Bishop);
    let only_bishops = units(context, strong) == 3 * bishops.len();
    if !only_bishops {
        return false;
    }
    [File::A, File::H].into_iter().any(|file| {
        let corner = Square::at(file, strong.relative_rank(Rank::Eighth));
        let shade = if Bitboard::LIGHT_SQUARES.contains(corner) {
            Bitboard::LIGHT_SQUARES
        } else {
            Bitboard::DARK_SQUARES
        };
        pawns.is_subset(file.bitboard())
            && !bishops.intersects(shade)
            && state.king(!strong).distance(corner) <= 1
    })
}
