//! Sampling: at each move some worlds are drawn, each is searched as if the cards were open,
//! and the move is played that wins in most of them (for bridge Levy, 1989; Ginsberg, "GIB",
//! 2001). That is quick, and wrong in ways that [more worlds do not
//! mend](crate::lab::hidden::world_text::FAULTS).
//!
//! Monte-Carlo sampling draws worlds at random. Selective sampling chooses them: here, the
//! likeliest ones, none twice.

use rand::seq::IndexedRandom;

use crate::lab::hidden::{HiddenGame, Plan, WorldBranch, WorldTree, Worlds, first_best, open_wins};
use crate::util::rng::numbered;

/// What Monte-Carlo sampling of `count` worlds plays.
pub fn monte_carlo(game: &HiddenGame, count: usize, seed: u64) -> Plan {
    let mut random = numbered(seed, 0);
    plan(game, &mut |possible| {
        let worlds: Vec<usize> = game.numbers(possible).collect();
        let weight = |&world: &usize| game.weights[world];
        let drawn = (0..count).filter_map(|_| worlds.choose_weighted(&mut random, weight).ok());
        drawn.map(|&world| 1 << world).collect()
    })
}

/// What selective sampling of `count` worlds plays.
pub fn selective(game: &HiddenGame, count: usize) -> Plan {
    plan(game, &mut |possible| {
        let mut worlds: Vec<usize> = game.numbers(possible).collect();
        worlds.sort_by_key(|&world| std::cmp::Reverse(game.weights[world]));
        worlds.into_iter().take(count).map(|world| 1 << world).collect()
    })
}

/// Draws worlds from the possible ones, each as a set of its own.
type Draw<'a> = dyn FnMut(Worlds) -> Vec<Worlds> + 'a;

fn plan(game: &HiddenGame, sample: &mut Draw<'_>) -> Plan {
    let first = choose(game.branches(), &sample(game.worlds()));
    let wins = wins(&game.branches()[first].below, game.worlds(), sample);
    Plan { first, wins: wins & game.worlds() }
}

/// The move that wins in most of the worlds.
fn choose(branches: &[WorldBranch], worlds: &[Worlds]) -> usize {
    first_best(branches, |branch| {
        let wins = open_wins(&branch.below);
        worlds.iter().filter(|&world| wins & world != 0).count() as u64
    })
}

/// The worlds in which MAX wins who goes on sampling.
fn wins(tree: &WorldTree, possible: Worlds, sample: &mut Draw<'_>) -> Worlds {
    match tree {
        WorldTree::Leaf(wins) => *wins,
        WorldTree::Max(branches) => {
            wins(&branches[choose(branches, &sample(possible))].below, possible, sample)
        }
        WorldTree::Min(branches) => branches.iter().fold(Worlds::MAX, |all, branch| {
            all & (wins(&branch.below, possible & branch.worlds, sample) | !branch.worlds)
        }),
    }
}
