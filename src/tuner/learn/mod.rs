//! Classic ways to learn the weights of the evaluation, side by side.
//!
//! All learn the same weights ([`space`]) from the same start. A method is a [`Learner`]:
//! it asks an [`Oracle`] about weights, and knows which weights are best so far. What it asks
//! for differs:
//!
//! - The loss over labelled positions, or another [`fitness`], for methods that only compare:
//!   [`hill`], [`anneal`], [`genetic`] and [`spsa`].
//! - The gradient of the loss, for gradient descent: [`adam`].
//! - Games that the evaluation plays against itself, for temporal differences: [`td`].
//!
//! The answers come from a dataset ([`data`]) and from games ([`self_play`]). [`method`] lists
//! the methods, and [`run`] is a run of one of them, which can be interrupted.

pub mod adam;
pub mod anneal;
pub mod data;
pub mod fitness;
pub mod genetic;
pub mod hill;
#[cfg(test)]
mod laws;
mod leaf_search;
pub mod method;
pub mod run;
pub mod self_play;
pub mod space;
pub mod spsa;
pub mod td;

use rand::rngs::StdRng;

use crate::tuner::learn::td::Episode;

/// What a learner may use in a turn.
#[derive(Debug)]
pub struct Turn {
    /// The share of the run that is over, from 0 to 1.
    pub share: f32,
    /// Random numbers of this turn alone.
    pub random: StdRng,
}

/// A method that learns weights.
pub trait Learner {
    /// Asks about some weights, and learns from the answers.
    fn learn(&mut self, oracle: &mut dyn Oracle, turn: &mut Turn);

    /// The best weights so far.
    fn weights(&self) -> &[f32];

    /// Whether all else is of `size` weights, too. A file may hold another state.
    fn is_sound(&self, _size: usize) -> bool {
        true
    }
}

/// What is known of weights.
pub trait Oracle {
    /// What is to be small, of each list of weights.
    fn losses(&mut self, asked: &[Vec<f32>]) -> Vec<f64>;

    /// The derivatives of the loss by the weights.
    fn gradient(&mut self, weights: &[f32]) -> Vec<f32>;

    /// Games that the weights play against themselves.
    fn games(&mut self, weights: &[f32], number: usize, random: &mut StdRng) -> Vec<Episode>;

    fn loss(&mut self, weights: &[f32]) -> f64 {
        self.losses(&[weights.to_vec()])[0]
    }
}
