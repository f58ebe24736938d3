//! Gradient descent until the loss of the validation positions stops falling, and what the
//! loss loses without a term.

use std::ops::ControlFlow;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::tuner::dataset::Dataset;
use crate::tuner::model::{Objective, Parameters, range_of};
use crate::util::pool::on_all_cores;

/// Positions per parallel task. The results are added in order, so that a fit does not
/// depend on the number of cores.
const CHUNK: usize = 1024;

/// Number of blocks of games, some of which are for validation.
const BLOCKS: usize = 400;

/// The options of a fit.
#[derive(Clone, Debug)]
pub struct FitConfig {
    /// Maximum number of passes over all positions.
    pub epochs: usize,
    /// Positions per step.
    pub batch: usize,
    /// The initial step size in centipawns.
    pub rate: f32,
    /// L2 pull towards the starting weights.
    pub pull: f32,
    /// The share of the games whose positions are held back and decide which weights are the
    /// best; below 1.
    pub validation: f64,
    /// Epochs without improvement after which the fit stops.
    pub patience: usize,
    /// The seed of the shuffling.
    pub seed: u64,
}

impl Default for FitConfig {
    fn default() -> Self {
        Self {
            epochs: 30,
            batch: 16_384,
            rate: 2.0,
            pull: 1e-9,
            validation: 0.05,
            patience: 20,
            seed: 1,
        }
    }
}

/// The losses of an epoch.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Epoch {
    /// From 1; 0 is the start.
    #[serde(rename = "epoch")]
    pub number: usize,
    /// The mean loss over the training positions, during the epoch.
    pub training: f64,
    /// The mean loss over the validation positions, after the epoch; `None` without any.
    pub validation: Option<f64>,
}

/// Fits parameters to a dataset, from `start`; `frozen` terms do not change. Returns the
/// parameters with the least loss over the validation positions, or over all positions if
/// none are for validation: `start` itself if no epoch has a smaller one. `progress` is called
/// for the start and after each epoch, and can end the fit.
pub fn fit(
    dataset: &Dataset,
    start: &Parameters,
    objective: &Objective,
    frozen: &[bool],
    config: &FitConfig,
    mut progress: impl FnMut(Epoch) -> ControlFlow<()>,
) -> Parameters {
    let begins_game = |index| dataset.begins_game(index);
    let (mut order, validation) = split(dataset.len(), config.validation, begins_game);
    let is_validated = !validation.is_empty();
    let deciding = if is_validated { validation } else { order.clone() };
    let mut random = StdRng::seed_from_u64(config.seed);
    let mut adam = Adam::new(2 * start.0.len());
    // Takes a step for each batch of the positions. Returns their mean loss meanwhile.
    let mut descend = |parameters: &mut Parameters, order: &[usize], rate: f32| {
        let mut sum = 0.0;
        for batch in order.chunks(config.batch.max(1)) {
            let (loss, mut gradient) = gradient(dataset, parameters, objective, batch);
            sum += loss;
            for (slope, (now, then)) in gradient.0.iter_mut().zip(parameters.0.iter().zip(&start.0))
            {
                for half in 0..2 {
                    slope[half] /= batch.len() as f32;
                    slope[half] += config.pull * (now[half] - then[half]);
                }
            }
            for (slope, _) in gradient.0.iter_mut().zip(frozen).filter(|&(_, &frozen)| frozen) {
                *slope = [0.0; 2];
            }
            adam.step(parameters.0.as_flattened_mut(), gradient.0.as_flattened(), rate);
        }
        sum / order.len().max(1) as f64
    };
    let mut parameters = start.clone();
    let mut best = (f64::INFINITY, start.clone());
    let mut since_best = 0;
    for number in 0..=config.epochs {
        let training = if number == 0 {
            mean_loss(dataset, start, objective, &order)
        } else {
            order.shuffle(&mut random);
            // The step size falls to zero by half a cosine.
            let angle = std::f32::consts::PI * (number - 1) as f32 / config.epochs as f32;
            descend(&mut parameters, &order, config.rate * (1.0 + angle.cos()) / 2.0)
        };
        let loss = mean_loss(dataset, &parameters, objective, &deciding);
        since_best += 1;
        if loss < best.0 {
            best = (loss, parameters.clone());
            since_best = 0;
        }
        let validation = is_validated.then_some(loss);
        let flow = progress(Epoch { number, training, validation });
        if flow.is_break() || since_best >= config.patience {
            break;
        }
    }
    best.1
}

