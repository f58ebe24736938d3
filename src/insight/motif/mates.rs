//! Patterns of mate.

use crate::chess::{Piece, Rank, Square, attacks};
use crate::insight::exchange::attackers;
use crate::insight::line::Line;

/// Mate on the first rank of a king that its own pawns or pieces hold there.
///
/// A rook or queen gives mate along the rank. Before the king stand only its own pieces, and
/// the attacker reaches none of their squares.
pub fn back_rank(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
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

/// Mate by a knight of a king that its own pieces surround.
///
/// Only a knight gives check, and all squares round the king are taken by its own side.
pub fn smothered(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let state = &line.states()[ply + 1];
    let defender = !line.attacker();
    let king = state.king(defender);
    let by = state.checkers().first()?;
    let is_smothered = state.is_checkmate()
        && !state.checkers().more_than_one()
        && state.piece_on(by) == Some(Piece::Knight)
        && attacks::king(king).is_subset(state.color(defender));
    is_smothered.then(|| (by, vec![king]))
}
