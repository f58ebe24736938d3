//! Laws of the methods, on an evaluation whose weights are known.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::tuner::dataset::{Dataset, Label};
use crate::tuner::learn::data::LossSource;
use crate::tuner::learn::method::{GameSettings, LearnerState, Method};
use crate::tuner::learn::space::WeightSpace;
use crate::tuner::learn::td::Episode;
use crate::tuner::learn::{Oracle, Turn};
use crate::tuner::model::{Objective, Parameters, sigmoid};
use crate::util::rng;

/// The weights to be found: middlegame and endgame of three terms.
const TRUTH: [f32; 6] = [100.0, 130.0, -40.0, 20.0, 310.0, 260.0];
const TERMS: usize = TRUTH.len() / 2;
const SCALE: f32 = 0.005;
const OBJECTIVE: Objective = Objective { scale: SCALE, score_scale: SCALE, blend: 0.0 };
const GAMES: GameSettings = GameSettings { depth: 1, lambda: 0.7, rate: 0.03 };

fn space() -> WeightSpace {
    WeightSpace::new(Parameters::zeros(TERMS), &[true; TERMS])
}

/// The score by the true weights.
fn true_score(counts: &[i16], middlegame: f32) -> f32 {
    let weights = TRUTH.as_chunks::<2>().0.iter();
    let scores = counts.iter().zip(weights).map(|(&count, [first, second])| {
        f32::from(count) * (first * middlegame + second * (1.0 - middlegame))
    });
    scores.sum()
}

/// Random positions with their true scores.
fn positions() -> Dataset {
    let mut random = StdRng::seed_from_u64(7);
    Dataset::linear((0..300).map(|_| {
        let counts: Vec<i16> = (0..TERMS).map(|_| random.random_range(-2..=2)).collect();
        let middlegame = random.random();
        let score = true_score(&counts, middlegame);
        (Label { middlegame, endgame: 1.0 - middlegame, score, result: 0.5, ply: 0 }, counts)
    }))
}

/// Answers by the positions with their true scores, and by random walks.
struct KnownWeights<'a>(LossSource<'a>);

impl KnownWeights<'_> {
    /// A game in which the true expected result of a position is the mean of those after it: a
    /// random count goes up or down by 1, each as often as this requires.
    fn game(weights: &[f32], random: &mut StdRng) -> Episode {
        const PLIES: usize = 12;
        let middlegame: f32 = random.random();
        let mut counts = [0_i16; TERMS];
        let expected = |counts: &[i16]| sigmoid(SCALE * true_score(counts, middlegame));
        let mut episode = Episode::default();
        for _ in 0..PLIES {
            let term = random.random_range(0..TERMS);
            let around = [-1, 1].map(|step| {
                let mut moved = counts;
                moved[term] += step;
                moved
            });
            let [low, high] = around.map(|counts| expected(&counts));
            let is_up =
                random.random::<f32>() * (high - low).abs() < (expected(&counts) - low).abs();
            counts = around[usize::from(is_up)];
            add_position(weights, &counts, middlegame, &mut episode);
        }
        episode.result = f32::from(random.random::<f32>() < expected(&counts));
        episode
    }
}

/// Adds a position as the learner evaluates it.
fn add_position(weights: &[f32], counts: &[i16], middlegame: f32, episode: &mut Episode) {
    let slopes: Vec<f32> = counts
        .iter()
        .flat_map(|&count| [middlegame, 1.0 - middlegame].map(|share| f32::from(count) * share))
        .collect();
    let score: f32 = weights.iter().zip(&slopes).map(|(weight, slope)| weight * slope).sum();
    let expected = sigmoid(SCALE * score);
    let factor = expected * (1.0 - expected) * SCALE;
    episode.expected.push(expected);
    episode.gradients.push(slopes.iter().map(|slope| factor * slope).collect());
}

impl Oracle for KnownWeights<'_> {
    fn losses(&mut self, asked: &[Vec<f32>]) -> Vec<f64> {
        asked.iter().map(|weights| self.0.loss(weights)).collect()
    }

    fn gradient(&mut self, weights: &[f32]) -> Vec<f32> {
        self.0.gradient(weights)
    }

    fn games(&mut self, weights: &[f32], number: usize, random: &mut StdRng) -> Vec<Episode> {
        (0..number).map(|_| Self::game(weights, random)).collect()
    }
}

/// A learner after some of `turns` turns, from `state`.
fn learned(mut state: LearnerState, seed: u64, from: u64, to: u64, turns: u64) -> LearnerState {
    let (space, positions) = (space(), positions());
    let mut known = KnownWeights(LossSource::new(&space, OBJECTIVE, &positions));
    for number in from..to {
        let share = number as f32 / turns as f32;
        let mut turn = Turn { share, random: rng::numbered(seed, number) };
        state.learner_mut().learn(&mut known, &mut turn);
    }
    state
}

fn begun(method: Method) -> LearnerState {
    method.begin(space().start(), SCALE, GAMES)
}

/// The largest error of the weights that a method finds.
fn greatest_error(method: Method, turns: u64) -> f32 {
    let state = learned(begun(method), 1, 0, turns, turns);
    let errors = state.weights().iter().zip(TRUTH).map(|(weight, truth)| (weight - truth).abs());
    errors.fold(0.0, f32::max)
}

/// Turns, and the error in centipawns that they leave.
const RECOVERIES: [(Method, u64, f32); 7] = [
    (Method::Adam, 2000, 1.0),
    (Method::Hill, 3000, 2.0),
    (Method::Anneal, 6000, 4.0),
    (Method::Genetic, 250, 4.0),
    (Method::Spsa, 6000, 4.0),
    (Method::Td, 10_000, 15.0),
    (Method::TdLeaf, 10_000, 15.0),
];

#[test]
fn every_method_recovers_known_weights() {
    let found = RECOVERIES.map(|(method, turns, _)| (method.name(), greatest_error(method, turns)));
    let pairs = found.iter().zip(RECOVERIES);
    assert!(pairs.into_iter().all(|((_, found), (_, _, error))| *found <= error), "{found:?}");
}

#[test]
fn a_run_repeats_and_continues_from_its_state() {
    for method in Method::ALL {
        let whole = learned(begun(method), 5, 0, 60, 60);
        assert_eq!(whole, learned(begun(method), 5, 0, 60, 60), "{}", method.name());
        let half = serde_json::to_string(&learned(begun(method), 5, 0, 31, 60)).unwrap();
        let half: LearnerState = serde_json::from_str(&half).unwrap();
        assert!(half.is_sound(method, TRUTH.len()) && !half.is_sound(method, 2));
        assert_eq!(whole, learned(half, 5, 31, 60, 60), "{}", method.name());
        let is_random = method != Method::Adam;
        let other = learned(begun(method), 6, 0, 60, 60);
        assert_eq!(whole != other, is_random, "{}", method.name());
    }
}

#[test]
fn methods_that_keep_the_best_never_get_worse() {
    let (space, positions) = (space(), positions());
    let data = LossSource::new(&space, OBJECTIVE, &positions);
    for method in [Method::Hill, Method::Anneal, Method::Genetic] {
        let mut state = begun(method);
        let mut least = f64::MAX;
        for number in 0..100 {
            state = learned(state, 1, number, number + 1, 100);
            let loss = data.loss(state.weights());
            assert!(loss <= least, "{} in turn {number}", method.name());
            least = loss;
        }
        assert!(least < 0.9 * data.loss(&space.start()), "{}", method.name());
    }
}
