//! Answers from games that an evaluation plays against itself.
//!
//! A game begins with random moves. Each side then makes the best move of a small search
//! with the weights in question.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use crate::chess::adjudication::{AdjudicationRules, Adjudicator};
use crate::chess::notation::openings::after_random_moves;
use crate::chess::{Color, GameResult, Position};
use crate::eval::Weights;
use crate::tuner::dataset::Dataset;
use crate::tuner::learn::leaf_search::{FoundMove, LeafSearch};
use crate::tuner::learn::space::WeightSpace;
use crate::tuner::learn::td::Episode;
use crate::tuner::model::{Parameters, sigmoid};
use crate::util::pool::on_all_cores;

/// Random moves at the start of a game, as [`after_random_moves`] counts them.
const RANDOM_PLIES: u32 = 8;
/// A game still undecided at this ply is drawn.
const MAX_PLIES: usize = 200;

/// A level score is no draw: weights near the start find most positions level.
const RULES: AdjudicationRules = AdjudicationRules::SELF_PLAY.wins_only();

/// Which positions of a game an [`Episode`] has; positions in check and known endgames, which
/// have no evaluation by terms, are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnedPosition {
    /// The positions of the game.
    Root,
    /// The ends of the principal variations.
    Leaf,
}

/// Plays games with free weights.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay<'a> {
    pub space: &'a WeightSpace,
    /// The factor from centipawns to the argument of the sigmoid.
    pub scale: f32,
    /// The plies of each search, at least 1.
    pub depth: u32,
    pub learned: LearnedPosition,
}

impl SelfPlay<'_> {
    /// Games with these weights, each with the evaluations that its searches made.
    pub fn games(
        &self,
        weights: &[f32],
        number: usize,
        random: &mut StdRng,
    ) -> Vec<(Episode, u64)> {
        let seeds: Vec<u64> = (0..number).map(|_| random.random()).collect();
        let parameters = self.space.parameters(weights);
        let play = |&seed: &u64| self.play(&parameters, &mut StdRng::seed_from_u64(seed));
        on_all_cores(|| seeds.par_iter().map(play).collect())
    }

    /// A game and the evaluations that its searches made.
    fn play(&self, parameters: &Parameters, random: &mut StdRng) -> (Episode, u64) {
        let weights = parameters.to_weights();
        let mut seen = Dataset::default();
        let (result, evaluations) =
            play_out([&weights; 2], self.depth, random, |position, found| {
                let learned = match self.learned {
                    LearnedPosition::Root => (!position.in_check()).then_some(*position.state()),
                    LearnedPosition::Leaf => found.leaf,
                };
                learned.is_none_or(|state| seen.push_position(&state).is_ok())
            });
        (self.episode(parameters, &seen, result), evaluations)
    }

    fn episode(&self, parameters: &Parameters, seen: &Dataset, result: GameResult) -> Episode {
        let mut episode = Episode { result: result.points(Color::White), ..Episode::default() };
        for row in seen.rows() {
            let expected = sigmoid(self.scale * parameters.score(&row));
            let slope = expected * (1.0 - expected) * self.scale;
            let mut gradient = Parameters::zeros(parameters.0.len());
            parameters.add_score_gradient(&row, slope, &mut gradient);
            episode.expected.push(expected);
            episode.gradients.push(self.space.free_of(&gradient));
        }
        episode
    }
}

/// Plays a game between the weights of White and of Black from a random opening. `goes_on` sees
/// each position with the move that was found; without it the game is drawn. Returns the result
/// and the positions that were evaluated.
pub(super) fn play_out(
    players: [&Weights; 2],
    depth: u32,
    random: &mut StdRng,
    mut goes_on: impl FnMut(&Position, &FoundMove) -> bool,
) -> (GameResult, u64) {
    let mut searches = players.map(LeafSearch::new);
    let mut position = opening(random);
    let mut adjudicator = Adjudicator::new(RULES);
    let result = loop {
        if let Some(result) = GameResult::by_rule(&position) {
            break result;
        }
        let search = &mut searches[position.side_to_move().index()];
        let found = search.best_move(&mut position, depth, random);
        let Some(found) = found.filter(|found| goes_on(&position, found)) else {
            break GameResult::Drawn;
        };
        let white_score = found.score * position.side_to_move().sign();
        if let Some(result) = adjudicator.judge(position.plies(), white_score) {
            break result;
        }
        if position.plies() >= MAX_PLIES {
            break GameResult::Drawn;
        }
        position.make(found.m);
    };
    (result, searches.iter().map(|search| search.evaluations).sum())
}

/// A position after random moves that is not over.
fn opening(random: &mut StdRng) -> Position {
    let start = Position::startpos();
    loop {
        if let Some(position) = after_random_moves(&start, RANDOM_PLIES, random) {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::WEIGHTS;

    fn games(depth: u32, learned: LearnedPosition) -> Vec<(Episode, u64)> {
        let parameters = Parameters::from(&WEIGHTS);
        let mut is_free = vec![false; parameters.0.len()];
        is_free[..5].fill(true);
        let space = WeightSpace::new(parameters, &is_free);
        let play = SelfPlay { space: &space, scale: 0.005, depth, learned };
        play.games(&space.start(), 2, &mut StdRng::seed_from_u64(3))
    }

    #[test]
    fn games_repeat_and_have_what_a_learner_needs() {
        for learned in [LearnedPosition::Root, LearnedPosition::Leaf] {
            let [first, again] = [0; 2].map(|_| games(1, learned));
            assert_eq!(first, again);
            assert_ne!(first[0], first[1]);
            assert!(first[0].1 + first[1].1 > 1000);
            for (Episode { expected, gradients, result }, _) in first {
                assert!(expected.len() > 10 && expected.len() == gradients.len());
                assert!(expected.iter().all(|it| (0.0..=1.0).contains(it)));
                assert!(gradients.iter().all(|it| it.len() == 10));
                assert!([0.0, 0.5, 1.0].contains(&result));
            }
        }
    }
}
