//! Scales down endgame advantages that are hard to win (as `ScaleFactor` of Stockfish 16).
//!
//! The factor scales the endgame half of the score, out of [`FULL_SCALE`], for the side
//! that is better there. The numbers were fitted to results of games; [`fortress`] has the
//! known defences.

mod fortress;

use crate::chess::{Bitboard, Color, FIFTY_MOVES, Piece, State};
use crate::eval::tapered::{FULL_FIFTY_MOVE_SCALE, FULL_SCALE};
use crate::tablebase::egtb::pawn_wins;

/// The scale if `strong` is the side that stands better in the endgame.
pub(super) fn factor(state: &State, strong: Color) -> i32 {
    let pawns = state.colored(strong, Piece::Pawn);
    let count = pawns.len() as i32;
    if pawns.is_empty() {
        return pawnless(state, strong);
    }
    if let Some(scale) = fortress::wrong_rook_pawn(state, strong) {
        return scale;
    }
    if count == 1
        && let Some(scale) = fortress::factor(state, strong)
    {
        return scale;
    }
    let bare = state.pieces(Piece::Pawn) | state.pieces(Piece::King);
    let pieces = state.occupied().without(bare);
    if opposite_bishops(state) {
        let alone = pieces.is_subset(state.pieces(Piece::Bishop));
        return if alone { (11 * count - 6).min(38) } else { (30 + 5 * count).min(50) };
    }
    if pieces.is_empty() {
        return pawn_ending(state, strong);
    }
    // Fewer pawns and pawns on one flank only are harder to win.
    if on_both_flanks(state.pieces(Piece::Pawn)) {
        (38 + 4 * count).min(FULL_SCALE)
    } else {
        (14 + 14 * count).min(48)
    }
}

/// One of several pawns usually queens. For a single one the endgame table decides, as if
/// the enemy had no pawns.
fn pawn_ending(state: &State, strong: Color) -> i32 {
    let pawns = state.colored(strong, Piece::Pawn);
    if pawns.more_than_one() {
        FULL_SCALE
    } else if pawn_wins(state, strong, pawns.lowest()) {
        28
    } else {
        2
    }
}

/// Scales the score down as a draw by the fifty-move rule comes nearer. The first plies do
/// not count: otherwise transpositions, which share an entry of the transposition table,
/// would differ in score.
#[inline]
pub(super) fn fifty_move_scale(state: &State) -> i32 {
    const FREE_PLIES: i32 = 12;
    let counted = i32::from(state.halfmove_clock()) - FREE_PLIES;
    FULL_FIFTY_MOVE_SCALE - counted.clamp(0, i32::from(FIFTY_MOVES) - FREE_PLIES)
}

/// Whether there are pawns on both flanks.
#[inline]
pub(super) fn on_both_flanks(pawns: Bitboard) -> bool {
    pawns.intersects(Bitboard::QUEEN_FLANK) && pawns.intersects(Bitboard::KING_FLANK)
}

/// The points of the pieces, without pawns.
fn piece_points(state: &State, side: Color) -> u32 {
    let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    pieces.into_iter().map(|piece| state.colored(side, piece).len() * piece.points()).sum()
}

/// Without pawns an extra minor piece rarely wins, and a lone minor piece never.
fn pawnless(state: &State, strong: Color) -> i32 {
    let own = piece_points(state, strong);
    let lead = own - piece_points(state, !strong).min(own);
    if own < 5 {
        0
    } else if lead <= 3 {
        4
    } else if own == 5 {
        20
    } else if lead <= 6 {
        12
    } else {
        // Even won endings of this kind take long, and the pieces already score much.
        28
    }
}

/// Whether each side has one bishop, and only one of them is on light squares.
fn opposite_bishops(state: &State) -> bool {
    let bishops = state.pieces(Piece::Bishop);
    bishops.len() == 2
        && (bishops & state.color(Color::White)).len() == 1
        && (bishops & Bitboard::LIGHT_SQUARES).len() == 1
}
