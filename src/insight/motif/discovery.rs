//! A piece leaves a line, and the slider behind it attacks.

use crate::chess::{Piece, Square, State, attacks};
use crate::insight::exchange::attacks_from;
use crate::insight::line::Line;

/// The slider behind the moved piece attacks a piece, and takes it with the next move.
pub fn find_attack(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let (_, next) = line.next_attack(ply)?;
    discoveries(line, ply)
        .find(|&(slider, target)| {
            let victim = line.states()[ply + 1].piece_on(target);
            victim.is_some_and(|piece| !matches!(piece, Piece::Pawn | Piece::King))
                && next.from() == slider
                && next.to() == target
        })
        .map(|(slider, target)| (slider, vec![target]))
}

/// The slider behind the moved piece gives check.
pub fn find_check(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let king = line.states()[ply + 1].king(!line.attacker());
    discoveries(line, ply)
        .find(|&(_, target)| target == king)
        .map(|(slider, target)| (slider, vec![target]))
}

/// Two pieces give check at once.
pub fn find_double_check(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let state = &line.states()[ply + 1];
    let king = state.king(!line.attacker());
    state.checkers().more_than_one().then(|| (line.moves()[ply].to(), vec![king]))
}

/// The sliders that attack past the origin of the move, each with a piece that it attacks
/// now.
fn discoveries(line: &Line, ply: usize) -> impl Iterator<Item = (Square, Square)> {
    let (before, after) = (&line.states()[ply], &line.states()[ply + 1]);
    let m = line.moves()[ply];
    sliders(line, before).filter(move |&slider| slider != m.from() && !m.is_castle()).flat_map(
        move |slider| {
            let new = attacks_from(after, slider).without(attacks_from(before, slider));
            let targets = new & after.color(!line.attacker());
            targets
                .iter()
                .filter(move |&target| attacks::between(slider, target).contains(m.from()))
                .map(move |target| (slider, target))
        },
    )
}

fn sliders(line: &Line, state: &State) -> impl Iterator<Item = Square> {
    let sliders =
        state.pieces(Piece::Bishop) | state.pieces(Piece::Rook) | state.pieces(Piece::Queen);
    (sliders & state.color(line.attacker())).iter()
}
