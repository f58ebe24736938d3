//! The laws of games with hidden cards, on small random trees and deals.

use crate::lab::game::mix;
use crate::lab::hidden::double_dummy::{DoubleDummy, Sharing};
use crate::lab::hidden::exact::{self, winning_sets};
use crate::lab::hidden::squeaky_wheel::is_achievable;
use crate::lab::hidden::suit::Deal;
use crate::lab::hidden::vector::reduced;
use crate::lab::hidden::world_text::FAULTS;
use crate::lab::hidden::{HiddenGame, Plan, WorldBranch, WorldTree, Worlds, methods, open_wins};
use crate::lab::{Law, LawSample, ensure};

pub const LAWS: [Law; 8] = [
    Law {
        name: "hidden-exact",
        text: "with hidden cards the exact method wins as often as the best of all strategies, \
               tried one by one",
        applies: |sample| number(sample).is_some(),
        check: |sample| {
            let game = random_game(sample, 4);
            let best = strategies(&game.tree).into_iter().map(|wins| game.weight(wins)).max();
            let own = game.weight(plans(&game, 3)?[0].1.wins);
            ensure(Some(own) == best, || format!("{own}, not {best:?}"))
        },
    },
    Law {
        name: "hidden-bounds",
        text: "no method wins more often than the exact one, and that not more often than with \
               open cards",
        applies: |sample| number(sample).is_some(),
        check: |sample| {
            let game = random_game(sample, 4);
            let plans = plans(&game, 3)?;
            let exact = game.weight(plans[0].1.wins);
            let open = game.weight(open_wins(&game.tree));
            ensure(exact <= open, || format!("exact {exact}, open {open}"))?;
            for (name, plan) in plans {
                let own = game.weight(plan.wins);
                ensure(own <= exact, || format!("{name} {own}, exact {exact}"))?;
            }
            Ok(())
        },
    },
    Law {
        name: "hidden-plans-are-achievable",
        text: "the worlds that a method wins in are won by one strategy after its first move",
        applies: |sample| number(sample).is_some(),
        check: |sample| {
            let game = random_game(sample, 4);
            for (name, plan) in plans(&game, 3)? {
                let below = &game.branches()[plan.first].below;
                ensure(is_achievable(below, plan.wins), || name.to_owned())?;
            }
            Ok(())
        },
    },
    Law {
        name: "one-world-is-minimax",
        text: "with one world all methods win where minimax does",
        applies: |sample| number(sample).is_some(),
        check: |sample| {
            let game = random_game(sample, 1);
            let open = open_wins(&game.tree) & game.worlds();
            for (name, plan) in plans(&game, 3)? {
                ensure(plan.wins == open, || name.to_owned())?;
            }
            Ok(())
        },
    },
    Law {
        name: "payoff-reduction-keeps-strategies",
        text: "reduced payoffs leave each strategy what it wins",
        applies: |sample| number(sample).is_some(),
        check: |sample| {
            let game = random_game(sample, 4);
            let all = strategies(&game.tree);
            ensure(strategies(&reduced(&game.tree, Worlds::MAX)) == all, || "changed".into())
        },
    },
    Law {
        name: "winning-sets-are-greatest",
        text: "a set of worlds is achievable exactly if one of the exact method contains it",
        applies: |sample| number(sample).is_some(),
        check: |sample| {
            let game = random_game(sample, 4);
            let sets =
                winning_sets(&game.tree, game.worlds()).map_err(|error| error.to_string())?;
            let is_within = |worlds: Worlds| sets.iter().any(|set| worlds & !set == 0);
            let fault = (0..=game.worlds())
                .find(|&worlds| is_within(worlds) != is_achievable(&game.tree, worlds));
            ensure(fault.is_none(), || format!("{fault:?} of {sets:?}"))
        },
    },
    Law {
        name: "partition-search",
        text: "in a suit with open cards partition search, equal positions, no table and the tree \
               of all worlds agree, and each saves positions",
        applies: |sample| number(sample).is_some_and(|number| number % 5 == 0),
        check: |sample| {
            let seed = number(sample).unwrap_or(0);
            let (deal, tricks) = (Deal::random(2, seed), 1 + (seed % 2) as u32);
            let game = deal.game(tricks).map_err(|error| error.to_string())?;
            let kinds = [Sharing::None, Sharing::Equal, Sharing::Partition];
            let mut searches = kinds.map(DoubleDummy::new);
            for (world, hands) in deal.hands().enumerate() {
                let takes = open_wins(&game.tree) >> world & 1 == 1;
                for search in &mut searches {
                    let own = search.takes(hands, tricks);
                    ensure(own == takes, || format!("{:?} {}", hands, deal.text()))?;
                }
            }
            let positions = searches.map(|search| search.positions);
            ensure(positions.is_sorted_by(|a, b| a >= b), || format!("{positions:?}"))
        },
    },
    Law {
        name: "faults-of-sampling",
        text: "on the trees of its faults sampling of all worlds wins less often than the exact \
               method; vector minimaxing is right on the first and last, payoff reduction on all",
        applies: |sample| sample.name == "tictactoe",
        check: |_| {
            for (name, ..) in FAULTS {
                let game = HiddenGame::parse_tree(name).map_err(|error| error.to_string())?;
                let [best, _, sampling, vector, reduction, _] =
                    plans(&game, 64)?.map(|(_, plan)| game.weight(plan.wins));
                ensure(sampling < best, || format!("{name}: sampling wins {sampling} of {best}"))?;
                ensure((vector < best) == (name == "locality"), || format!("{name}: vector"))?;
                ensure(reduction == best, || format!("{name}: reduction"))?;
            }
            Ok(())
        },
    },
];

