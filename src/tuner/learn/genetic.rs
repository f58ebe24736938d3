//! A genetic algorithm: the better of a population have children, which take each weight
//! from either parent and change some (J. Holland, "Adaptation in natural and artificial
//! systems", 1975).
//!
//! A parent is the better of two members drawn at random. The best of parents and children
//! together live on, so the best is never lost.

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

use crate::tuner::learn::{Learner, Oracle, Turn};

/// Members of the population, and children of each generation.
const POPULATION: usize = 40;
/// Weights of a child that change, in the mean.
const MUTATIONS: f64 = 2.0;
/// The largest change of a weight at the start and at the end, in centipawns.
const FIRST_REACH: f32 = 40.0;
const LAST_REACH: f32 = 1.0;

/// Weights with their loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Member {
    weights: Vec<f32>,
    loss: f64,
}

/// A population, the best member first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Genetic {
    start: Vec<f32>,
    population: Vec<Member>,
}

impl Genetic {
    pub fn new(start: Vec<f32>) -> Self {
        Self { start, population: Vec::new() }
    }

    /// The better of two members; the start if there is no population yet.
    fn parent(&self, random: &mut StdRng) -> &[f32] {
        let drawn = [0; 2].map(|_| self.population.choose(random));
        let better = drawn.into_iter().flatten().min_by(|a, b| a.loss.total_cmp(&b.loss));
        better.map_or(&self.start, |member| &member.weights)
    }

    fn child(&self, turn: &mut Turn) -> Vec<f32> {
        let [first, second] = [0; 2].map(|_| self.parent(&mut turn.random).to_vec());
        let reach = FIRST_REACH + (LAST_REACH - FIRST_REACH) * turn.share;
        let chance = (MUTATIONS / first.len() as f64).min(1.0);
        let random = &mut turn.random;
        let weight = |(first, second)| {
            let inherited = if random.random_bool(0.5) { first } else { second };
            let is_changed = random.random_bool(chance);
            inherited + if is_changed { random.random_range(-reach..=reach) } else { 0.0 }
        };
        first.into_iter().zip(second).map(weight).collect()
    }
}

impl Learner for Genetic {
    fn learn(&mut self, oracle: &mut dyn Oracle, turn: &mut Turn) {
        let children: Vec<Vec<f32>> = (0..POPULATION).map(|_| self.child(turn)).collect();
        let losses = oracle.losses(&children);
        let members = children.into_iter().zip(losses);
        self.population.extend(members.map(|(weights, loss)| Member { weights, loss }));
        self.population.sort_by(|a, b| a.loss.total_cmp(&b.loss));
        self.population.truncate(POPULATION);
    }

    fn weights(&self) -> &[f32] {
        self.population.first().map_or(&self.start, |best| &best.weights)
    }

    fn is_sound(&self, size: usize) -> bool {
        let is_sound = |member: &Member| member.weights.len() == size;
        self.start.len() == size && self.population.iter().all(is_sound)
    }
}
