//! Fits the win/draw/loss model of [`eval::wdl`](crate::eval::wdl) to samples.
//!
//! The best model has the least log loss: the mean of minus the logarithm of the
//! probability that it gives to each result. This is a smooth function of the model's eight
//! coefficients, which Newton's method minimises in a few steps. The second derivatives
//! are replaced by their expectation under the model (R. Fisher's scoring), so that every
//! step descends, and steps that are too long are shortened (K. Levenberg, D. Marquardt).
//! The fit is deterministic.
//!
//! Scores and results are from White's side: to the model a loss is a win of the other
//! side.

use std::collections::TryReserveError;
use std::io::BufRead;

use rayon::prelude::*;

use crate::eval::Score;
use crate::eval::wdl::{
    MAX_MATERIAL, MIN_MATERIAL, Model, Probabilities, material, normalised_material,
};
use crate::tuner::sample::{self, DatasetError, Sample};
use crate::util::pool::on_all_cores;

/// Coefficients of both polynomials, first of the margin, then of the spread.
const SIZE: usize = 8;
/// Coefficients of one polynomial.
const POWERS: usize = SIZE / 2;

type Vector = [f64; SIZE];
type Matrix = [Vector; SIZE];

/// The initial model of a fit.
const START: Model = Model { margin: [200.0, 0.0, 0.0, 0.0], spread: [100.0, 0.0, 0.0, 0.0] };

/// The lower bound in centipawns of margin and spread for all material: a win and a loss
/// must never be likely at once, nor the odds change abruptly.
pub const MIN_CENTIPAWNS: f64 = 20.0;
/// The upper bound of both: beyond it scores hardly tell results, or there are too few to say.
pub const MAX_CENTIPAWNS: f64 = 10_000.0;

/// Maximum number of steps of a fit.
const MAX_STEPS: usize = 200;
/// A fit ends when a step reduces the log loss by less than this share …
const MIN_GAIN: f64 = 1e-12;
/// … or when steps with this damping do not reduce it.
const MAX_DAMPING: f64 = 1e12;

/// The lower bound of probabilities, so that every log loss is finite.
const MIN_PROBABILITY: f64 = 1e-300;

/// Indices of results in arrays.
const WIN: usize = 0;
const DRAW: usize = 1;
const LOSS: usize = 2;

/// A score in centipawns and the index of the result, both from White's side.
type ScoredResult = (f64, usize);

/// A position of a game with its material; `None` if the score is a mate, which needs no model.
fn observed(sample: &Sample) -> Option<(u32, ScoredResult)> {
    let result = match sample.result {
        1.0 => WIN,
        0.0 => LOSS,
        _ => DRAW,
    };
    let is_mate = Score::new(sample.score).is_mate();
    (!is_mate).then(|| (material(&sample.position), (sample.score.into(), result)))
}

/// Scores and results, grouped by material.
#[derive(Clone, Debug)]
pub struct Observations(Vec<Vec<ScoredResult>>);

impl Default for Observations {
    fn default() -> Self {
        Self(vec![Vec::new(); (MAX_MATERIAL - MIN_MATERIAL + 1) as usize])
    }
}

