//! The best strategy against best defence. From the leaves up each node has the sets of worlds
//! in which some strategy wins, without those that another set contains. MAX may choose a set
//! of any move; after a move of MIN each set of a move meets each set of every other one (the
//! exhaustive strategy minimisation of Frank and Basin, 1998). The sets may be as many as the
//! strategies: to find the best one is NP-hard.

use crate::lab::hidden::{HiddenError, HiddenGame, WorldTree, Worlds, first_best};

/// The most sets of a node.
const MOST_SETS: usize = 500;

/// The worlds that the best strategy after each first move wins in.
pub fn plans(game: &HiddenGame) -> Result<Vec<Worlds>, HiddenError> {
    let best = |tree: &WorldTree| {
        let sets = winning_sets(tree, game.worlds())?;
        Ok(sets[first_best(&sets, |&wins| game.weight(wins))])
    };
    game.branches().iter().map(|branch| best(&branch.below)).collect()
}

/// The greatest sets of worlds, of the possible ones, in which some strategy wins.
pub fn winning_sets(tree: &WorldTree, possible: Worlds) -> Result<Vec<Worlds>, HiddenError> {
    let mut sets = Vec::new();
    match tree {
        WorldTree::Leaf(wins) => sets.push(wins & possible),
        WorldTree::Max(branches) => {
            for branch in branches {
                add_sets(&mut sets, winning_sets(&branch.below, possible)?)?;
            }
        }
        WorldTree::Min(branches) => {
            sets.push(possible);
            for branch in branches {
                let below = winning_sets(&branch.below, possible & branch.worlds)?;
                let mut both = Vec::new();
                for set in sets {
                    let meet = below.iter().map(|wins| set & (wins | !branch.worlds));
                    add_sets(&mut both, meet)?;
                }
                sets = both;
            }
        }
    }
    Ok(sets)
}

/// Adds sets that no other one contains, and removes those that they contain.
fn add_sets(
    sets: &mut Vec<Worlds>,
    more: impl IntoIterator<Item = Worlds>,
) -> Result<(), HiddenError> {
    for new in more {
        if sets.iter().all(|set| new & !set != 0) {
            sets.retain(|set| set & !new != 0);
            sets.push(new);
        }
    }
    if sets.len() > MOST_SETS { Err(HiddenError::Large) } else { Ok(()) }
}
