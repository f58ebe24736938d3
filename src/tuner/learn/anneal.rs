//! Simulated annealing: a worse change is kept too, with the probability `exp(-d / T)` for a
//! loss that grows by `d` (S. Kirkpatrick, C. Gelatt and M. Vecchi, "Optimization by
//! simulated annealing", 1983).
//!
//! The temperature `T` falls, so that the search leaves local optima at first and climbs at
//! the end. It begins at the mean change of the loss in some trials, since the loss has no
//! natural unit.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::tuner::learn::{Learner, Oracle, Turn};

/// The largest change of a weight at the start and at the end, in centipawns.
const FIRST_REACH: f32 = 32.0;
const LAST_REACH: f32 = 1.0;
/// Changes of which the mean is the first temperature.
const TRIALS: u32 = 50;
/// The factor of the temperature from the start to the end.
const COOLING: f64 = 1e-4;

/// Weights that move, and the best that they met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Annealing {
    current: Vec<f32>,
    /// At the current weights; `None` before the first answer.
    loss: Option<f64>,
    best: Vec<f32>,
    best_loss: f64,
    trials: u32,
    /// The mean size of a change of the loss, over the trials.
    first_temperature: f64,
}

impl Annealing {
    pub fn new(weights: Vec<f32>) -> Self {
        let best = weights.clone();
        Self {
            current: weights,
            loss: None,
            best,
            best_loss: f64::MAX,
            trials: 0,
            first_temperature: 0.0,
        }
    }

    /// Whether weights are kept that change the loss by this.
    fn keeps(&mut self, change: f64, turn: &mut Turn) -> bool {
        if self.trials < TRIALS {
            self.trials += 1;
            self.first_temperature +=
                (change.abs() - self.first_temperature) / f64::from(self.trials);
        }
        let temperature = self.first_temperature * COOLING.powf(turn.share.into());
        change <= 0.0
            || temperature > 0.0 && turn.random.random::<f64>() < (-change / temperature).exp()
    }
}

impl Learner for Annealing {
    fn learn(&mut self, oracle: &mut dyn Oracle, turn: &mut Turn) {
        let mut candidate = self.current.clone();
        if self.loss.is_some() {
            let changed = turn.random.random_range(0..candidate.len());
            let reach = FIRST_REACH + (LAST_REACH - FIRST_REACH) * turn.share;
            candidate[changed] += turn.random.random_range(-reach..=reach);
        }
        let loss = oracle.loss(&candidate);
        let change = self.loss.map_or(0.0, |before| loss - before);
        if self.keeps(change, turn) {
            if loss < self.best_loss {
                (self.best, self.best_loss) = (candidate.clone(), loss);
            }
            (self.current, self.loss) = (candidate, Some(loss));
        }
    }

    fn weights(&self) -> &[f32] {
        &self.best
    }

    fn is_sound(&self, size: usize) -> bool {
        self.current.len() == size
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    /// The share of changes that are kept, of many that raise the loss by the mean change.
    fn kept(share: f32) -> f64 {
        const CHANGES: usize = 2000;
        let mut turn = Turn { share, random: StdRng::seed_from_u64(1) };
        let mut learner = Annealing::new(vec![0.0]);
        (learner.first_temperature, learner.trials) = (0.5, TRIALS);
        let kept = (0..CHANGES).filter(|_| learner.keeps(0.5, &mut turn)).count();
        kept as f64 / CHANGES as f64
    }

    #[test]
    fn worse_weights_are_kept_less_and_less_often() {
        assert!((kept(0.0) - (-1_f64).exp()).abs() < 0.05, "{}", kept(0.0));
        assert!((0.05..0.25).contains(&kept(0.07)), "{}", kept(0.07));
        assert_eq!(kept(1.0), 0.0);
    }
}
