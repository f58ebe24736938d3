//! What exchanges are worth: attackers, points and safety of pieces.

use crate::chess::{Bitboard, Color, Piece, Square, State, attacks, see};

/// The points of a piece, by which exchanges are called good or bad. The king is above all.
pub fn points(piece: Piece) -> u32 {
    if piece == Piece::King { 99 } else { piece.points() }
}

/// The points of the piece on a square, 0 if it is empty.
pub fn points_on(state: &State, square: Square) -> u32 {
    state.piece_on(square).map_or(0, points)
}

/// Squares that the piece on `from` attacks.
pub fn attacks_from(state: &State, from: Square) -> Bitboard {
    match (state.piece_on(from), state.color_on(from)) {
        (Some(Piece::Pawn), Some(color)) => attacks::pawn(color, from),
        (Some(piece), _) => attacks::piece(piece, from, state.occupied()),
        (None, _) => Bitboard::EMPTY,
    }
}

/// Pieces of one side that attack a square, pinned ones too.
pub fn attackers(state: &State, by: Color, square: Square) -> Bitboard {
    state.attackers_to(square, state.occupied()) & state.color(by)
}

/// Whether the side to move wins material by a capture on `square`.
pub fn wins_on(state: &State, square: Square) -> bool {
    state
        .legal_moves()
        .iter()
        .any(|&m| m.to() == square && !m.is_castle() && see::see_at_least(state, m, 1))
}

/// Whether the side to move can take the piece on `square`, or drive it away, at a profit:
/// it is attacked, and either undefended, attacked by a piece worth less, or lost in the
/// exchange.
pub fn is_in_danger(state: &State, square: Square) -> bool {
    let attacker = state.side_to_move();
    let attackers = attackers(state, attacker, square);
    attackers.any()
        && (self::attackers(state, !attacker, square).is_empty()
            || attackers.iter().any(|from| points_on(state, from) < points_on(state, square))
            || wins_on(state, square))
}

/// The material of one side less the material of the other, in points.
pub fn material(state: &State, color: Color) -> i32 {
    let sum = |color| -> u32 {
        Piece::ALL.into_iter().map(|piece| piece.points() * state.colored(color, piece).len()).sum()
    };
    sum(color) as i32 - sum(!color) as i32
}