impl Observations {
    /// Reads lines of samples and ignores empty ones and mates. `progress` is called with
    /// the number of lines read.
    pub fn read(source: impl BufRead, progress: impl FnMut(usize)) -> Result<Self, DatasetError> {
        let mut observations = Self::default();
        let take = |read: Option<_>| {
            read.map_or(Ok(()), |(material, scored)| observations.push(material, scored))
        };
        sample::read(source, observed, take, progress)?;
        if observations.is_empty() { Err(DatasetError::Empty) } else { Ok(observations) }
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// Adds the positions of another file.
    pub fn append(&mut self, other: Self) -> Result<(), TryReserveError> {
        for (list, more) in self.0.iter_mut().zip(other.0) {
            list.try_reserve(more.len())?;
            list.extend(more);
        }
        Ok(())
    }

    /// Adds a position, if there is memory for it.
    fn push(&mut self, material: u32, scored: ScoredResult) -> Result<(), TryReserveError> {
        let material = material.clamp(MIN_MATERIAL, MAX_MATERIAL);
        let list = &mut self.0[(material - MIN_MATERIAL) as usize];
        list.try_reserve(1)?;
        list.push(scored);
        Ok(())
    }

    /// The lists with their material.
    fn lists(&self) -> impl IndexedParallelIterator<Item = (u32, &[ScoredResult])> {
        self.0.par_iter().enumerate().map(|(index, list)| (MIN_MATERIAL + index as u32, &list[..]))
    }

    /// The mean log loss of a model in nats.
    pub fn log_loss(&self, model: &Model) -> f64 {
        let sum = |(material, list): (u32, &[ScoredResult])| -> f64 {
            let point = |score| Point::new(model, score, material);
            list.iter().map(|&(score, result)| -point(score).probabilities[result].ln()).sum()
        };
        let sums: Vec<f64> = on_all_cores(|| self.lists().map(sum).collect());
        sums.iter().sum::<f64>() / self.len().max(1) as f64
    }

    /// The mean log loss in nats of the frequencies of wins, draws and losses.
    pub fn log_loss_without_scores(&self) -> f64 {
        let mut counts = [0_u64; 3];
        for &(_, result) in self.0.iter().flatten() {
            counts[result] += 1;
        }
        let shares = counts.map(|count| count as f64 / self.len().max(1) as f64);
        shares.iter().filter(|&&share| share > 0.0).map(|share| share * share.recip().ln()).sum()
    }

    /// The derivatives of the log loss by the coefficients of a model.
    fn slope(&self, model: &Model) -> Slope {
        // Per material first by margin and spread, then by the chain rule.
        let sum = |(material, list): (u32, &[ScoredResult])| {
            let mut local = LocalSlope::default();
            for &(score, result) in list {
                local.add(&Point::new(model, score, material), result);
            }
            (material, local)
        };
        let locals: Vec<(u32, LocalSlope)> = on_all_cores(|| self.lists().map(sum).collect());
        let mut slope = Slope { gradient: [0.0; SIZE], curvature: [[0.0; SIZE]; SIZE] };
        for (material, local) in locals {
            let x = normalised_material(material);
            let powers = [1.0, x, x * x, x * x * x];
            for row in 0..SIZE {
                let (curve, power) = (row / POWERS, powers[row % POWERS]);
                slope.gradient[row] += local.gradient[curve] * power;
                for column in 0..SIZE {
                    let other = powers[column % POWERS];
                    slope.curvature[row][column] +=
                        local.curvature[curve][column / POWERS] * power * other;
                }
            }
        }
        slope
    }
}

/// Fits a model to observations.
pub fn fit(observations: &Observations) -> Model {
    let mut model = START;
    let mut log_loss = observations.log_loss(&model);
    let mut damping = 1e-3;
    for _ in 0..MAX_STEPS {
        let slope = observations.slope(&model);
        let step = damped_step(observations, &model, &slope, log_loss, damping);
        let Some((better, less, used)) = step else { break };
        let gain = log_loss - less;
        (model, log_loss, damping) = (better, less, used / 10.0);
        if gain < MIN_GAIN * log_loss {
            break;
        }
    }
    model
}

/// The longest step that reduces the log loss: the model after it, its log loss, and the
/// damping.
fn damped_step(
    observations: &Observations,
    model: &Model,
    slope: &Slope,
    log_loss: f64,
    mut damping: f64,
) -> Option<(Model, f64, f64)> {
    while damping < MAX_DAMPING {
        let candidate = slope.step(damping).map(|step| moved(model, &step));
        if let Some(candidate) = candidate.filter(is_sound) {
            let less = observations.log_loss(&candidate);
            if less < log_loss {
                return Some((candidate, less, damping));
            }
        }
        damping *= 10.0;
    }
    None
}

/// The least and the greatest of margin and spread, over all material.
fn extremes(model: &Model) -> [f64; 2] {
    let values = (MIN_MATERIAL..=MAX_MATERIAL)
        .flat_map(|material| [model.margin(material), model.spread(material)]);
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, greatest], value| {
        [least.min(value), greatest.max(value)]
    })
}

/// Whether margin and spread are within their bounds for all material, which stops an overfit
/// to a handful of games.
fn is_sound(model: &Model) -> bool {
    let [least, greatest] = extremes(model);
    least > MIN_CENTIPAWNS && greatest < MAX_CENTIPAWNS
}

