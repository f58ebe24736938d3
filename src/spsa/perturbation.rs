//! The mathematics of an iteration: how far each parameter is perturbed, and how far the
//! result of a pair of games moves it.
//!
//! Iteration k of N tries every parameter at `value ± c(k)`, the signs at random, and
//! moves it by `R(k) * c(k) * result` in the direction that scored more. With Spall's
//! gains a(k) and c(k), `R(k) = a(k) / c(k)²`. Both shrink as k grows, and chess tuners
//! state where they end: c at the `step` of the parameter, R at 0.002.

use rand::RngExt;
use rand::rngs::StdRng;

use crate::util::confidence::error_of_mean;

/// The exponents of Spall's gains a(k) = a / (A + k)^alpha and c(k) = c / k^gamma.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// A, which keeps the first steps small, as a share of all iterations.
const STABILITY: f64 = 0.1;
/// R(N).
const R_END: f64 = 0.002;

/// Elo for each expected point of a game more, for players of almost equal strength.
const ELO_PER_POINT: f64 = 1600.0 / std::f64::consts::LN_10;
/// With fewer pairs of games there is no estimate, since its error is not known.
const MIN_PAIRS: u64 = 20;

/// How far the parameters are perturbed and moved in an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gain {
    /// c(k), in steps of a parameter.
    pub width: f64,
    /// R(k).
    pub rate: f64,
}

impl Gain {
    /// The gain of an iteration, counted from 0, of `iterations`.
    pub fn of(iteration: u64, iterations: u64) -> Self {
        let (k, n) = ((iteration + 1) as f64, iterations as f64);
        let width = (n / k).powf(GAMMA);
        let stability = STABILITY * n;
        let a = ((stability + n) / (stability + k)).powf(ALPHA);
        Self { width, rate: R_END * a / width.powi(2) }
    }

    /// The gain of an experiment that leaves all values alone.
    pub const EFFECTS_ONLY: Self = Self { width: 1.0, rate: 0.0 };
}

/// A parameter in one pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Perturbation {
    /// The sign of c(k) for the first player; the second has the opposite one.
    pub sign: i32,
    /// The values of the two players.
    pub values: [i32; 2],
}

impl Perturbation {
    /// Perturbs `value` by `distance`. Both values are rounded up with the probability
    /// of their fraction, by the same random number, so that they are right on average.
    pub fn random(value: f64, distance: f64, min: i32, max: i32, random: &mut StdRng) -> Self {
        let sign = if random.random_bool(0.5) { 1 } else { -1 };
        let rounding: f64 = random.random();
        let round = |value: f64| ((value + rounding).floor() as i32).clamp(min, max);
        let distance = f64::from(sign) * distance;
        Self { sign, values: [round(value + distance), round(value - distance)] }
    }
}

/// An estimated difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    pub elo: f64,
    /// Half of the 95 % confidence interval.
    pub error: f64,
}

impl EloEstimate {
    /// From the results of pairs of games, wins less losses: their sum and the sum of
    /// their squares. `None` for fewer than 20 pairs.
    pub(super) fn of(sum: i64, squares: u64, pairs: u64) -> Option<Self> {
        if pairs < MIN_PAIRS {
            return None;
        }
        // Two games, and a win is half a point more than a draw.
        let elo = ELO_PER_POINT / 4.0;
        let error = error_of_mean(sum as f64, squares as f64, pairs)?;
        Some(Self { elo: elo * sum as f64 / pairs as f64, error: elo * error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::numbered;

    #[test]
    fn gains_fall_to_their_ends() {
        let gains: Vec<Gain> = (0..1000).map(|k| Gain::of(k, 1000)).collect();
        assert!(gains.is_sorted_by(|first, then| first.width > then.width));
        let a = |gain: &Gain| gain.rate * gain.width.powi(2);
        assert!(gains.is_sorted_by(|first, then| a(first) > a(then)));
        let last = gains[999];
        assert!((last.width - 1.0).abs() < 1e-12 && (last.rate - R_END).abs() < 1e-12);
        assert!((gains[0].width - 1000_f64.powf(GAMMA)).abs() < 1e-12);
    }

    #[test]
    fn players_lie_on_both_sides_of_the_value_on_average() {
        let mut random = numbered(1, 0);
        let (mut sums, mut signs) = ([0.0; 2], 0);
        const DRAWS: u32 = 20_000;
        for _ in 0..DRAWS {
            let Perturbation { sign, values } =
                Perturbation::random(10.3, 2.5, 0, 100, &mut random);
            assert!(sign * (values[0] - values[1]) == 5, "{values:?}");
            let plus = usize::from(sign < 0);
            sums[0] += f64::from(values[plus]);
            sums[1] += f64::from(values[1 - plus]);
            signs += sign;
        }
        let means = sums.map(|sum| sum / f64::from(DRAWS));
        assert!((means[0] - 12.8).abs() < 0.02 && (means[1] - 7.8).abs() < 0.02, "{means:?}");
        assert!(signs.unsigned_abs() < DRAWS / 30, "{signs}");
    }

    #[test]
    fn values_stay_in_range() {
        let mut random = numbered(2, 0);
        for _ in 0..100 {
            let switch = Perturbation::random(0.0, 1.0, 0, 1, &mut random);
            let mut values = switch.values;
            values.sort_unstable();
            assert_eq!(values, [0, 1]);
        }
    }

    #[test]
    fn an_estimate_is_elo_per_game() {
        assert_eq!([0, 1, 19].map(|pairs| EloEstimate::of(0, 0, pairs)), [None; 3]);
        // One of 20 pairs won by 1: the standard error of the mean is 1/20.
        let few = EloEstimate::of(1, 1, 20).unwrap();
        assert!((few.error - 2.093 * ELO_PER_POINT / 80.0).abs() < 0.01, "{few:?}");
        // 52 % of 400 games, each pair either won by 1 or drawn 1 : 1.
        let estimate = EloEstimate::of(16, 16, 200).unwrap();
        assert!((estimate.elo - 13.9).abs() < 0.05, "{estimate:?}");
        // Independent games without draws: the bar of a match, 680 / √n.
        let decisive = EloEstimate::of(0, 2 * 5_000, 5_000).unwrap();
        assert!((decisive.error - 6.81).abs() < 0.01, "{decisive:?}");
    }
}
