//! Motifs by which a piece falls.

use crate::chess::{Piece, Square, State, see};
use crate::insight::exchange::{attackers, attacks_from, is_in_danger, passed, points, points_on};
use crate::insight::line::Line;

/// A piece attacks two others at once, and one of them falls.
///
/// The forking piece is safe. A target is the king, or worth more, or undefended and no
/// danger to the forking piece. One of the next two moves takes a target, wherever it went.
pub fn fork(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let (state, m) = (&line.states()[ply + 1], line.moves()[ply]);
    let from = m.to();
    let piece = state.piece_on(from).filter(|&piece| piece != Piece::King)?;
    let defender = !line.attacker();
    if m.is_castle() || is_in_danger(state, from) {
        return None;
    }
    let is_target = |&square: &Square| match state.piece_on(square) {
        None | Some(Piece::Pawn) => false,
        Some(target) => {
            let harmless = !attackers(state, defender, from).contains(square);
            let undefended = attackers(state, defender, square).is_empty();
            points(target) > points(piece) || undefended && harmless
        }
    };
    let targets = attacks_from(state, from) & state.color(defender);
    let targets: Vec<Square> = targets.iter().filter(is_target).collect();
    let collects = [ply + 2, ply + 4].into_iter().any(|later| {
        let Some(next) = line.moves().get(later) else { return false };
        let is_there = points_on(&line.states()[later], next.to()) > 0;
        let since = line.prefix(later).suffix(ply + 1);
        is_there && targets.contains(&since.origin(next.to()))
    });
    (targets.len() >= 2 && collects).then_some((from, targets))
}

/// A piece is attacked, cannot escape, and is taken.
///
/// After the move a piece that is neither pinned nor in the way of a check stands in danger,
/// each of its moves loses it or too little is taken for it, and the next move takes it.
/// Before the move it was in no danger, or could move; if the line has an earlier move that may
/// have trapped it, it had a safe move.
pub fn trapped_piece(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
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
    let earlier = &line.states()[ply];
    let was_trapped = || {
        let passed = passed(earlier);
        let had_no_move = !passed.legal_moves().iter().any(|m| m.from() == trapped);
        is_in_danger(earlier, trapped) && had_no_move || ply > 0 && !has_safe_move(&passed, trapped)
    };
    let was_trapped = !earlier.in_check() && was_trapped();
    let is_trapped = is_in_danger(&passed(state), trapped) && !has_safe_move(state, trapped);
    (is_trapped && !was_trapped).then(|| (next.from(), vec![trapped]))
}

/// Whether the piece has a move after which it is not in danger, or that takes a piece of its
/// rank.
fn has_safe_move(state: &State, from: Square) -> bool {
    state.legal_moves().iter().filter(|m| m.from() == from).any(|&m| {
        if points_on(state, m.to()) >= points_on(state, from) {
            return true;
        }
        let after = state.after(m);
        !is_in_danger(&after, m.to())
    })
}

/// A defender is forced away from what it defends.
///
/// The piece that moved last was forced to, by a capture or a check that was no even
/// exchange, and no longer guards the square on which the attacker now takes or promotes.
pub fn deflection(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
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

/// A piece is lured to a square where it can be attacked.
///
/// The king, queen or a rook takes on a square, and the next move attacks it there: the king
/// is checked, another piece is taken with the move after that, and not in an even exchange.
pub fn attraction(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let moves = line.moves();
    let lure = moves[ply].to();
    let (state, next) = line.next_attack(ply)?;
    if moves[ply + 1].to() != lure || next.to() == lure {
        return None;
    }
    let attacked = attacks_from(&line.states()[ply + 3], next.to()).contains(lure);
    let collects = match state.piece_on(lure)? {
        Piece::King => true,
        piece @ (Piece::Queen | Piece::Rook) => {
            let takes = moves.get(ply + 4).filter(|m| m.to() == lure);
            let taker = takes.map(|m| line.states()[ply + 4].moved_piece(*m));
            let is_taken_back = moves.get(ply + 5).is_some_and(|m| m.to() == lure);
            taker.is_some_and(|taker| points(taker) < points(piece) || !is_taken_back)
        }
        _ => false,
    };
    (attacked && collects).then(|| (next.to(), vec![lure]))
}