/// The bound that kept a fit from a smaller log loss, if one did: margin or spread are within a
/// centipawn of the lower bound, or a percent of the upper one, for some material.
pub fn limit(model: &Model) -> Option<f64> {
    let [least, greatest] = extremes(model);
    if greatest > 0.99 * MAX_CENTIPAWNS {
        Some(MAX_CENTIPAWNS)
    } else {
        (least < MIN_CENTIPAWNS + 1.0).then_some(MIN_CENTIPAWNS)
    }
}

/// The model after a step of descent.
fn moved(model: &Model, step: &Vector) -> Model {
    let (margin, spread) = step.split_at(POWERS);
    let mut moved = *model;
    moved.margin.iter_mut().zip(margin).for_each(|(value, step)| *value -= step);
    moved.spread.iter_mut().zip(spread).for_each(|(value, step)| *value -= step);
    moved
}

/// The probabilities at a score, and their derivatives by margin and spread.
struct Point {
    /// Of a win, a draw and a loss.
    probabilities: [f64; 3],
    /// The derivatives of the logarithm of each probability.
    slopes: [[f64; 2]; 3],
}

impl Point {
    #[inline]
    fn new(model: &Model, score: f64, material: u32) -> Self {
        let (margin, spread) = (model.margin(material), model.spread(material));
        let Probabilities { win, draw, loss } = model.probabilities(score, material);
        let decided = |rest: f64, score: f64| {
            let factor = -rest / spread;
            [factor, factor * (score - margin) / spread]
        };
        let win_slopes = decided(draw + loss, score);
        let loss_slopes = decided(win + draw, -score);
        let probabilities = [win, draw, loss].map(|value| value.max(MIN_PROBABILITY));
        let drawn = |half: usize| {
            -(win * win_slopes[half] + loss * loss_slopes[half]) / probabilities[DRAW]
        };
        Self { probabilities, slopes: [win_slopes, [drawn(0), drawn(1)], loss_slopes] }
    }
}

/// The derivatives of the summed log loss by margin and spread at one material.
#[derive(Clone, Copy, Debug, Default)]
struct LocalSlope {
    gradient: [f64; 2],
    curvature: [[f64; 2]; 2],
}

impl LocalSlope {
    #[inline]
    fn add(&mut self, point: &Point, result: usize) {
        for row in 0..2 {
            self.gradient[row] -= point.slopes[result][row];
            for column in 0..2 {
                let terms = point.probabilities.iter().zip(&point.slopes);
                self.curvature[row][column] += terms
                    .map(|(probability, slope)| probability * slope[row] * slope[column])
                    .sum::<f64>();
            }
        }
    }
}

/// The derivatives of the summed log loss by the coefficients of a model.
struct Slope {
    gradient: Vector,
    curvature: Matrix,
}

impl Slope {
    /// Newton's step, the shorter the greater the damping; `None` if there is none.
    fn step(&self, damping: f64) -> Option<Vector> {
        let mut damped = self.curvature;
        for (index, row) in damped.iter_mut().enumerate() {
            // Coefficients without samples have no curvature and do not change.
            row[index] += damping * row[index].max(f64::MIN_POSITIVE);
        }
        solve(damped, self.gradient)
    }
}

