//! Simultaneous perturbation: two losses give a slope for all weights at once (J. Spall,
//! "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", 1992).
//!
//! Each weight is shifted up or down at random in one candidate, and the other way in the
//! other. The difference of their losses moves all weights. What one weight contributes is
//! hidden among the others at first, and appears in the sum of many steps. A pair of games
//! between the two candidates may replace the losses: `lovec spsa` does so.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::tuner::learn::{Learner, Oracle, Turn};

/// The shift of each weight at the start and at the end, in centipawns.
const FIRST_SHIFT: f32 = 4.0;
const LAST_SHIFT: f32 = 0.5;
/// The mean step of a weight at the start, in centipawns.
const FIRST_STEP: f64 = 4.0;
/// Pairs of which the mean difference gives the step size.
const TRIALS: u32 = 50;

/// Weights, and how large a difference of the losses is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spsa {
    weights: Vec<f32>,
    trials: u32,
    /// The mean size of the slope along a perturbation, over the trials.
    slope: f64,
}

impl Spsa {
    pub fn new(weights: Vec<f32>) -> Self {
        Self { weights, trials: 0, slope: 0.0 }
    }
}

impl Learner for Spsa {
    fn learn(&mut self, oracle: &mut dyn Oracle, turn: &mut Turn) {
        let shift = FIRST_SHIFT + (LAST_SHIFT - FIRST_SHIFT) * turn.share;
        let (mut up, mut down) = (self.weights.clone(), self.weights.clone());
        for (up, down) in up.iter_mut().zip(&mut down) {
            let signed = if turn.random.random_bool(0.5) { shift } else { -shift };
            *up += signed;
            *down -= signed;
        }
        let candidates = [up, down];
        let losses = oracle.losses(&candidates);
        let slope = (losses[0] - losses[1]) / (2.0 * f64::from(shift));
        if self.trials < TRIALS {
            self.trials += 1;
            self.slope += (slope.abs() - self.slope) / f64::from(self.trials);
        }
        if self.slope > 0.0 {
            let rate = FIRST_STEP / self.slope * f64::from(1.0 - turn.share);
            let [up, down] = &candidates;
            for (weight, (up, down)) in self.weights.iter_mut().zip(up.iter().zip(down)) {
                *weight -= (rate * slope) as f32 * (up - down).signum();
            }
        }
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }
}
