//! A piece must leave a line, and one of less value behind it falls.

use crate::chess::{Piece, Square, attacks, see};
use crate::insight::exchange::{attacks_from, points, points_on};
use crate::insight::line::Line;

/// The piece in front leaves, and the next move takes the one behind it at a profit.
pub fn find(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let (state, m) = (&line.states()[ply + 1], line.moves()[ply]);
    let from = m.to();
    let answer = *line.moves().get(ply + 1)?;
    let (before, next) = line.next_attack(ply)?;
    let (front, back) = (answer.from(), next.to());
    let slides = matches!(state.piece_on(from), Some(Piece::Bishop | Piece::Rook | Piece::Queen));
    let on_ray = attacks::between(from, back) & state.occupied() == front.bitboard()
        && attacks_from(state, from).contains(front);
    let more_than_pawn = points_on(state, back) > points(Piece::Pawn);
    let is_smaller = more_than_pawn && points_on(state, back) < points_on(state, front);
    let ours_behind = state.color_on(back) == Some(line.attacker());
    let collects = next.from() == from && see::see_at_least(before, next, 1);
    (slides && on_ray && is_smaller && !ours_behind && collects).then(|| (from, vec![front, back]))
}
