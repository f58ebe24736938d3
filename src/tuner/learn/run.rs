//! A run of a method, its curve and its file.
//!
//! The random numbers of a turn depend on the seed and the number of the turn alone. So a run
//! that continues from its file ends with the same weights as a run without interruption.

use std::path::Path;
use std::time::Instant;

use rand::rngs::StdRng;
use serde::{Deserialize, Serialize};

use crate::tuner::learn::fitness::LearnSources;
use crate::tuner::learn::method::{GameSettings, LearnerState, Method};
use crate::tuner::learn::self_play::SelfPlay;
use crate::tuner::learn::td::Episode;
use crate::tuner::learn::{Oracle, Turn};
use crate::util::rng;
use crate::util::state_file::{self, StateFileError};

/// The maximum size of the file.
const MAX_STATE_BYTES: u64 = 1 << 26;
/// Passes over the positions after which the file is written.
const ROUND: u64 = 50;
/// More turns or evaluations than any run makes.
const MAX_COUNT: u64 = 1 << 60;
/// The growth of the work from a point of the curve to the next.
const POINT_GROWTH: f64 = 1.15;

/// What determines a run. The file keeps the settings, and only the same ones continue it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnSettings {
    pub version: String,
    pub method: Method,
    /// What the weights are at the start.
    pub start: String,
    /// The terms that are learned, in the order of declaration.
    pub terms: Vec<String>,
    /// Labelled positions, and the loss at the start, which identifies them.
    pub positions: u64,
    pub start_loss: f64,
    /// The same of the test positions, if there are any.
    pub test_start_loss: Option<f64>,
    pub seed: u64,
    /// Passes over the positions, or games for methods that play.
    pub budget: u64,
    /// Of methods that play games.
    pub games: Option<GameSettings>,
    /// What is made small, with the plies of its searches if it has any.
    pub fitness: (String, Option<u32>),
    /// The CRC-32 of the suite, if that is the fitness.
    pub suite: Option<u32>,
}

/// A point of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Passes or games so far.
    pub spent: u64,
    /// Positions evaluated so far.
    pub evaluations: u64,
    /// The time so far, without that for the curve.
    pub milliseconds: u64,
    /// The losses with the best scale: `LossSource::rescaled_loss`.
    pub training_loss: f64,
    pub test_loss: Option<f64>,
    /// The share of positions that are not solved, or of points that are lost, if that is the
    /// fitness.
    pub fitness: Option<f64>,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnRun {
    pub settings: LearnSettings,
    turns: u64,
    spent: u64,
    evaluations: u64,
    seconds: f64,
    learner: LearnerState,
    /// From the start to now.
    pub curve: Vec<CurvePoint>,
}

impl LearnRun {
    /// A run at its start.
    pub fn begin(settings: LearnSettings, games: GameSettings, sources: &LearnSources<'_>) -> Self {
        let data = &sources.data;
        let learner = settings.method.begin(data.space().start(), data.scale(), games);
        let (turns, spent, evaluations, curve) = (0, 0, 0, Vec::new());
        let mut run = Self { settings, turns, spent, evaluations, seconds: 0.0, learner, curve };
        run.add_point(sources);
        run
    }

    /// The run of the file, or this one if there is no file.
    pub fn resumed(self, path: &Path) -> Result<Self, StateFileError> {
        let Some(found) = state_file::read::<Self>(path, MAX_STATE_BYTES)? else {
            return Ok(self);
        };
        let options = [
            ("start_loss", "positions and a --blend with the loss"),
            ("test_start_loss", "a --test with the loss"),
            ("budget", if self.settings.method.plays_games() { "--games" } else { "--passes" }),
            ("games", "--depth, --lambda and --game-rate"),
            ("fitness", "--fitness and --depth"),
        ];
        state_file::check_settings(path, &found.settings, &self.settings, &options)?;
        let LearnRun { settings: LearnSettings { method, budget, .. }, learner, .. } = &found;
        let is_sound = learner.is_sound(*method, self.weights().len());
        let is_possible = found.spent <= budget + ROUND
            && found.turns.max(found.evaluations) <= MAX_COUNT
            && found.curve.last().is_some_and(|last| last.spent <= found.spent);
        if !is_sound || !is_possible {
            return Err(StateFileError::damaged(path, "a value is out of range"));
        }
        Ok(found)
    }

