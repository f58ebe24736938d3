//! Simulated annealing: a worse change is kept too, with the probability `exp(-d / T)` for a
//! loss that grows by `d` (S. Kirkpatrick, C. Gelatt and M. Vecchi, "Optimization by
//! simulated annealing", 1983).
//!
//! The temperature `T` falls, so that the search leaves local optima at first and climbs at
//! the end. It begins at the mean change of the loss in some trials, since the loss has no
//! natural unit.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::tuner::learn::{Learner, Turn};

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

    /// The temperature when a share of the run is over.
    fn temperature(&self, share: f32) -> f64 {
        self.first_temperature * COOLING.powf(share.into())
    }

    fn measure_temperature(&mut self, change: f64) {
        if self.trials < TRIALS {
            self.trials += 1;
            self.first_temperature +=
                (change.abs() - self.first_temperature) / f64::from(self.trials);
        }
    }
}

impl Learner for Annealing {
    type Answer = f64;

    fn ask(&mut self, turn: &mut Turn) -> Vec<Vec<f32>> {
        let mut candidate = self.current.clone();
        if self.loss.is_some() {
            let changed = turn.random.random_range(0..candidate.len());
            let reach = FIRST_REACH + (LAST_REACH - FIRST_REACH) * turn.share;
            candidate[changed] += turn.random.random_range(-reach..=reach);
        }
        vec![candidate]
    }

    fn learn(&mut self, asked: Vec<Vec<f32>>, answers: Vec<f64>, turn: &mut Turn) {
        for (candidate, loss) in asked.into_iter().zip(answers) {
            let change = self.loss.map_or(0.0, |before| loss - before);
            self.measure_temperature(change);
            let temperature = self.temperature(turn.share);
            let is_kept = change <= 0.0
                || temperature > 0.0 && turn.random.random::<f64>() < (-change / temperature).exp();
            if is_kept {
                if loss < self.best_loss {
                    (self.best, self.best_loss) = (candidate.clone(), loss);
                }
                (self.current, self.loss) = (candidate, Some(loss));
            }
        }
    }

    fn weights(&self) -> &[f32] {
        &self.best
    }

    fn is_sound(&self, size: usize) -> bool {
        self.current.len() == size && self.best.len() == size
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
        let mut kept = 0;
        for _ in 0..CHANGES {
            let mut learner = Annealing::new(vec![0.0]);
            (learner.loss, learner.first_temperature, learner.trials) = (Some(1.0), 0.5, TRIALS);
            learner.learn(vec![vec![1.0]], vec![1.5], &mut turn);
            kept += usize::from(learner.current == [1.0]);
        }
        kept as f64 / CHANGES as f64
    }

    #[test]
    fn worse_weights_are_kept_less_and_less_often() {
        assert!((kept(0.0) - (-1_f64).exp()).abs() < 0.05, "{}", kept(0.0));
        assert!((0.05..0.25).contains(&kept(0.07)), "{}", kept(0.07));
        assert_eq!(kept(1.0), 0.0);
    }
}
