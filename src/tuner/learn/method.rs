//! The methods by name.

use serde::{Deserialize, Serialize};

use crate::tuner::learn::adam::GradientDescent;
use crate::tuner::learn::anneal::Annealing;
use crate::tuner::learn::fitness::FitnessSource;
use crate::tuner::learn::genetic::Genetic;
use crate::tuner::learn::hill::HillClimbing;
use crate::tuner::learn::self_play::{LearnedPosition, SelfPlay};
use crate::tuner::learn::spsa::Spsa;
use crate::tuner::learn::td::TemporalDifferences;
use crate::tuner::learn::{Learner, Turn, take_turn};

/// How a method plays and learns from games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameSettings {
    /// The plies of each search.
    pub depth: u32,
    /// The discount of later differences.
    pub lambda: f32,
    /// The change of a weight by a game at the start, as a factor of its derivative, with
    /// weights and scores in units of the argument of the sigmoid.
    pub rate: f32,
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

/// The same expression for the learner of every method.
macro_rules! each {
    ($state:expr, $learner:ident => $value:expr) => {
        match $state {
            LearnerState::Adam($learner) => $value,
            LearnerState::Hill($learner) => $value,
            LearnerState::Anneal($learner) => $value,
            LearnerState::Genetic($learner) => $value,
            LearnerState::Spsa($learner) => $value,
            LearnerState::Td($learner) | LearnerState::TdLeaf($learner) => $value,
        }
    };
}

impl LearnerState {
    /// One question and its answer, from labelled positions, a fitness or games, as
    /// [`take_turn`].
    pub fn take_turn(
        &mut self,
        fitness: &FitnessSource<'_>,
        games: SelfPlay<'_>,
        turn: &mut Turn,
    ) -> (u64, u64) {
        let learning_from = |learned| SelfPlay { learned, ..games };
        match self {
            Self::Adam(learner) => take_turn(learner, &fitness.data, turn),
            Self::Hill(learner) => take_turn(learner, fitness, turn),
            Self::Anneal(learner) => take_turn(learner, fitness, turn),
            Self::Genetic(learner) => take_turn(learner, fitness, turn),
            Self::Spsa(learner) => take_turn(learner, fitness, turn),
            Self::Td(learner) => take_turn(learner, &learning_from(LearnedPosition::Root), turn),
            Self::TdLeaf(learner) => {
                take_turn(learner, &learning_from(LearnedPosition::Leaf), turn)
            }
        }
    }

    /// The best weights so far.
    pub fn weights(&self) -> &[f32] {
        each!(self, learner => learner.weights())
    }

    /// Whether this is a state of `method` with `size` weights.
    pub fn is_sound(&self, method: Method, size: usize) -> bool {
        let is_of_method = match self {
            Self::Adam(_) => method == Method::Adam,
            Self::Hill(_) => method == Method::Hill,
            Self::Anneal(_) => method == Method::Anneal,
            Self::Genetic(_) => method == Method::Genetic,
            Self::Spsa(_) => method == Method::Spsa,
            Self::Td(_) => method == Method::Td,
            Self::TdLeaf(_) => method == Method::TdLeaf,
        };
        let is_finite = self.weights().iter().all(|weight| weight.is_finite());
        is_of_method && is_finite && each!(self, learner => learner.is_sound(size))
    }
}
