//! Playing below full strength, in a way that a person can learn from.
//!
//! A weak level is a search that sees less and a player who is not particular:
//! the nodes of a move are limited, and of the best lines found one is drawn, the
//! likelier the closer its score is to the best. No move is ever drawn blindly,
//! so that a level loses by judging and calculating badly rather than by hanging
//! pieces out of the blue.
//!
//! The two numbers of a level come from [`LEVELS`]. The Elo of a level up to 2600
//! is what games against the levels of another engine gave, which are calibrated
//! on a list of engines; beyond that it is extrapolated.

use std::ops::RangeInclusive;

use rand::RngExt;

use crate::eval::Score;

/// How many of the best moves may be played.
pub const CHOICES: usize = 5;

/// A limit of strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Nodes to search for a move.
    pub nodes: u64,
    /// How much worse than the best, in centipawns, a move is when it is played
    /// 1/e times as often.
    pub tolerance: f64,
}

/// A measured point of the scale.
struct Level {
    elo: i32,
    strength: Strength,
}

const fn level(elo: i32, nodes: u64, tolerance: f64) -> Level {
    Level { elo, strength: Strength { nodes, tolerance } }
}

/// The scale, weakest first. Between two levels the tolerance and the logarithm
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

/// The levels there are. The end of the scale is full strength.
pub const ELO: RangeInclusive<i32> = LEVELS[0].elo..=LEVELS[LEVELS.len() - 1].elo;

impl Strength {
    /// What it takes to play like somebody of this rating; `None` for full
    /// strength, at the end of the scale.
    pub fn of_elo(elo: i32) -> Option<Self> {
        let elo = elo.max(*ELO.start());
        let upper = LEVELS.iter().position(|level| elo < level.elo)?;
        Some(between(&LEVELS[upper - 1], &LEVELS[upper], elo))
    }

    /// Draws one of the lines, best first, of which the scores are given.
    pub fn draw(self, scores: &[Score], rng: &mut impl RngExt) -> usize {
        let Some(&best) = scores.first() else { return 0 };
        let weight = |score: &Score| (f64::from((*score - best).cp()) / self.tolerance).exp();
        let mut drawn = rng.random::<f64>() * scores.iter().map(weight).sum::<f64>();
        scores
            .iter()
            .position(|score| {
                drawn -= weight(score);
                drawn < 0.0
            })
            .unwrap_or(0)
    }
}

/// The level at a rating between those of two others.
fn between(lower: &Level, upper: &Level, elo: i32) -> Strength {
    let share = f64::from(elo - lower.elo) / f64::from(upper.elo - lower.elo);
    let mix = |from: f64, to: f64| from + share * (to - from);
    let (from, to) = (lower.strength, upper.strength);
    Strength {
        nodes: mix((from.nodes as f64).ln(), (to.nodes as f64).ln()).exp().round() as u64,
        tolerance: mix(from.tolerance, to.tolerance),
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    #[test]
    fn more_elo_is_more_nodes_and_less_tolerance() {
        let strengths: Vec<_> = ELO.map(Strength::of_elo).collect();
        assert_eq!(strengths.iter().position(Option::is_none), Some(strengths.len() - 1));
        for pair in strengths.windows(2) {
            let [Some(lower), Some(upper)] = pair else { continue };
            assert!(lower.nodes <= upper.nodes && lower.tolerance >= upper.tolerance);
        }
        for level in &LEVELS[..LEVELS.len() - 1] {
            assert_eq!(Strength::of_elo(level.elo), Some(level.strength));
        }
    }

    /// How often each of the scores is drawn, in 10 000 times.
    fn counts(tolerance: f64, scores: &[i32]) -> Vec<u32> {
        let strength = Strength { nodes: 1, tolerance };
        let scores: Vec<_> = scores.iter().map(|&cp| Score::new(cp)).collect();
        let mut rng = StdRng::seed_from_u64(1);
        let mut counts = vec![0; scores.len()];
        (0..10_000).for_each(|_| counts[strength.draw(&scores, &mut rng)] += 1);
        counts
    }

    #[test]
    fn better_moves_are_played_more_often() {
        let counts = counts(50.0, &[30, 10, -20, -20, -400]);
        assert!(counts[0] > counts[1] && counts[1] > counts[2]);
        assert!(counts[3].abs_diff(counts[2]) < 300, "{counts:?}");
        let share = f64::from(counts[1]) / f64::from(counts[0]);
        assert!((share - (-20.0f64 / 50.0).exp()).abs() < 0.05, "{share}");
        assert!(counts[4] < 20, "{counts:?}");
    }

    #[test]
    fn nothing_is_as_good_as_mate() {
        let mate = Score::mate_in(3).cp();
        assert_eq!(counts(300.0, &[mate, 2000]), [10_000, 0]);
        assert_eq!(counts(300.0, &[25]), [10_000]);
    }
}
