//! Classic ways to learn the weights of the evaluation, side by side.
//!
//! All learn the same weights ([`space`]) from the same start. A method is a [`Learner`]:
//! it asks about weights, gets answers, and knows which weights are best so far. What the
//! answers are differs:
//!
//! - The loss over labelled positions, or another [`fitness`], for methods that only compare:
//!   [`hill`], [`anneal`], [`genetic`] and [`spsa`].
//! - The loss and its gradient, for gradient descent: [`adam`].
//! - Games that the evaluation plays against itself, for temporal differences: [`td`].
//!
//! An [`AnswerSource`] gives them: [`data`] from a dataset, [`self_play`] by games. [`method`]
//! lists the methods, and [`run`] is a run of one of them, which can be interrupted.

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

/// What a learner may use for a question and its answer.
#[derive(Debug)]
pub struct Turn {
    /// The share of the run that is over, from 0 to 1.
    pub share: f32,
    /// Random numbers of this turn alone.
    pub random: StdRng,
}

/// A method that learns weights.
pub trait Learner {
    /// What it wants to know of weights.
    type Answer;

    /// The weights to answer for, at least one list.
    fn ask(&mut self, turn: &mut Turn) -> Vec<Vec<f32>>;

    /// Learns from the answers to the last question, in its order.
    fn learn(&mut self, asked: Vec<Vec<f32>>, answers: Vec<Self::Answer>, turn: &mut Turn);

    /// The best weights so far.
    fn weights(&self) -> &[f32];

    /// Whether this is a state with `size` weights. A file may hold another.
    fn is_sound(&self, size: usize) -> bool;
}

/// What answers the questions of learners.
pub trait AnswerSource<A> {
    fn answer(&self, asked: &[Vec<f32>], turn: &mut Turn) -> Answered<A>;
}

/// The answers to a question.
#[derive(Clone, Debug)]
pub struct Answered<A> {
    /// In the order of the question.
    pub answers: Vec<A>,
    /// Positions that were evaluated.
    pub evaluations: u64,
}

/// Asks once and learns from the answers. Returns how many weights it asked about, and the
/// positions that were evaluated.
pub fn take_turn<L: Learner>(
    learner: &mut L,
    oracle: &impl AnswerSource<L::Answer>,
    turn: &mut Turn,
) -> (u64, u64) {
    let asked = learner.ask(turn);
    let number = asked.len() as u64;
    let Answered { answers, evaluations } = oracle.answer(&asked, turn);
    learner.learn(asked, answers, turn);
    (number, evaluations)
}