/// The number of a synthetic tree, for as many of them as there are games here.
fn number(sample: &LawSample) -> Option<u64> {
    sample.shape().map(|shape| shape.seed).filter(|&seed| seed < 200)
}

/// The plans of all methods, the exact one first.
fn plans(game: &HiddenGame, sample: usize) -> Result<[(&'static str, Plan); 6], String> {
    let best = exact::plans(game).map_err(|error| error.to_string())?;
    Ok(methods(game, &best, sample, 1))
}

/// A game whose tree belongs to the number of a sample.
fn random_game(sample: &LawSample, worlds: usize) -> HiddenGame {
    let seed = mix(number(sample).unwrap_or(0), worlds as u64);
    let weights: Vec<u64> = (0..worlds as u64).map(|world| 1 + mix(seed, world) % 3).collect();
    HiddenGame { tree: random_tree(seed, 0), weights, moves: Vec::new() }
}

/// A tree of four plies in which some moves of MIN are not legal in all worlds.
fn random_tree(key: u64, ply: u64) -> WorldTree {
    if ply == 4 {
        return WorldTree::Leaf(mix(key, 0));
    }
    let (is_max, width) = (ply.is_multiple_of(2), 2 + mix(key, 1) % 2);
    let branch = |child: u64| {
        let legal = if is_max || child == 0 { Worlds::MAX } else { mix(key, 10 + child) };
        let below = random_tree(mix(key, 20 + child), ply + 1);
        WorldBranch { worlds: legal, below }
    };
    let branches = (0..width).map(branch).collect();
    if is_max { WorldTree::Max(branches) } else { WorldTree::Min(branches) }
}

/// The worlds that each strategy wins in, in an order of the strategies.
fn strategies(tree: &WorldTree) -> Vec<Worlds> {
    match tree {
        WorldTree::Leaf(wins) => vec![*wins],
        WorldTree::Max(branches) => {
            branches.iter().flat_map(|branch| strategies(&branch.below)).collect()
        }
        WorldTree::Min(branches) => branches.iter().fold(vec![Worlds::MAX], |all, branch| {
            let below = strategies(&branch.below);
            let meet = |wins: &Worlds| {
                let wins = *wins;
                let other = below.iter().map(move |other| wins & (other | !branch.worlds));
                other.collect::<Vec<_>>()
            };
            all.iter().flat_map(meet).collect()
        }),
    }
}
