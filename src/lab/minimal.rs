//! The smallest tree that proves a value.
//!
//! A strategy of MAX proves that the value is no less: it has one move at each node of MAX and
//! all at each node of MIN. A strategy of MIN proves that it is no greater. Two strategies meet
//! in exactly one leaf. In a uniform tree they have w^ceil(d/2) + w^floor(d/2) - 1 leaves
//! together (Knuth and Moore, 1975); elsewhere the smallest ones are found by counting.

use crate::lab::game::{AnyGame, GameTree, at_ply};

/// The leaves of the smallest tree that proves the minimax value of a game to a depth, by a
/// visit of all its nodes.
pub fn minimal_leaves(game: &mut AnyGame, depth: u32, value: i32) -> u64 {
    let [no_less, no_greater] = smallest_strategies(game.tree(), depth, 0, value);
    no_less + no_greater - 1
}

/// The leaves of the smallest strategies by which the side to move gets no less, and no more,
/// than a value; more than any tree has if there is none.
fn smallest_strategies(game: &mut dyn GameTree, depth: u32, ply: i32, value: i32) -> [u64; 2] {
    const NONE: u64 = u64::MAX >> 8;
    if depth == 0 || game.end().is_some() {
        let leaf = game.end().map_or_else(|| game.value(), |end| at_ply(end, ply));
        return [leaf >= value, leaf <= value].map(|holds| if holds { 1 } else { NONE });
    }
    let (mut no_less, mut no_greater) = (NONE, 0);
    for m in game.moves() {
        game.play(m);
        let [theirs_no_less, theirs_no_greater] =
            smallest_strategies(game, depth - 1, ply + 1, -value);
        game.undo();
        no_less = no_less.min(theirs_no_greater);
        no_greater = NONE.min(no_greater + theirs_no_less);
    }
    [no_less, no_greater]
}
