//! The first move takes a piece that nothing defends.

use crate::chess::{Piece, Square};
use crate::insight::exchange::{attackers, material, points};
use crate::insight::line::Line;

/// The piece is no pawn, the capture does not end an even exchange, and what was won is
/// still won after the next move.
pub fn find(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let (state, m) = (&line.states()[ply], line.moves()[ply]);
    let attacker = line.attacker();
    let victim = state.captured(m).filter(|&piece| piece != Piece::Pawn)?;
    let retakes = line.previous().is_some_and(|(before, previous)| {
        let taken = before.captured(*previous);
        previous.to() == m.to() && taken.is_some_and(|taken| points(taken) >= points(victim))
    });
    let defended = attackers(state, !attacker, m.to()).any();
    if ply > 0 || retakes || defended || line.states()[1].is_checkmate() {
        return None;
    }
    let kept = line.states().get(3).is_none_or(|later| {
        material(later, attacker) - material(state, attacker) >= points(victim) as i32
    });
    kept.then(|| (m.to(), vec![m.to()]))
}
