//! Hill climbing: a small change of one weight, kept if the loss falls.
//!
//! Each weight has a step size of its own, which grows with each change that is kept and
//! shrinks with each that is not (as in Rosenbrock's direct search). Such a climb ends at
//! the first local optimum; with one weight at a time, it needs many evaluations.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::tuner::learn::{Learner, Turn};

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
    /// The index of the weight that was asked about.
    changed: usize,
}

impl HillClimbing {
    pub fn new(weights: Vec<f32>) -> Self {
        Self { steps: vec![FIRST_STEP; weights.len()], weights, loss: None, changed: 0 }
    }
}

impl Learner for HillClimbing {
    type Answer = f64;

    fn ask(&mut self, turn: &mut Turn) -> Vec<Vec<f32>> {
        let mut candidate = self.weights.clone();
        if self.loss.is_some() {
            self.changed = turn.random.random_range(0..candidate.len());
            let step = self.steps[self.changed];
            candidate[self.changed] += if turn.random.random_bool(0.5) { step } else { -step };
        }
        vec![candidate]
    }

    fn learn(&mut self, asked: Vec<Vec<f32>>, answers: Vec<f64>, _: &mut Turn) {
        for (candidate, loss) in asked.into_iter().zip(answers) {
            let is_better = self.loss.is_none_or(|least| loss < least);
            let step = &mut self.steps[self.changed];
            *step = (*step * if is_better { GROWTH } else { SHRINKAGE }).max(MIN_STEP);
            if is_better {
                (self.weights, self.loss) = (candidate, Some(loss));
            }
        }
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn is_sound(&self, size: usize) -> bool {
        self.weights.len() == size && self.steps.len() == size && self.changed < size
    }
}
