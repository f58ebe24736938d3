//! Limited playing strength.
//!
//! A weak level searches few nodes, and accepts slightly worse moves: one of the best
//! lines is picked at random, with a probability that falls exponentially with what the
//! move costs of the expected score, by the model of win, draw and loss. Of lines with the
//! same expected score the best is played, so that a win leads to mate. A mate that is
//! seen is always played, the nearest one. No move is picked without a search, so that a
//! weak level loses by shallow search and judgement and not by random blunders.
//!
//! The two numbers of a level come from [`LEVELS`]. The Elo of the levels up to 2600 was
//! measured in games against the levels of another engine, which are calibrated to a
//! rating list; above that it is extrapolated. After a change of the search the levels are
//! set to the strength of the ones before.

use std::ops::RangeInclusive;

use rand::RngExt;

use crate::eval::wdl::MODEL;
use crate::eval::{Score, WinDrawLoss};

/// The number of best moves to pick from.
pub const CHOICES: usize = 5;

/// A limit of strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Nodes to search for a move.
    pub nodes: u64,
    /// The temperature of the random pick: a move that costs this much of the expected
    /// score, which is from 0 to 1, is picked 1/e times as often as the best.
    pub temperature: f64,
}

/// A point of the scale.
struct Level {
    elo: i32,
    strength: Strength,
}

const fn level(elo: i32, nodes: u64, temperature: f64) -> Level {
    Level { elo, strength: Strength { nodes, temperature } }
}

/// The scale, weakest first. Between two levels the temperature and the logarithm
/// of the nodes are interpolated.
const LEVELS: [Level; 9] = [
    level(1000, 180, 0.24),
    level(1200, 300, 0.145),
    level(1480, 650, 0.088),
    level(1750, 950, 0.053),
    level(1940, 1_650, 0.035),
    level(2180, 3_300, 0.022),
    level(2400, 9_500, 0.013),
    level(2600, 33_000, 0.007),
    level(3000, 1_000_000, 0.001),
];

/// The range of levels. The end of the scale is full strength.
pub const ELO: RangeInclusive<i32> = LEVELS[0].elo..=LEVELS[LEVELS.len() - 1].elo;

impl Strength {
    /// The strength of a rating; `None` for full strength, at the end of the scale.
    pub fn of_elo(elo: i32) -> Option<Self> {
        let elo = elo.max(*ELO.start());
        let upper = LEVELS.iter().position(|level| elo < level.elo)?;
        Some(between(&LEVELS[upper - 1], &LEVELS[upper], elo))
    }

    /// Picks the index of a line at random. The scores are in descending order.
    pub fn pick(self, scores: &[Score], material: u32, rng: &mut impl RngExt) -> usize {
        debug_assert!(scores.is_sorted_by(|better, worse| better >= worse));
        if scores.first().is_some_and(|best| best.is_mate()) {
            return 0;
        }
        let chances: Vec<WinDrawLoss> =
            scores.iter().map(|&score| MODEL.wdl(score, material)).collect();
        let Some(best) = chances.first().map(|best| best.expected()) else { return 0 };
        let weight = |chance: &WinDrawLoss| ((chance.expected() - best) / self.temperature).exp();
        let mut remaining = rng.random::<f64>() * chances.iter().map(weight).sum::<f64>();
        let picked = chances.iter().find(|&chance| {
            remaining -= weight(chance);
            remaining < 0.0
        });
        let is_picked = |chance: &WinDrawLoss| {
            picked.is_some_and(|picked| picked.expected() == chance.expected())
        };
        chances.iter().position(is_picked).unwrap_or(0)
    }
}

/// The strength at a rating between two levels.
fn between(lower: &Level, upper: &Level, elo: i32) -> Strength {
    let share = f64::from(elo - lower.elo) / f64::from(upper.elo - lower.elo);
    let mix = |from: f64, to: f64| from + share * (to - from);
    let (from, to) = (lower.strength, upper.strength);
    Strength {
        nodes: mix((from.nodes as f64).ln(), (to.nodes as f64).ln()).exp().round() as u64,
        temperature: mix(from.temperature, to.temperature),
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    #[test]
    fn more_elo_is_more_nodes_and_a_lower_temperature() {
        let strengths: Vec<_> = ELO.map(Strength::of_elo).collect();
        assert_eq!(strengths.iter().position(Option::is_none), Some(strengths.len() - 1));
        for pair in strengths.windows(2) {
            let [Some(lower), Some(upper)] = pair else { continue };
            assert!(lower.nodes <= upper.nodes && lower.temperature >= upper.temperature);
        }
        for level in &LEVELS[..LEVELS.len() - 1] {
            assert_eq!(Strength::of_elo(level.elo), Some(level.strength));
        }
    }

    /// How often each of the scores is picked, in 10 000 times.
    fn counts(temperature: f64, scores: &[Score]) -> Vec<u32> {
        let strength = Strength { nodes: 1, temperature };
        let mut rng = StdRng::seed_from_u64(1);
        let mut counts = vec![0; scores.len()];
        (0..10_000).for_each(|_| counts[strength.pick(scores, 60, &mut rng)] += 1);
        counts
    }

    #[test]
    fn better_moves_are_picked_more_often() {
        let scores = [30, 10, -20, -90, -1_500].map(Score::new);
        let counts = counts(0.1, &scores);
        assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
        let [best, other] = [0, 2].map(|index| MODEL.wdl(scores[index], 60).expected());
        let share = f64::from(counts[2]) / f64::from(counts[0]);
        assert!((share - ((other - best) / 0.1).exp()).abs() < 0.05, "{share}");
        assert!(counts[4] < 60, "{counts:?}");
    }

    /// What costs nothing of the expected score is not picked: a longer mate, less progress in
    /// a won ending, an earlier mate of the other side.
    #[test]
    fn a_decided_game_goes_its_shortest_way() {
        let mates = [1, 3, 5, 9, 31].map(Score::mate_in);
        let wins = [10_400, 10_390, 10_380, 10_370, 9_900].map(Score::new);
        let mated = [30, 12, 6, 4, 2].map(Score::mated_in);
        for level in &LEVELS {
            for scores in [mates, wins, mated] {
                let counts = counts(level.strength.temperature, &scores);
                assert_eq!(counts, [10_000, 0, 0, 0, 0], "{scores:?}");
            }
        }
        let one_mate = [Score::mate_in(1), Score::new(2_000), Score::new(-90)];
        assert_eq!(counts(0.265, &one_mate), [10_000, 0, 0]);
        assert_eq!(counts(0.1, &[Score::new(25)]), [10_000]);
    }
}
