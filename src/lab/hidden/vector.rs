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

use crate::lab::hidden::{HiddenGame, Plan, WorldTree, Worlds, first_best, open_wins};

/// What vector minimaxing plays.
pub fn vector(game: &HiddenGame) -> Plan {
    plan(game, &|_| Worlds::MAX)
}

/// What payoff-reduction minimaxing plays.
pub fn payoff_reduction(game: &HiddenGame) -> Plan {
    plan(game, &open_wins)
}

/// Vector minimaxing, where a world can be won only in the `limit` of each node of MIN.
fn plan(game: &HiddenGame, limit: &dyn Fn(&WorldTree) -> Worlds) -> Plan {
    let back_up =
        |tree: &WorldTree| VectorSearch { game, limit }.wins(tree, game.worlds(), Worlds::MAX);
    let wins: Vec<Worlds> =
        game.branches().iter().map(|branch| back_up(&branch.below) & game.worlds()).collect();
    let first = first_best(&wins, |&wins| game.weight(wins));
    Plan { first, wins: wins[first] }
}

struct VectorSearch<'a> {
    game: &'a HiddenGame,
    limit: &'a dyn Fn(&WorldTree) -> Worlds,
}

impl VectorSearch<'_> {
    /// The worlds that are won below a node, of the `possible` ones, if leaves have at most
    /// those of `most`.
    fn wins(&self, tree: &WorldTree, possible: Worlds, most: Worlds) -> Worlds {
        match tree {
            WorldTree::Leaf(wins) => wins & most,
            WorldTree::Max(branches) => {
                let below = branches.iter().map(|branch| self.wins(&branch.below, possible, most));
                let below: Vec<Worlds> = below.collect();
                below[first_best(&below, |wins| self.game.weight(wins & possible))]
            }
            WorldTree::Min(branches) => {
                let most = most & (self.limit)(tree);
                branches.iter().fold(Worlds::MAX, |wins, branch| {
                    let below = self.wins(&branch.below, possible & branch.worlds, most);
                    wins & (below | !branch.worlds)
                })
            }
        }
    }
}

/// The tree with reduced payoffs.
pub fn reduced(tree: &WorldTree, most: Worlds) -> WorldTree {
    let mut copy = tree.clone();
    let most = if matches!(tree, WorldTree::Min(_)) { most & open_wins(tree) } else { most };
    match &mut copy {
        WorldTree::Leaf(wins) => *wins &= most,
        WorldTree::Max(branches) | WorldTree::Min(branches) => {
            for branch in branches {
                branch.below = reduced(&branch.below, most);
            }
        }
    }
    copy
}
