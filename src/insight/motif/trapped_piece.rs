//! A piece is attacked, cannot escape, and is taken.

use crate::chess::{Piece, Square, State};
use crate::insight::exchange::{attackers, is_in_danger, points_on};
use crate::insight::line::Line;

/// After the move a piece that is neither pinned nor in the way of a check stands in danger,
/// each of its moves loses it or too little is taken for it, and the next move takes it.
pub fn find(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let state = &line.states()[ply + 1];
    let answer = *line.moves().get(ply + 1)?;
    let (before, next) = line.next_attack(ply)?;
    if state.in_check() || before.piece_on(next.to()).is_none() {
        return None;
    }
    let trapped = if answer.to() == next.to() { answer.from() } else { next.to() };
    let escapes = !matches!(state.piece_on(trapped), None | Some(Piece::Pawn | Piece::King));
    let defender = state.side_to_move();
    let is_piece = escapes && state.color_on(trapped) == Some(defender);
    if !is_piece
        || attackers(state, line.attacker(), trapped).is_empty()
        || state.pinned().contains(trapped)
    {
        return None;
    }
    let mut passed = *state;
    passed.make_null();
    let lost = is_in_danger(&passed, trapped) && !has_safe_move(state, trapped);
    lost.then(|| (next.from(), vec![trapped]))
}

/// Whether the piece has a move after which it is not in danger, or that takes a piece of its
/// rank.
fn has_safe_move(state: &State, from: Square) -> bool {
    state.legal_moves().iter().filter(|m| m.from() == from).any(|&m| {
        if points_on(state, m.to()) >= points_on(state, from) {
            return true;
        }
        let mut after = *state;
        after.make(m, &mut ());
        !is_in_danger(&after, m.to())
    })
}