    /// Goes on until the budget is spent or `is_stopped`. `path` names the file, which is
    /// written after each round and at the end; an interruption of any kind loses at most
    /// a round. `progress` is called with the passes or games so far.
    pub fn advance(
        &mut self,
        sources: &LearnSources<'_>,
        path: Option<&Path>,
        is_stopped: &dyn Fn() -> bool,
        mut progress: impl FnMut(u64),
    ) -> Result<(), StateFileError> {
        let save = |run: &Self| path.map_or(Ok(()), |path| state_file::write(path, run));
        let mut saved = self.spent;
        while !self.is_over() && !is_stopped() {
            self.take_turn(sources);
            if self.is_point_due() {
                self.add_point(sources);
            }
            progress(self.spent);
            if self.settings.method.plays_games() || self.spent >= saved + ROUND {
                save(self)?;
                saved = self.spent;
            }
        }
        save(self)
    }

    /// Whether the budget is spent.
    pub fn is_over(&self) -> bool {
        self.spent >= self.settings.budget
    }

    /// Passes or games so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// The best weights so far.
    pub fn weights(&self) -> &[f32] {
        self.learner.weights()
    }

    fn take_turn(&mut self, sources: &LearnSources<'_>) {
        let share = (self.spent as f32 / self.settings.budget as f32).min(1.0);
        let mut turn = Turn { share, random: rng::numbered(self.settings.seed, self.turns) };
        let started = Instant::now();
        let LearnSources { data, depth, .. } = sources;
        let games = SelfPlay {
            space: data.space(),
            scale: data.scale(),
            depth: *depth,
            learned: self.settings.method.learned_position(),
        };
        let mut counted = CountedAnswers { sources, games, asked: 0, evaluations: 0 };
        self.learner.learner_mut().learn(&mut counted, &mut turn);
        self.seconds += started.elapsed().as_secs_f64();
        self.turns += 1;
        self.evaluations += counted.evaluations;
        self.spent += counted.asked;
    }

    fn is_point_due(&self) -> bool {
        let last = self.curve.last().map_or(0, |point| point.spent);
        self.is_over() || self.spent as f64 >= last as f64 * POINT_GROWTH
    }

    fn add_point(&mut self, sources: &LearnSources<'_>) {
        let weights = self.learner.weights();
        self.curve.push(CurvePoint {
            spent: self.spent,
            evaluations: self.evaluations,
            milliseconds: (self.seconds * 1000.0) as u64,
            training_loss: sources.data.rescaled_loss(weights),
            test_loss: sources.test.as_ref().map(|test| test.rescaled_loss(weights)),
            fitness: sources.fitness_of(weights),
        });
    }
}

/// Answers a learner, and counts what that takes.
struct CountedAnswers<'a> {
    sources: &'a LearnSources<'a>,
    games: SelfPlay<'a>,
    /// Passes over the positions, or games.
    asked: u64,
    /// Positions that were evaluated.
    evaluations: u64,
}

impl Oracle for CountedAnswers<'_> {
    fn losses(&mut self, asked: &[Vec<f32>]) -> Vec<f64> {
        let (losses, evaluations) = self.sources.losses(asked);
        self.asked += asked.len() as u64;
        self.evaluations += evaluations;
        losses
    }

    fn gradient(&mut self, weights: &[f32]) -> Vec<f32> {
        self.asked += 1;
        self.evaluations += self.sources.data.positions();
        self.sources.data.gradient(weights)
    }

    fn games(&mut self, weights: &[f32], number: usize, random: &mut StdRng) -> Vec<Episode> {
        let (games, evaluations): (Vec<_>, Vec<u64>) =
            self.games.games(weights, number, random).into_iter().unzip();
        self.asked += number as u64;
        self.evaluations += evaluations.iter().sum::<u64>();
        games
    }
}
