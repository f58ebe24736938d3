//! Temporal differences: each evaluation of a game is moved towards the next one, and the
//! last towards the result (R. Sutton, "Learning to predict by the methods of temporal
//! differences", 1988).
//!
//! With `P_t` the expected result at step `t`, the result as the last one, and `d_t` for
//! `P_(t+1) - P_t`, the weights change by `rate * sum over t of grad P_t * sum over j >= t of
//! lambda^(j-t) d_j`. With λ = 0 an evaluation follows its neighbour alone, with λ = 1 the
//! result alone.
//!
//! TD(λ) takes the positions of the game. TDLeaf(λ) takes the positions at the ends of their
//! principal variations, whose evaluations are the scores of the searches (J. Baxter, A.
//! Tridgell and L. Weaver, "Learning to play chess using temporal differences", 2000). The
//! rule is the same, so both are this learner.

use serde::{Deserialize, Serialize};

use crate::tuner::learn::{Learner, Oracle, Turn};

/// Games of a turn.
const GAMES: usize = 8;

/// A game as it was evaluated, from White's side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Episode {
    /// The expected result at each position, from 0 to 1.
    pub expected: Vec<f32>,
    /// The derivatives of each by the free weights.
    pub gradients: Vec<Vec<f32>>,
    /// 1, 0.5 or 0.
    pub result: f32,
}

/// Weights that learn from their own games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemporalDifferences {
    weights: Vec<f32>,
    lambda: f32,
    /// The rate at the start; it falls to 0.
    rate: f32,
}

impl TemporalDifferences {
    /// `rate` is in square centipawns for a game.
    pub fn new(weights: Vec<f32>, lambda: f32, rate: f32) -> Self {
        Self { weights, lambda, rate }
    }

    /// Adds the change of each weight by a game.
    fn add_changes(&self, episode: &Episode, rate: f32, changes: &mut [f32]) {
        let mut next = episode.result;
        // The sum of the later differences, discounted by λ.
        let mut later = 0.0;
        for (&expected, gradient) in episode.expected.iter().zip(&episode.gradients).rev() {
            later = next - expected + self.lambda * later;
            next = expected;
            for (change, slope) in changes.iter_mut().zip(gradient) {
                *change += rate * later * slope;
            }
        }
    }
}

impl Learner for TemporalDifferences {
    fn learn(&mut self, oracle: &mut dyn Oracle, turn: &mut Turn) {
        let rate = self.rate * (1.0 - turn.share);
        let mut changes = vec![0.0; self.weights.len()];
        for episode in oracle.games(&self.weights, GAMES, &mut turn.random) {
            self.add_changes(&episode, rate, &mut changes);
        }
        self.weights.iter_mut().zip(changes).for_each(|(weight, change)| *weight += change);
    }

    fn weights(&self) -> &[f32] {
        &self.weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The changes by a game with one weight for each position.
    fn changes(lambda: f32) -> Vec<f32> {
        let unit = |place: usize| (0..3).map(|it| f32::from(it == place)).collect();
        let episode = Episode {
            expected: vec![0.5, 0.75, 0.25],
            gradients: (0..3).map(unit).collect(),
            result: 1.0,
        };
        let learner = TemporalDifferences::new(vec![0.0; 3], lambda, 1.0);
        let mut changes = vec![0.0; 3];
        learner.add_changes(&episode, 1.0, &mut changes);
        changes
    }

    #[test]
    fn lambda_0_fits_the_neighbour_and_lambda_1_the_result() {
        assert_eq!(changes(0.0), [0.25, -0.5, 0.75]);
        assert_eq!(changes(1.0), [0.5, 0.25, 0.75]);
        assert_eq!(changes(0.5), [0.25 - 0.25 + 0.1875, -0.5 + 0.375, 0.75]);
    }
}
