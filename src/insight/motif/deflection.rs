//! A defender is forced away from what it defends.

use crate::chess::{Square, see};
use crate::insight::exchange::{attackers, attacks_from, points};
use crate::insight::line::Line;

/// The piece that moved last was forced to, by a capture or a check that was no even
/// exchange, and no longer guards the square on which the attacker now takes or promotes.
pub fn find(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let lure_ply = ply.checked_sub(2)?;
    let (states, moves) = (line.states(), line.moves());
    let (lure, answer, m) = (moves[lure_ply], moves[ply - 1], moves[ply]);
    let (at_lure, at_answer, state) = (&states[lure_ply], &states[ply - 1], &states[ply]);
    let collects = (m.is_capture() || m.is_promotion()) && answer.to() != m.to();
    let left = attacks_from(at_answer, answer.from()).contains(m.to())
        && !attacks_from(state, answer.to()).contains(m.to());
    let forced = answer.to() == lure.to() || at_answer.in_check();
    let exchange = at_lure
        .captured(lure)
        .is_some_and(|taken| points(taken) >= points(at_lure.moved_piece(lure)));
    let guarded =
        attackers(state, !line.attacker(), m.to()).any() && !see::see_at_least(state, m, 1);
    (collects && left && forced && !exchange && !guarded).then(|| (m.to(), vec![answer.to()]))
}
