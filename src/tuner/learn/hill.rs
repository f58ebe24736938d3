//! Hill climbing: a small change of one weight, kept if the loss falls.
//!
//! Each weight has a step size of its own, which grows with each change that is kept and
//! shrinks with each that is not (as in Rosenbrock's direct search). Such a climb ends at
//! the first local optimum; with one weight at a time, it needs many evaluations.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::tuner::learn::{Learner, Oracle, Turn};

/// The first step of each weight, in centipawns.
const FIRST_STEP: f32 = 16.0;
/// The smallest step.
const MIN_STEP: f32 = 0.5;
/// The factors of a step whose change is kept, and of another.
const GROWTH: f32 = 2.0;
const SHRINKAGE: f32 = 0.7;

/// The best weights so far, and how far each moves next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HillClimbing {
    weights: Vec<f32>,
    /// At the weights; `None` before the first answer.
    loss: Option<f64>,
    steps: Vec<f32>,
}

impl HillClimbing {
    pub fn new(weights: Vec<f32>) -> Self {
        Self { steps: vec![FIRST_STEP; weights.len()], weights, loss: None }
    }
}

impl Learner for HillClimbing {
    fn learn(&mut self, oracle: &mut dyn Oracle, turn: &mut Turn) {
        let (mut candidate, mut changed) = (self.weights.clone(), 0);
        if self.loss.is_some() {
            changed = turn.random.random_range(0..candidate.len());
            let step = self.steps[changed];
            candidate[changed] += if turn.random.random_bool(0.5) { step } else { -step };
        }
        let loss = oracle.loss(&candidate);
        let is_better = self.loss.is_none_or(|least| loss < least);
        let step = &mut self.steps[changed];
        *step = (*step * if is_better { GROWTH } else { SHRINKAGE }).max(MIN_STEP);
        if is_better {
            (self.weights, self.loss) = (candidate, Some(loss));
        }
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn is_sound(&self, size: usize) -> bool {
        self.steps.len() == size
    }
}
