//! A piece may not leave the line between an attacker and its own king.

use std::cmp::Reverse;

use crate::chess::{Bitboard, Piece, Square, State, attacks};
use crate::insight::exchange::{attackers, attacks_from, points_on};
use crate::insight::line::Line;

/// A piece is pinned to its king, and that matters: it may not take something worth more or
/// undefended, or the pinning piece attacks it and would win it. Of several, the most
/// valuable one, pinned by the least valuable piece; of equals, the foremost.
pub fn find(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
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
    let occupied = state.occupied().without(pinned.bitboard());
    let behind = attacks::queen(king, occupied) & state.color(!state.side_to_move());
    (behind & attacks::line(king, pinned))
        .iter()
        .find(|&square| attacks::between(king, square).contains(pinned))
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
