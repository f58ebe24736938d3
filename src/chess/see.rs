//! Static exchange evaluation: what a capture wins when both sides keep capturing on one
//! square with their least valuable piece (as Stockfish's `see_ge`).

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::color::Color;
use crate::chess::moves::Move;
use crate::chess::piece::Piece;
use crate::chess::position::State;

/// The values of pawn, knight, bishop, rook, queen and king in an exchange, in
/// centipawns. The king has no value because it is never captured.
const VALUES: [i32; Piece::COUNT] = [100, 320, 330, 500, 950, 0];

/// What a piece is worth in an exchange, in centipawns.
#[inline]
pub fn value(piece: Piece) -> i32 {
    VALUES[piece.index()]
}

/// Whether a legal move and the exchange that follows on its destination gain
/// at least `threshold` centipawns for the mover.
///
/// The exchange ends as soon as the sign of the balance is known. Pieces pinned to their
/// king do not take part while their pinner stands.
///
/// ```
/// use lovec::chess::{Position, notation::san, see::see_at_least};
/// let position = Position::from_fen("4k3/8/3p4/4n3/8/5N2/8/4K3 w - - 0 1").unwrap();
/// let capture = san::parse(&position, "Nxe5").unwrap();
/// assert!(see_at_least(&position, capture, 0));
/// assert!(!see_at_least(&position, capture, 1));
/// ```
pub fn see_at_least(state: &State, m: Move, threshold: i32) -> bool {
    if m.is_castle() {
        return threshold <= 0;
    }
    let (from, to) = (m.from(), m.to());
    let captured = state.captured(m).map_or(0, value);
    let (gain, on_square) = match m.promotion() {
        Some(piece) => (captured + value(piece) - value(Piece::Pawn), piece),
        None => (captured, state.moved_piece(m)),
    };

    // The best case: the piece is not taken back.
    let balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    // The worst case: it is lost for nothing more.
    let balance = value(on_square) - balance;
    if balance <= 0 {
        return true;
    }
    let mut occupied = state.occupied().without(from.bitboard()).with(to);
    if m.is_en_passant() {
        occupied = occupied.without(to.backward(state.side_to_move()).bitboard());
    }
    exchange(state, m, balance, occupied)
}

/// Follows the captures on the destination of `m` after it was made. `balance`
/// is what the side to move is behind if it stops capturing now.
fn exchange(state: &State, m: Move, mut balance: i32, mut occupied: Bitboard) -> bool {
    let to = m.to();
    let queens = state.pieces(Piece::Queen);
    let diagonal = state.pieces(Piece::Bishop) | queens;
    let straight = state.pieces(Piece::Rook) | queens;
    let mut pins = [None; 2];

    let mut side = state.side_to_move();
    let mut wins = true;
    let mut attackers = state.attackers_to(to, occupied);
    loop {
        side = !side;
        attackers &= occupied;
        let mut ours = attackers & state.color(side);
        if ours.is_empty() {
            return wins;
        }
        // Few attackers stand on a line with their king.
        if ours.intersects(attacks::queen_rays(state.king(side))) {
            let (shields, pinners) =
                *pins[side.index()].get_or_insert_with(|| pin_shields(state, side));
            if pinners.intersects(occupied) {
                ours = ours.without(shields);
            }
        }
        let Some((piece, set)) = least_valuable(state, ours) else { return wins };
        wins = !wins;
        if piece == Piece::King {
            // The king may take only if nothing can take it back.
            let refuted = attackers.without(state.color(side)).any();
            return if refuted { !wins } else { wins };
        }
        // Negamax of the two stand-pat choices, one move on.
        balance = value(piece) - balance;
        if balance < i32::from(wins) {
            return wins;
        }
        occupied ^= set.lowest().bitboard();
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= attacks::rook(to, occupied) & straight;
        }
    }
}

#[inline]
fn least_valuable(state: &State, attackers: Bitboard) -> Option<(Piece, Bitboard)> {
    Piece::ALL
        .into_iter()
        .map(|piece| (piece, attackers & state.pieces(piece)))
        .find(|(_, set)| set.any())
}

/// The pieces of `color` that shield their king from a slider, and those sliders.
fn pin_shields(state: &State, color: Color) -> (Bitboard, Bitboard) {
    let king = state.king(color);
    let (mut shields, mut pinners) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for sniper in state.snipers(king, !color) {
        let between = attacks::between(king, sniper) & state.occupied();
        if !between.more_than_one() && between.intersects(state.color(color)) {
            shields |= between;
            pinners |= sniper.bitboard();
        }
    }
    (shields, pinners)
}
