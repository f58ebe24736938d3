//! A piece attacks two others at once, and one of them falls.

use crate::chess::{Piece, Square};
use crate::insight::exchange::{attackers, attacks_from, is_in_danger, points, points_on};
use crate::insight::line::Line;

/// The forking piece is safe. A target is the king, or worth more, or undefended and no
/// danger to the forking piece. The next move takes a target.
pub fn find(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
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
    let (before, next) = line.next_attack(ply)?;
    let collects = targets.contains(&next.to()) && points_on(before, next.to()) > 0;
    (targets.len() >= 2 && collects).then_some((from, targets))
}
