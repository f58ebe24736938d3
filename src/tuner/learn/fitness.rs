//! What a method that only compares makes small: the loss over labelled positions, the share
//! of test positions that a search does not solve, or of points that games lose.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::prelude::*;

use crate::chess::{Color, Move, Position};
use crate::eval::Weights;
use crate::tuner::learn::data::LossSource;
use crate::tuner::learn::leaf_search::LeafSearch;
use crate::tuner::learn::self_play::play_out;
use crate::util::checksum::crc32;
use crate::util::pool::on_all_cores;

/// The openings of the games; each is played with both colours.
const OPENINGS: u64 = 8;

/// A position with the moves that solve it.
#[derive(Clone, Debug)]
pub struct TestPosition {
    pub position: Position,
    pub solutions: Vec<Move>,
}

/// How weights are judged.
#[derive(Clone, Debug)]
pub enum Fitness {
    Loss,
    /// Searches of these positions, at least one.
    Suite(Vec<TestPosition>),
    /// Games against the weights of the start, the same openings for all.
    Games,
}

impl Fitness {
    /// The CRC-32 of the positions and solutions of a suite.
    pub fn suite_checksum(&self) -> Option<u32> {
        let Self::Suite(tests) = self else { return None };
        let line = |test: &TestPosition| format!("{} {:?}\n", test.position.fen(), test.solutions);
        Some(crc32(tests.iter().map(line).collect::<String>().as_bytes()))
    }
}

/// What weights are judged by.
#[derive(Clone, Debug)]
pub struct LearnSources<'a> {
    pub fitness: Fitness,
    pub data: LossSource<'a>,
    /// Positions for the curve alone.
    pub test: Option<LossSource<'a>>,
    /// The plies of each search, at least 1.
    pub depth: u32,
}

impl LearnSources<'_> {
    /// What is to be small, of each list of weights, and the positions that were evaluated.
    pub fn losses(&self, asked: &[Vec<f32>]) -> (Vec<f64>, u64) {
        let space = self.data.space();
        let judge = |judged: &(dyn Fn(&Weights) -> (f64, u64) + Sync)| {
            let judged = |free: &Vec<f32>| judged(&space.parameters(free).to_weights());
            let all: Vec<(f64, u64)> = on_all_cores(|| asked.par_iter().map(judged).collect());
            (all.iter().map(|(loss, _)| *loss).collect(), all.iter().map(|it| it.1).sum())
        };
        match &self.fitness {
            Fitness::Loss => {
                let losses = asked.iter().map(|weights| self.data.loss(weights)).collect();
                (losses, self.data.positions() * asked.len() as u64)
            }
            Fitness::Suite(suite) => judge(&|weights| unsolved(suite, weights, self.depth)),
            Fitness::Games => {
                let start = space.parameters(&space.start()).to_weights();
                judge(&|weights| points_lost(weights, &start, self.depth))
            }
        }
    }

    /// What is to be small at these weights, unless that is the loss.
    pub fn fitness_of(&self, weights: &[f32]) -> Option<f64> {
        let is_loss = matches!(self.fitness, Fitness::Loss);
        (!is_loss).then(|| self.losses(&[weights.to_vec()]).0[0])
    }
}

/// The share of positions in which a search finds another move, and its evaluations.
fn unsolved(suite: &[TestPosition], weights: &Weights, depth: u32) -> (f64, u64) {
    let mut search = LeafSearch::new(weights);
    let is_unsolved = |test: &&TestPosition| {
        let mut random = StdRng::seed_from_u64(0);
        let found = search.best_move(&mut test.position.clone(), depth, &mut random);
        found.is_none_or(|found| !test.solutions.contains(&found.m))
    };
    let missed = suite.iter().filter(is_unsolved).count();
    (missed as f64 / suite.len() as f64, search.evaluations)
}

/// The share of the points of games that the opponent has, and the evaluations of both.
fn points_lost(weights: &Weights, opponent: &Weights, depth: u32) -> (f64, u64) {
    let (mut lost, mut evaluations) = (0.0, 0);
    for opening in 0..OPENINGS {
        for (color, players) in
            Color::ALL.into_iter().zip([[weights, opponent], [opponent, weights]])
        {
            let random = &mut StdRng::seed_from_u64(opening);
            let (result, evaluated) = play_out(players, depth, random, |_, _| true);
            evaluations += evaluated;
            lost += f64::from(result.points(!color));
        }
    }
    (lost / (2 * OPENINGS) as f64, evaluations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::san;
    use crate::eval::{Tapered, WEIGHTS};

    #[test]
    fn a_suite_is_solved_or_not() {
        let test = |fen: &str, m: &str| {
            let position = Position::from_fen(fen).unwrap();
            let solutions = vec![san::parse(&position, m).unwrap()];
            TestPosition { position, solutions }
        };
        let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
        let suite = [test(mate, "Ra8#"), test(mate, "Kf1"), test(mate, "Kh1"), test(mate, "Ra8#")];
        assert_eq!(unsolved(&suite, &WEIGHTS, 1).0, 0.5);
        assert_eq!(unsolved(&suite[..1], &WEIGHTS, 2).0, 0.0);
    }

    /// Against themselves weights score half; against weights that know nothing, more.
    #[test]
    fn better_weights_lose_fewer_points() {
        let nothing = Weights::filled(Tapered::ZERO);
        assert_eq!(points_lost(&WEIGHTS, &WEIGHTS, 1).0, 0.5);
        assert!(points_lost(&WEIGHTS, &nothing, 1).0 < 0.1);
        assert!(points_lost(&nothing, &WEIGHTS, 1).0 > 0.9);
    }
}