/// The solution of `matrix · x = vector` by Gaussian elimination, if there is one.
fn solve(mut matrix: Matrix, mut vector: Vector) -> Option<Vector> {
    for column in 0..SIZE {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..SIZE).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        matrix.swap(column, pivot);
        vector.swap(column, pivot);
        let upper = matrix[column];
        for row in column + 1..SIZE {
            let factor = matrix[row][column] / upper[column];
            matrix[row].iter_mut().zip(upper).for_each(|(value, above)| *value -= factor * above);
            vector[row] -= factor * vector[column];
        }
    }
    for row in (0..SIZE).rev() {
        let known: f64 = (row + 1..SIZE).map(|place| matrix[row][place] * vector[place]).sum();
        vector[row] = (vector[row] - known) / matrix[row][row];
    }
    vector.iter().all(|value| value.is_finite()).then_some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuner::SAMPLES;

    const KNOWN: Model =
        Model { margin: [160.0, 40.0, 25.0, -10.0], spread: [80.0, 15.0, -5.0, 8.0] };

    /// Results with the frequencies of the known model.
    fn expected_results() -> Observations {
        const GAMES: usize = 100;
        let mut observations = Observations::default();
        for material in (MIN_MATERIAL..=MAX_MATERIAL).step_by(4) {
            for score in (-600..=600).step_by(20).map(f64::from) {
                let Probabilities { win, draw, .. } = KNOWN.probabilities(score, material);
                for game in 0..GAMES {
                    let place = (game as f64 + 0.5) / GAMES as f64;
                    let result = usize::from(place >= win) + usize::from(place >= win + draw);
                    observations.push(material, (score, result)).unwrap();
                }
            }
        }
        observations
    }

    #[test]
    fn a_known_model_is_recovered() {
        let observations = expected_results();
        let fitted = fit(&observations);
        for material in MIN_MATERIAL..=MAX_MATERIAL {
            assert!((fitted.margin(material) - KNOWN.margin(material)).abs() < 1.0, "{fitted}");
            assert!((fitted.spread(material) - KNOWN.spread(material)).abs() < 1.0, "{fitted}");
        }
        assert!(observations.log_loss(&fitted) <= observations.log_loss(&KNOWN));
        assert!(observations.log_loss(&fitted) < observations.log_loss_without_scores());
        assert_eq!(limit(&fitted), None);
    }

    /// With the results turned round the best model would have an infinite spread.
    #[test]
    fn a_fit_ends_at_its_upper_bound() {
        let mut observations = expected_results();
        observations.0.iter_mut().flatten().for_each(|(score, _)| *score = -*score);
        let fitted = fit(&observations);
        assert!(is_sound(&fitted) && limit(&fitted) == Some(MAX_CENTIPAWNS), "{fitted}");
    }

    #[test]
    fn every_step_reduces_the_log_loss() {
        let observations = expected_results();
        let mut model = START;
        for _ in 0..2 {
            let (log_loss, slope) = (observations.log_loss(&model), observations.slope(&model));
            let step = damped_step(&observations, &model, &slope, log_loss, 1e-3);
            let (better, less, _) = step.unwrap();
            assert!(
                less < log_loss && less == observations.log_loss(&better),
                "{log_loss}, {less}"
            );
            model = better;
        }
    }

    #[test]
    fn the_gradient_is_the_derivative_of_the_log_loss() {
        let observations = expected_results();
        let Slope { gradient, .. } = observations.slope(&START);
        for (place, slope) in gradient.iter().enumerate() {
            let nearby = |distance: f64| {
                let mut step = [0.0; SIZE];
                step[place] = -distance;
                observations.log_loss(&moved(&START, &step)) * observations.len() as f64
            };
            let measured = (nearby(1e-3) - nearby(-1e-3)) / 2e-3;
            assert!((slope - measured).abs() < 1e-4 * slope.abs().max(1.0), "number {place}");
        }
    }

    #[test]
    fn a_few_positions_give_a_sound_model() {
        let few = Observations::read(SAMPLES.as_bytes(), |_| {}).unwrap();
        assert_eq!(few.len(), 4);
        let fitted = fit(&few);
        assert!(is_sound(&fitted), "{fitted}");
        assert!(few.log_loss(&fitted) < few.log_loss(&START));
    }

    #[test]
    fn mates_and_empty_lines_are_left_out() {
        let kings = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
        let text = format!("{kings} | 30995 | 1\n\n{kings} | 0 | 0.5\n");
        assert_eq!(Observations::read(text.as_bytes(), |_| {}).unwrap().len(), 1);
        let mate = format!("{kings} | -30990 | 0\n");
        assert!(matches!(Observations::read(mate.as_bytes(), |_| {}), Err(DatasetError::Empty)));
    }

    #[test]
    fn appended_and_joint_observations_are_equal() {
        let read = |text: &str| Observations::read(text.as_bytes(), |_| {}).unwrap();
        let (first, second) = SAMPLES.split_at(SAMPLES.find('\n').unwrap() + 1);
        let mut appended = read(first);
        appended.append(read(second)).unwrap();
        let together = read(SAMPLES);
        assert_eq!(appended.len(), together.len());
        assert_eq!(appended.log_loss(&KNOWN), together.log_loss(&KNOWN));
        assert!((together.log_loss_without_scores() - 1.5 * 2f64.ln()).abs() < 1e-12);
    }
}
