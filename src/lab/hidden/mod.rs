//! Games with hidden cards. One side, MAX, does not know which of several *worlds* it is in;
//! MIN knows the world and even the strategy of MAX, who therefore needs no luck in mixing
//! moves: the model of *best defence* (Frank and Basin, "Search in games with incomplete
//! information", 1998). MAX wins or loses. A strategy is worth the chance of the worlds in
//! which it wins, and it has to do the same in all worlds that look the same to MAX.
//!
//! | to read | what it holds |
//! |---|---|
//! | [`world_text`] | trees that are written out, and the ones that show the faults of sampling |
//! | [`suit`] | one suit of bridge, its tree, and random deals |
//! | [`double_dummy`] | the same with open cards: partition search |
//! | [`mod@exact`] | the best strategy |
//! | [`sampling`] | worlds with open cards, one by one |
//! | [`mod@vector`] | vector minimaxing and payoff-reduction minimaxing |
//! | [`mod@squeaky_wheel`] | an order of the worlds, which is mended |
//! | [`hidden_laws`] | their laws |

pub mod double_dummy;
pub mod exact;
pub mod hidden_laws;
pub mod sampling;
pub mod squeaky_wheel;
pub mod suit;
pub mod vector;
pub mod world_text;

use std::cmp::Reverse;

use thiserror::Error;

use crate::lab::hidden::sampling::{monte_carlo, selective};
use crate::lab::hidden::squeaky_wheel::squeaky_wheel;
use crate::lab::hidden::vector::{payoff_reduction, vector};

/// A set of worlds, a bit for each.
pub type Worlds = u64;

/// The most worlds of a game.
pub const MAX_WORLDS: usize = Worlds::BITS as usize;

/// The most nodes of the tree of a deal.
pub const MAX_NODES: usize = 1_000_000;

/// A tree as MAX sees it: nodes that MAX cannot tell apart are one.
#[derive(Clone, Debug)]
pub enum WorldTree {
    /// The worlds in which MAX wins.
    Leaf(Worlds),
    Max(Vec<WorldBranch>),
    Min(Vec<WorldBranch>),
}

/// A move.
#[derive(Clone, Debug)]
pub struct WorldBranch {
    /// The worlds in which it is legal: all for a move of MAX.
    pub worlds: Worlds,
    pub below: WorldTree,
}

/// A game of worlds; MAX moves first.
#[derive(Clone, Debug)]
pub struct HiddenGame {
    pub tree: WorldTree,
    /// How likely each world is, in any unit.
    pub weights: Vec<u64>,
    /// The names of the moves of MAX at the root, for the user alone.
    pub moves: Vec<String>,
}

/// What a method plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of the first move.
    pub first: usize,
    /// The worlds in which its strategy wins, whatever MIN does.
    pub wins: Worlds,
}

/// Why there is no such game, or no solution.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HiddenError {
    #[error(
        "{0:?} is no tree; it is a list of moves as [[[10 01] [11]] 10] with a digit for each of \
         at most {MAX_WORLDS} worlds, 1 if MAX wins, 0 if not, - where a move of MIN is not legal"
    )]
    Tree(String),
    #[error(
        "{0:?} is no deal; it is the cards of North, South and the defenders, as AQT/432/KJ98, at \
         most 4, 4 and 6 different ones"
    )]
    Deal(String),
    #[error(
        "the game is too large: it has more than {MAX_NODES} nodes, or its strategies are too many"
    )]
    Large,
}

impl HiddenGame {
    /// The best strategy, from the worlds that one after each first move wins in.
    pub fn best_of(&self, wins: &[Worlds]) -> Plan {
        let first = first_best(wins, |&wins| self.weight(wins));
        Plan { first, wins: wins[first] }
    }

    /// The set of all worlds.
    pub fn worlds(&self) -> Worlds {
        Worlds::MAX >> (MAX_WORLDS - self.weights.len())
    }

    /// How likely a set of worlds is, in the unit of the weights.
    pub fn weight(&self, worlds: Worlds) -> u64 {
        self.numbers(worlds).map(|world| self.weights[world]).sum()
    }

    /// The numbers of the worlds of a set.
    fn numbers(&self, worlds: Worlds) -> impl Iterator<Item = usize> {
        (0..self.weights.len()).filter(move |world| worlds >> world & 1 == 1)
    }

    /// The probability of a set of worlds.
    pub fn chance(&self, worlds: Worlds) -> f64 {
        self.weight(worlds) as f64 / self.weight(self.worlds()) as f64
    }

    /// The moves of MAX at the root.
    pub fn branches(&self) -> &[WorldBranch] {
        match &self.tree {
            WorldTree::Max(branches) => branches,
            _ => &[],
        }
    }
}

/// What each method plays, the exact one first: the best of the [`plans`](exact::plans) after
/// each first move. Sampling takes `count` worlds.
pub fn methods(
    game: &HiddenGame,
    plans: &[Worlds],
    count: usize,
    seed: u64,
) -> [(&'static str, Plan); 6] {
    [
        ("exact", game.best_of(plans)),
        ("sampling", monte_carlo(game, count, seed)),
        ("selective", selective(game, count)),
        ("vector", vector(game)),
        ("payoff-reduction", payoff_reduction(game)),
        ("squeaky-wheel", squeaky_wheel(game)),
    ]
}

/// The number of the item with the greatest key; the first of equals.
fn first_best<T>(items: &[T], key: impl Fn(&T) -> u64) -> usize {
    (0..items.len()).max_by_key(|&number| (key(&items[number]), Reverse(number))).unwrap_or(0)
}

/// The worlds in which MAX wins if all cards are open: what minimax finds in each of them.
pub fn open_wins(tree: &WorldTree) -> Worlds {
    match tree {
        WorldTree::Leaf(wins) => *wins,
        WorldTree::Max(branches) => {
            branches.iter().fold(0, |wins, branch| wins | open_wins(&branch.below))
        }
        WorldTree::Min(branches) => branches
            .iter()
            .fold(Worlds::MAX, |wins, branch| wins & (open_wins(&branch.below) | !branch.worlds)),
    }
}
