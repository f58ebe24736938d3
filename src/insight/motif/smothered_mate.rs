//! Mate by a knight of a king that its own pieces surround.

use crate::chess::{Piece, Square, attacks};
use crate::insight::line::Line;

/// Only a knight gives check, and all squares round the king are taken by its own side.
pub fn find(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
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
