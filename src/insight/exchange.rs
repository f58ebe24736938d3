//! What exchanges are worth: attackers, points and safety of pieces.

use crate::chess::{Bitboard, Color, Move, Piece, Square, State, attacks, see};

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
fn wins_on(state: &State, square: Square) -> bool {
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

/// The position after a pass of the side to move, which must not be in check.
pub fn passed(state: &State) -> State {
    let mut passed = *state;
    passed.make_null();
    passed
}

/// How far exchanges are followed, in plies.
const MAX_EXCHANGE: usize = 6;

/// The material of `side`, and minus the material of the other side, in points, if both take
/// and promote while they gain by it, and answer checks.
pub fn after_exchanges(state: &State, side: Color) -> i32 {
    let points = exchanges(state, -i32::MAX, i32::MAX, MAX_EXCHANGE);
    if state.side_to_move() == side { points } else { -points }
}

/// Whether the side to move has at least this material by such exchanges.
pub fn exchanges_reach(state: &State, points: i32) -> bool {
    exchanges(state, points - 1, points, MAX_EXCHANGE) >= points
}

/// Whether a side has at least this material, whatever exchanges follow: after its next move, if it
/// is to move.
pub fn keeps_material(state: &State, side: Color, points: i32) -> bool {
    let keeps = |state: &State| !exchanges_reach(state, 1 - points);
    if state.side_to_move() == side {
        state.legal_moves().iter().any(|&m| keeps(&state.after(m)))
    } else {
        keeps(state)
    }
}

/// The material of the side to move after exchanges, within a window (alpha-beta).
fn exchanges(state: &State, alpha: i32, beta: i32, plies: usize) -> i32 {
    let standing = material(state, state.side_to_move());
    let moves = state.legal_moves();
    if plies == 0 || moves.is_empty() {
        return standing;
    }
    let in_check = state.in_check();
    let mut best = if in_check { -i32::MAX } else { standing };
    let is_wanted = |m: Move| in_check || state.captured(m).is_some() || m.is_promotion();
    for m in moves.iter().copied().filter(|&m| is_wanted(m)) {
        let alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
        let next = state.after(m);
        best = best.max(-exchanges(&next, -beta, -alpha, plies - 1));
    }
    best
}

/// The material of one side less the material of the other, in points.
pub fn material(state: &State, color: Color) -> i32 {
    let sum = |color| -> u32 {
        Piece::ALL.into_iter().map(|piece| piece.points() * state.colored(color, piece).len()).sum()
    };
    sum(color) as i32 - sum(!color) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn exchanges_end_when_they_cost() {
        for (fen, points) in [
            // The knight is loose, defended, and defended by a queen that a pawn attacks.
            ("4k3/8/8/3n4/8/8/3R4/4K3 w - - 0 1", 5),
            ("4k3/8/2p5/3n4/8/8/3R4/4K3 w - - 0 1", 1),
            ("4k3/8/3q4/2Pn4/8/8/3R4/4K3 w - - 0 1", 3),
            // A pawn promotes; a check must be answered.
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 9),
            ("4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", 0),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(after_exchanges(&position, Color::White), points, "{fen}");
            assert_eq!(after_exchanges(&position, Color::Black), -points, "{fen}");
        }
    }
}