/// The training and the validation positions, both whole games, since the positions of a game
/// are much alike. Validation blocks are spread evenly, so that each part of the dataset has
/// its share of both.
fn split(
    positions: usize,
    share: f64,
    begins_game: impl Fn(usize) -> bool,
) -> (Vec<usize>, Vec<usize>) {
    let games = (0..positions).filter(|&index| begins_game(index)).count();
    let block = games.div_ceil(BLOCKS).max(1);
    let validation_before = |blocks: usize| (blocks as f64 * share).floor();
    let mut game = 0;
    (0..positions).partition(|&index| {
        game += usize::from(index > 0 && begins_game(index));
        let number = game / block;
        validation_before(number + 1) == validation_before(number)
    })
}

/// The mean loss over the positions at `indices`; 0 if there are none.
pub fn mean_loss(
    dataset: &Dataset,
    parameters: &Parameters,
    objective: &Objective,
    indices: &[usize],
) -> f64 {
    let count = indices.len().max(1) as f64;
    let loss = |chunk: &[usize]| objective.loss(dataset, parameters, chunk);
    let sums: Vec<f64> = on_all_cores(|| indices.par_chunks(CHUNK).map(loss).collect());
    sums.iter().sum::<f64>() / count
}

/// The loss of a batch and its gradient, both summed over the positions.
pub fn gradient(
    dataset: &Dataset,
    parameters: &Parameters,
    objective: &Objective,
    batch: &[usize],
) -> (f64, Parameters) {
    let part = |chunk: &[usize]| {
        let mut gradient = Parameters::zeros(parameters.0.len());
        let loss = objective.add_gradient(dataset, parameters, chunk, &mut gradient);
        (loss, gradient)
    };
    let parts: Vec<(f64, Parameters)> =
        on_all_cores(|| batch.par_chunks(CHUNK).map(part).collect());
    let mut total = (0.0, Parameters::zeros(parameters.0.len()));
    for (loss, part) in parts {
        total.0 += loss;
        for (sum, slope) in total.1.0.iter_mut().zip(part.0) {
            sum[0] += slope[0];
            sum[1] += slope[1];
        }
    }
    total
}

/// The loss of parameters with their best scale.
pub fn best_loss(dataset: &Dataset, parameters: &Parameters, blend: f32) -> f64 {
    loss_and_objective(dataset, parameters, blend).0
}

/// The same, and the objective with the scales.
pub fn loss_and_objective(
    dataset: &Dataset,
    parameters: &Parameters,
    blend: f32,
) -> (f64, Objective) {
    let objective = Objective::fitted(dataset, parameters, blend);
    let all: Vec<usize> = (0..dataset.len()).collect();
    (mean_loss(dataset, parameters, &objective, &all), objective)
}

/// The loss of parameters without the term, or the group of terms, of this name: its
/// weights are 0 and all others stay.
pub fn loss_without(name: &str, dataset: &Dataset, parameters: &Parameters, blend: f32) -> f64 {
    let mut without = parameters.clone();
    without.0[range_of(name)].fill([0.0; 2]);
    best_loss(dataset, &without, blend)
}

