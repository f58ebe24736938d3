//! Vector minimaxing and payoff-reduction minimaxing (Frank, Basin and Matsubara, "Finding
//! optimal strategies for imperfect information games", 1998).
//!
//! Vector minimaxing backs up the worlds that are won: after a move of MIN those in which MAX
//! wins against every reply, for MAX those of the move that wins in most. So MAX chooses once
//! for all worlds. Yet the choice is local: it counts worlds in which MIN would not come here.
//!
//! Payoff reduction first takes those wins away from the leaves: a world is not won below a
//! node of MIN where MIN would win it with open cards. No strategy wins less for that, since
//! MIN would have gone there.

use crate::lab::hidden::{HiddenGame, Plan, WorldBranch, WorldTree, Worlds, first_best, open_wins};

/// What vector minimaxing plays.
pub fn vector(game: &HiddenGame) -> Plan {
    let below = game.branches().iter().map(|branch| back_up(game, &branch.below, game.worlds()));
    let wins: Vec<Worlds> = below.map(|wins| wins & game.worlds()).collect();
    game.best_of(&wins)
}

/// What payoff-reduction minimaxing plays.
pub fn payoff_reduction(game: &HiddenGame) -> Plan {
    let (tree, weights) = (reduced(&game.tree, Worlds::MAX), game.weights.clone());
    vector(&HiddenGame { tree, weights, moves: Vec::new() })
}

/// The worlds that vector minimaxing wins below a node, of the `possible` ones.
fn back_up(game: &HiddenGame, tree: &WorldTree, possible: Worlds) -> Worlds {
    match tree {
        WorldTree::Leaf(wins) => *wins,
        WorldTree::Max(branches) => {
            let below = branches.iter().map(|branch| back_up(game, &branch.below, possible));
            let below: Vec<Worlds> = below.collect();
            below[first_best(&below, |wins| game.weight(wins & possible))]
        }
        WorldTree::Min(branches) => branches.iter().fold(Worlds::MAX, |wins, branch| {
            let below = back_up(game, &branch.below, possible & branch.worlds);
            wins & (below | !branch.worlds)
        }),
    }
}

/// The tree with reduced payoffs, at most those of `most`.
pub fn reduced(tree: &WorldTree, most: Worlds) -> WorldTree {
    let below = |branches: &[WorldBranch], most| {
        let reduce = |branch: &WorldBranch| WorldBranch {
            worlds: branch.worlds,
            below: reduced(&branch.below, most),
        };
        branches.iter().map(reduce).collect()
    };
    match tree {
        WorldTree::Leaf(wins) => WorldTree::Leaf(wins & most),
        WorldTree::Max(branches) => WorldTree::Max(below(branches, most)),
        WorldTree::Min(branches) => WorldTree::Min(below(branches, most & open_wins(tree))),
    }
}
