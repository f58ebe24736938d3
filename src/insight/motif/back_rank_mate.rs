//! Mate on the first rank of a king that its own pawns or pieces hold there.

use crate::chess::{Piece, Rank, Square};
use crate::insight::exchange::attackers;
use crate::insight::line::Line;

/// A rook or queen gives mate along the rank. Before the king stand only its own pieces, and
/// the attacker reaches none of their squares.
pub fn find(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let state = &line.states()[ply + 1];
    let (attacker, defender) = (line.attacker(), !line.attacker());
    let king = state.king(defender);
    let back_rank = defender.relative_rank(Rank::First);
    if king.rank() != back_rank || !state.is_checkmate() {
        return None;
    }
    let checker = state.checkers().iter().find(|checker| {
        checker.rank() == back_rank
            && matches!(state.piece_on(*checker), Some(Piece::Rook | Piece::Queen))
    })?;
    let in_front = (king.bitboard() | king.bitboard().beside()).forward(defender);
    let shut_in = in_front.is_subset(state.color(defender))
        && in_front.iter().all(|square| attackers(state, attacker, square).is_empty());
    shut_in.then(|| (checker, vec![king]))
}
