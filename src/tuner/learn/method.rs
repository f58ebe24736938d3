//! The methods by name.

use serde::{Deserialize, Serialize, Serializer};

use crate::tuner::learn::Learner;
use crate::tuner::learn::adam::GradientDescent;
use crate::tuner::learn::anneal::Annealing;
use crate::tuner::learn::genetic::Genetic;
use crate::tuner::learn::hill::HillClimbing;
use crate::tuner::learn::self_play::LearnedPosition;
use crate::tuner::learn::spsa::Spsa;
use crate::tuner::learn::td::TemporalDifferences;

/// How a method plays and learns from games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameSettings {
    /// The plies of each search.
    pub depth: u32,
    /// The discount of later differences.
    #[serde(serialize_with = "as_written")]
    pub lambda: f32,
    /// The change of a weight by a game at the start, as a factor of its derivative, with
    /// weights and scores in units of the argument of the sigmoid.
    #[serde(serialize_with = "as_written")]
    pub rate: f32,
}

/// Writes 0.7 as 0.7: JSON values hold the nearest `f64` else.
fn as_written<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    let decimal = value.to_string().parse();
    serializer.serialize_f64(decimal.unwrap_or_else(|_| f64::from(*value)))
}

/// A way to learn weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    Adam,
    Hill,
    Anneal,
    Genetic,
    Spsa,
    Td,
    TdLeaf,
}

impl Method {
    pub const ALL: [Self; 7] =
        [Self::Adam, Self::Hill, Self::Anneal, Self::Genetic, Self::Spsa, Self::Td, Self::TdLeaf];

    pub fn name(self) -> &'static str {
        match self {
            Self::Adam => "adam",
            Self::Hill => "hill",
            Self::Anneal => "anneal",
            Self::Genetic => "genetic",
            Self::Spsa => "spsa",
            Self::Td => "td",
            Self::TdLeaf => "tdleaf",
        }
    }

    /// Whether it learns from its own games, not from labelled positions.
    pub fn plays_games(self) -> bool {
        matches!(self, Self::Td | Self::TdLeaf)
    }

    /// The positions of its games that it learns from.
    pub fn learned_position(self) -> LearnedPosition {
        if self == Self::TdLeaf { LearnedPosition::Leaf } else { LearnedPosition::Root }
    }

    /// Whether it only compares, so that any fitness will do.
    pub fn compares(self) -> bool {
        !self.plays_games() && self != Self::Adam
    }

    /// The method at its start, with the scale of the sigmoid.
    pub fn begin(self, start: Vec<f32>, scale: f32, games: GameSettings) -> LearnerState {
        let GameSettings { lambda, rate, .. } = games;
        let differences = |start| TemporalDifferences::new(start, lambda, rate / (scale * scale));
        match self {
            Self::Adam => LearnerState::Adam(GradientDescent::new(start)),
            Self::Hill => LearnerState::Hill(HillClimbing::new(start)),
            Self::Anneal => LearnerState::Anneal(Annealing::new(start)),
            Self::Genetic => LearnerState::Genetic(Genetic::new(start)),
            Self::Spsa => LearnerState::Spsa(Spsa::new(start)),
            Self::Td => LearnerState::Td(differences(start)),
            Self::TdLeaf => LearnerState::TdLeaf(differences(start)),
        }
    }
}

/// A method with what it has learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LearnerState {
    Adam(GradientDescent),
    Hill(HillClimbing),
    Anneal(Annealing),
    Genetic(Genetic),
    Spsa(Spsa),
    Td(TemporalDifferences),
    TdLeaf(TemporalDifferences),
}

impl LearnerState {
    fn method_and_learner(&self) -> (Method, &dyn Learner) {
        match self {
            Self::Adam(learner) => (Method::Adam, learner),
            Self::Hill(learner) => (Method::Hill, learner),
            Self::Anneal(learner) => (Method::Anneal, learner),
            Self::Genetic(learner) => (Method::Genetic, learner),
            Self::Spsa(learner) => (Method::Spsa, learner),
            Self::Td(learner) => (Method::Td, learner),
            Self::TdLeaf(learner) => (Method::TdLeaf, learner),
        }
    }

    pub fn learner_mut(&mut self) -> &mut dyn Learner {
        match self {
            Self::Adam(learner) => learner,
            Self::Hill(learner) => learner,
            Self::Anneal(learner) => learner,
            Self::Genetic(learner) => learner,
            Self::Spsa(learner) => learner,
            Self::Td(learner) | Self::TdLeaf(learner) => learner,
        }
    }

    /// The best weights so far.
    pub fn weights(&self) -> &[f32] {
        self.method_and_learner().1.weights()
    }

    /// Whether this is a state of `method` with `size` weights.
    pub fn is_sound(&self, method: Method, size: usize) -> bool {
        let (own, learner) = self.method_and_learner();
        let weights = learner.weights();
        let are_sound = weights.len() == size && weights.iter().all(|weight| weight.is_finite());
        own == method && are_sound && learner.is_sound(size)
    }
}
