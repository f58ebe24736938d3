//! Limited playing strength.
//!
//! A weak level searches few nodes, and accepts slightly worse moves: one of the best
//! lines is picked at random, with a probability that falls exponentially with the
//! distance of its score to the best. No move is picked without a search, so that a weak
//! level loses by shallow search and judgement and not by random blunders.
//!
//! The two numbers of a level come from [`LEVELS`]. The Elo of the levels up to 2600 was
//! measured in games against the levels of another engine, which are calibrated to a
//! rating list; above that it is extrapolated.

use std::ops::RangeInclusive;

use rand::RngExt;

use crate::eval::Score;

/// The number of best moves to pick from.
pub const CHOICES: usize = 5;

/// A limit of strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Nodes to search for a move.
    pub nodes: u64,
    /// The temperature of the random pick in centipawns: a move that is worse than the
    /// best by this much is picked 1/e times as often.
    pub temperature_cp: f64,
}

/// A point of the scale.
struct Level {
    elo: i32,
    strength: Strength,
}

const fn level(elo: i32, nodes: u64, temperature_cp: f64) -> Level {
    Level { elo, strength: Strength { nodes, temperature_cp } }
}

/// The scale, weakest first. Between two levels the temperature and the logarithm
/// of the nodes are interpolated.
const LEVELS: [Level; 9] = [
    level(1000, 60, 300.0),
    level(1200, 120, 170.0),
    level(1480, 250, 100.0),
    level(1750, 500, 60.0),
    level(1940, 1_000, 40.0),
    level(2180, 2_500, 25.0),
    level(2400, 8_000, 15.0),
    level(2600, 30_000, 8.0),
    level(3000, 1_000_000, 1.0),
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
    pub fn pick(self, scores: &[Score], rng: &mut impl RngExt) -> usize {
        let Some(&best) = scores.first() else { return 0 };
        let weight = |score: &Score| (f64::from((*score - best).cp()) / self.temperature_cp).exp();
        let mut remaining = rng.random::<f64>() * scores.iter().map(weight).sum::<f64>();
        scores
            .iter()
            .position(|score| {
                remaining -= weight(score);
                remaining < 0.0
            })
            .unwrap_or(0)
    }
}

/// The strength at a rating between two levels.
fn between(lower: &Level, upper: &Level, elo: i32) -> Strength {
    let share = f64::from(elo - lower.elo) / f64::from(upper.elo - lower.elo);
    let mix = |from: f64, to: f64| from + share * (to - from);
    let (from, to) = (lower.strength, upper.strength);
    Strength {
        nodes: mix((from.nodes as f64).ln(), (to.nodes as f64).ln()).exp().round() as u64,
        temperature_cp: mix(from.temperature_cp, to.temperature_cp),
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
            assert!(lower.nodes <= upper.nodes && lower.temperature_cp >= upper.temperature_cp);
        }
        for level in &LEVELS[..LEVELS.len() - 1] {
            assert_eq!(Strength::of_elo(level.elo), Some(level.strength));
        }
    }

    /// How often each of the scores is picked, in 10 000 times.
    fn counts(temperature_cp: f64, scores: &[i32]) -> Vec<u32> {
        let strength = Strength { nodes: 1, temperature_cp };
        let scores: Vec<_> = scores.iter().map(|&cp| Score::new(cp)).collect();
        let mut rng = StdRng::seed_from_u64(1);
        let mut counts = vec![0; scores.len()];
        (0..10_000).for_each(|_| counts[strength.pick(&scores, &mut rng)] += 1);
        counts
    }

    #[test]
    fn better_moves_are_picked_more_often() {
        let counts = counts(50.0, &[30, 10, -20, -20, -400]);
        assert!(counts[0] > counts[1] && counts[1] > counts[2]);
        assert!(counts[3].abs_diff(counts[2]) < 300, "{counts:?}");
        let share = f64::from(counts[1]) / f64::from(counts[0]);
        assert!((share - (-20.0f64 / 50.0).exp()).abs() < 0.05, "{share}");
        assert!(counts[4] < 20, "{counts:?}");
    }

    #[test]
    fn a_mate_is_always_picked() {
        let mate = Score::mate_in(3).cp();
        assert_eq!(counts(300.0, &[mate, 2000]), [10_000, 0]);
        assert_eq!(counts(300.0, &[25]), [10_000]);
    }
}
