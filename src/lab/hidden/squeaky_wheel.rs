//! Squeaky wheel optimization (Joslin and Clements, 1999), with which GIB looked for plans to
//! play a hand (Ginsberg, 2001): worlds are put in an order, and a strategy is built that wins
//! in the first, in the second too if it can, and so on. Worlds that are left out complain:
//! they move forward in the order, and another strategy is built. That needs no list of all
//! strategies, and may miss the best one.

use crate::lab::hidden::{HiddenGame, Plan, WorldTree, Worlds};

/// How often a strategy is built.
const ROUNDS: usize = 20;

/// What squeaky wheel optimization plays.
pub fn squeaky_wheel(game: &HiddenGame) -> Plan {
    let mut complaints = game.weights.clone();
    let mut best = 0;
    for _ in 0..ROUNDS {
        let mut order: Vec<usize> = (0..complaints.len()).collect();
        order.sort_by_key(|&world| std::cmp::Reverse(complaints[world]));
        let wins = order.into_iter().fold(0, |wins, world| {
            let more = wins | 1 << world;
            if is_achievable(&game.tree, more) { more } else { wins }
        });
        if game.weight(wins) > game.weight(best) {
            best = wins;
        }
        for (world, complaint) in complaints.iter_mut().enumerate() {
            if wins >> world & 1 == 0 {
                *complaint += game.weights[world];
            }
        }
    }
    let first = game.branches().iter().position(|branch| is_achievable(&branch.below, best));
    Plan { first: first.unwrap_or(0), wins: best }
}

/// Whether one strategy wins in all of these worlds.
pub fn is_achievable(tree: &WorldTree, worlds: Worlds) -> bool {
    match tree {
        WorldTree::Leaf(wins) => worlds & !wins == 0,
        WorldTree::Max(branches) => {
            branches.iter().any(|branch| is_achievable(&branch.below, worlds))
        }
        WorldTree::Min(branches) => {
            branches.iter().all(|branch| is_achievable(&branch.below, worlds & branch.worlds))
        }
    }
}
