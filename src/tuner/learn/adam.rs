//! Gradient descent: all weights move against the gradient of the loss.
//!
//! Adam makes each step about as long as the rate, whatever the size of the gradient. The
//! rate falls to zero by half a cosine.

use serde::{Deserialize, Serialize};

use crate::tuner::fit::Adam;
use crate::tuner::learn::{Learner, Oracle, Turn};

/// The step size at the start, in centipawns.
const RATE: f32 = 4.0;

/// Weights that follow the gradient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GradientDescent {
    weights: Vec<f32>,
    adam: Adam,
}

impl GradientDescent {
    pub fn new(weights: Vec<f32>) -> Self {
        Self { adam: Adam::new(weights.len()), weights }
    }
}

impl Learner for GradientDescent {
    fn learn(&mut self, oracle: &mut dyn Oracle, turn: &mut Turn) {
        let rate = RATE * (1.0 + (std::f32::consts::PI * turn.share).cos()) / 2.0;
        let gradient = oracle.gradient(&self.weights);
        self.adam.step(&mut self.weights, &gradient, rate);
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn is_sound(&self, size: usize) -> bool {
        self.adam.is_sound(size)
    }
}
