//! Motifs along the line of a bishop, rook or queen.

use std::cmp::Reverse;

use crate::chess::{Bitboard, Move, Piece, Square, State, attacks, see};
use crate::insight::exchange::{attackers, attacks_from, points, points_on};
use crate::insight::line::Line;

/// A piece may not leave the line between an attacker and its own king.
///
/// A piece is pinned to its king, and that matters: it may not take something worth more or
/// undefended, or the pinning piece attacks it and would win it. Of several, the most
/// valuable one, pinned by the least valuable piece; of equals, the foremost.
pub fn pin(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let state = &line.states()[ply + 1];
    let attacker = line.attacker();
    let king = state.king(!attacker);
    let pins = state.pinned().iter().filter_map(|pinned| {
        let ray = attacks::line(king, pinned);
        let pinner = pinner(state, king, pinned)?;
        (forbids_capture(state, pinned, ray) || loses_piece(state, pinned, pinner, ray))
            .then_some((pinner, pinned))
    });
    let (pinner, pinned) = pins.min_by_key(|&(pinner, pinned)| {
        let advance = (!attacker).relative_rank(pinned.rank());
        (Reverse(points_on(state, pinned)), points_on(state, pinner), Reverse(advance))
    })?;
    Some((pinner, vec![pinned]))
}

/// The piece that pins the one on `pinned`.
fn pinner(state: &State, king: Square, pinned: Square) -> Option<Square> {
    let mut snipers = state.snipers(king, !state.side_to_move()).iter();
    snipers.find(|&sniper| attacks::between(king, sniper) & state.occupied() == pinned.bitboard())
}

fn forbids_capture(state: &State, pinned: Square, ray: Bitboard) -> bool {
    let attacker = !state.side_to_move();
    (attacks_from(state, pinned) & state.color(attacker)).without(ray).iter().any(|target| {
        points_on(state, target) > points_on(state, pinned)
            || attackers(state, attacker, target).is_empty()
    })
}

fn loses_piece(state: &State, pinned: Square, pinner: Square, ray: Bitboard) -> bool {
    let defender = state.side_to_move();
    let undefended = attackers(state, defender, pinned).is_empty();
    let takes_back = attacks_from(state, pinned).contains(pinner);
    points_on(state, pinner) < points_on(state, pinned)
        || undefended && !takes_back && could_leave(state, pinned, ray)
}

/// Whether the piece had a move off the line without the pin.
fn could_leave(state: &State, pinned: Square, ray: Bitboard) -> bool {
    let defender = state.side_to_move();
    let attacks = attacks_from(state, pinned);
    let moves = if state.piece_on(pinned) == Some(Piece::Pawn) {
        let push = pinned.bitboard().forward(defender).without(state.occupied());
        push | attacks & state.color(!defender)
    } else {
        attacks.without(state.color(defender))
    };
    moves.without(ray).any()
}

/// A piece must leave a line, and one of less value behind it falls.
///
/// The piece in front leaves, and the next move takes the one behind it at a profit.
pub fn skewer(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let (state, m) = (&line.states()[ply + 1], line.moves()[ply]);
    let from = m.to();
    let answer = *line.moves().get(ply + 1)?;
    let (before, next) = line.next_attack(ply)?;
    let (front, back) = (answer.from(), next.to());
    let on_ray = attacks::between(from, back) & state.occupied() == front.bitboard()
        && attacks_from(state, from).contains(front);
    let more_than_pawn = points_on(state, back) > points(Piece::Pawn);
    let is_smaller = more_than_pawn && points_on(state, back) < points_on(state, front);
    let ours_behind = state.color_on(back) == Some(line.attacker());
    let collects = next.from() == from && see::see_at_least(before, next, 1);
    (slides(state, from) && on_ray && is_smaller && !ours_behind && collects)
        .then(|| (from, vec![front, back]))
}

/// A piece leaves a line, and the slider behind it attacks: it attacks a piece, and takes it
/// with the next move, or with the one after that if until then the other side answers checks.
pub fn discovered_attack(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let (states, moves) = (line.states(), line.moves());
    discoveries(line, ply)
        .find(|&(slider, target)| {
            let takes = |later: usize| {
                moves.get(later).is_some_and(|m| m.from() == slider && m.to() == target)
            };
            let is_touched =
                |m: &Move| [m.from(), m.to()].iter().any(|s| [slider, target].contains(s));
            let takes_later = || {
                takes(ply + 4)
                    && states[ply + 1].in_check()
                    && states[ply + 3].in_check()
                    && !moves[ply + 1..ply + 4].iter().any(is_touched)
            };
            let victim = states[ply + 1].piece_on(target);
            victim.is_some_and(|piece| !matches!(piece, Piece::Pawn | Piece::King))
                && (takes(ply + 2) || takes_later())
        })
        .map(|(slider, target)| (slider, vec![target]))
}

/// The slider behind the moved piece gives check.
pub fn discovered_check(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let king = line.states()[ply + 1].king(!line.attacker());
    discoveries(line, ply)
        .find(|&(_, target)| target == king)
        .map(|(slider, target)| (slider, vec![target]))
}

/// Two pieces give check at once.
pub fn double_check(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let state = &line.states()[ply + 1];
    let king = state.king(!line.attacker());
    state.checkers().more_than_one().then(|| (line.moves()[ply].to(), vec![king]))
}

/// The sliders that attack past the origin of the move, each with a piece that it attacks
/// now.
fn discoveries(line: &Line, ply: usize) -> impl Iterator<Item = (Square, Square)> {
    let (before, after) = (&line.states()[ply], &line.states()[ply + 1]);
    let m = line.moves()[ply];
    let is_behind =
        move |&square: &Square| slides(before, square) && square != m.from() && !m.is_castle();
    before.color(line.attacker()).iter().filter(is_behind).flat_map(move |slider| {
        let new = attacks_from(after, slider).without(attacks_from(before, slider));
        let targets = new & after.color(!line.attacker());
        targets
            .iter()
            .filter(move |&target| attacks::between(slider, target).contains(m.from()))
            .map(move |target| (slider, target))
    })
}

/// A slider attacks or defends through a piece of the other side.
///
/// Three captures on one square, where the last captor stood behind the piece that made the
/// second.
pub fn x_ray(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let first = ply.checked_sub(2)?;
    let [lure, answer, m] = [0, 1, 2].map(|index| line.moves()[first + index]);
    let same_square = lure.to() == m.to() && answer.to() == m.to();
    let through = attacks::between(m.from(), m.to()).contains(answer.from());
    (same_square && through).then(|| (m.to(), vec![answer.from()]))
}

/// Whether a bishop, rook or queen stands on a square.
fn slides(state: &State, square: Square) -> bool {
    matches!(state.piece_on(square), Some(Piece::Bishop | Piece::Rook | Piece::Queen))
}