/// Adam (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015): the
/// running means of the gradient and of its square, which make the step size
/// independent of the scale of the loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adam {
    steps: i32,
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Adam {
    const MEAN_DECAY: f32 = 0.9;
    const SQUARE_DECAY: f32 = 0.999;

    /// The means for this many values.
    pub fn new(values: usize) -> Self {
        Self { steps: 0, mean: vec![0.0; values], square: vec![0.0; values] }
    }

    /// Whether this has the means for `values` values; a state from a file may not.
    pub fn is_sound(&self, values: usize) -> bool {
        let sizes = [self.mean.len(), self.square.len()];
        sizes == [values; 2] && (0..i32::MAX / 2).contains(&self.steps)
    }

    /// Moves each value against its slope, by about `rate`. A value without a slope so far
    /// stays.
    pub fn step(&mut self, values: &mut [f32], slopes: &[f32], rate: f32) {
        self.steps += 1;
        let mean_bias = 1.0 - Self::MEAN_DECAY.powi(self.steps);
        let square_bias = 1.0 - Self::SQUARE_DECAY.powi(self.steps);
        let means = self.mean.iter_mut().zip(&mut self.square);
        for ((value, slope), (mean, square)) in values.iter_mut().zip(slopes).zip(means) {
            *mean += (1.0 - Self::MEAN_DECAY) * (slope - *mean);
            *square += (1.0 - Self::SQUARE_DECAY) * (slope * slope - *square);
            let size = (*square / square_bias).sqrt() + 1e-12;
            *value -= rate * (*mean / mean_bias) / size;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow::{Break, Continue};

    use super::{FitConfig, fit, mean_loss, split};
    use crate::eval::{WEIGHTS, evaluate_fresh};
    use crate::tuner::dataset::Dataset;
    use crate::tuner::model::{Objective, Parameters};
    use crate::tuner::sample::Sample;

    /// Positions with the scores of Lovec's evaluation.
    fn own_scores() -> Dataset {
        let mut text = String::new();
        for line in include_str!("../../tests/data/wac.epd").lines().take(120) {
            let fen: Vec<&str> = line.split(' ').take(4).collect();
            let fen = format!("{} 0 1", fen.join(" "));
            let sample: Sample = format!("{fen} | 0 | 0.5").parse().unwrap();
            let position = &sample.position;
            let score = evaluate_fresh(position).cp() * position.side_to_move().sign();
            text += &format!("{fen} | {score} | 0.5\n");
        }
        Dataset::read(text.as_bytes(), |_| {}).unwrap()
    }

    fn setting() -> (Dataset, Parameters, Objective, FitConfig) {
        let objective = Objective { scale: 0.005, score_scale: 0.005, blend: 0.0 };
        let config =
            FitConfig { epochs: 60, batch: 32, rate: 4.0, validation: 0.0, ..FitConfig::default() };
        (own_scores(), Parameters::from(&WEIGHTS), objective, config)
    }

    #[test]
    fn a_fit_recovers_changed_weights() {
        let (dataset, truth, objective, config) = setting();
        let mut changed = truth.clone();
        for kind in 0..5 {
            changed.0[kind] = [100.0; 2];
        }
        let frozen = vec![false; truth.0.len()];
        let all: Vec<usize> = (0..dataset.len()).collect();
        let loss = |parameters: &Parameters| mean_loss(&dataset, parameters, &objective, &all);
        let fitted = fit(&dataset, &changed, &objective, &frozen, &config, |_| Continue(()));
        assert!(loss(&truth) < 1e-6, "{}", loss(&truth));
        assert!(loss(&fitted) < loss(&changed) / 20.0, "{} {}", loss(&fitted), loss(&changed));
    }

    #[test]
    fn validation_positions_are_spread_evenly() {
        for positions in [9_600, 12_000, 883_107] {
            let (training, validation) = split(positions, 0.05, |index| index % 12 == 0);
            assert_eq!(training.len() + validation.len(), positions);
            let games = |indices: &[usize]| indices.iter().map(|it| it / 12).collect::<Vec<_>>();
            let held_out = games(&validation);
            assert!(games(&training).iter().all(|game| held_out.binary_search(game).is_err()));
            let quarter = positions / 4;
            for part in 0..4 {
                let range = part * quarter..(part + 1) * quarter;
                let count = validation.iter().filter(|index| range.contains(index)).count();
                let share = count as f64 / quarter as f64;
                assert!((share - 0.05).abs() < 0.012, "{share}");
            }
        }
        assert!(split(7, 0.0, |_| true).1.is_empty());
        // There is always something to learn from.
        assert_eq!(split(3, 0.9, |_| true), (vec![0], vec![1, 2]));
    }

    #[test]
    fn a_fit_that_is_ended_returns_the_best_so_far() {
        let (dataset, truth, objective, config) = setting();
        let config = FitConfig { rate: 0.2, ..config };
        let mut start = truth.clone();
        start.0[1] = [0.0; 2];
        let frozen = vec![false; truth.0.len()];
        let run = |epochs| {
            let end = |number| if number == epochs { Break(()) } else { Continue(()) };
            fit(&dataset, &start, &objective, &frozen, &config, |epoch| end(epoch.number))
        };
        assert_eq!(run(0), start);
        let all: Vec<usize> = (0..dataset.len()).collect();
        let loss = |parameters: &_| mean_loss(&dataset, parameters, &objective, &all);
        assert!(loss(&run(1)) < loss(&start));
    }

    #[test]
    fn a_fit_is_reproducible_and_keeps_frozen_terms() {
        let (dataset, truth, objective, config) = setting();
        let config = FitConfig { epochs: 3, ..config };
        let mut start = truth.clone();
        start.0[1] = [0.0; 2];
        let mut frozen = vec![false; truth.0.len()];
        frozen[1] = true;
        let run = || fit(&dataset, &start, &objective, &frozen, &config, |_| Continue(()));
        let first = run();
        assert_eq!(first, run());
        assert_eq!(first.0[1], [0.0; 2]);
        assert_ne!(first.0[2], start.0[2]);
    }
}
