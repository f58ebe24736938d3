//! What scores came to: the fit of the model of [`wdl`](crate::eval::wdl).
//!
//! The best model is the one that is least surprised by the results, where the
//! surprise of a result is minus the logarithm of the chance that the model gave
//! it. The mean surprise is a smooth function of eight numbers, which Newton's
//! method brings down in a few steps. For its second derivatives it takes what
//! they are expected to be under the model (R. Fisher's scoring), so that every
//! step leads downhill, and steps that lead too far are shortened (K. Levenberg,
//! D. Marquardt). There is no chance in it: the same samples give the same model.
//!
//! Scores and results are from White's side, and need not be turned: a loss is a
//! win of the other side to the model too.

use std::cmp::Ordering;
use std::collections::TryReserveError;
use std::io::BufRead;

use rayon::prelude::*;

use crate::eval::Score;
use crate::eval::wdl::{MAX_MATERIAL, MIN_MATERIAL, Model, material, normalised_material};
use crate::tuner::sample::{self, DatasetError, Sample};
use crate::util::pool::on_all_cores;

/// Coefficients of both polynomials: those of the margin, then of the spread.
const SIZE: usize = 8;
/// Powers of the material in a polynomial.
const POWERS: usize = SIZE / 2;

type Vector = [f64; SIZE];
type Matrix = [Vector; SIZE];

/// Where a fit begins, whatever model is in use: it should not depend on that.
const START: Model = Model { margin: [200.0, 0.0, 0.0, 0.0], spread: [100.0, 0.0, 0.0, 0.0] };

/// Margin and spread of a model are above so many centipawns everywhere: a win and
/// a loss must never be likely at once, nor the odds turn in an instant.
const LEAST: f64 = 20.0;

/// Steps after which a fit ends in any case.
const MAX_STEPS: usize = 200;
/// A fit ends when a step gains less than this share of the surprise …
const LEAST_GAIN: f64 = 1e-12;
/// … or when steps so short gain nothing.
const MAX_DAMPING: f64 = 1e12;

/// A chance is never taken for less, so that no result is infinitely surprising.
const LEAST_CHANCE: f64 = 1e-300;

/// A position of a game.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// From White's side.
    pub centipawns: i32,
    pub material: u32,
    /// White's result compared with a draw.
    pub result: Ordering,
}

impl Observation {
    /// What a sample says, unless its score is a mate, which needs no model.
    fn of(sample: &Sample) -> Option<Self> {
        (!Score::new(sample.score).is_mate()).then(|| Self {
            centipawns: sample.score,
            material: material(&sample.position),
            result: sample.result.total_cmp(&0.5),
        })
    }

    /// What the fit needs to know besides the material.
    fn outcome(&self) -> (f64, Ordering) {
        (f64::from(self.centipawns), self.result)
    }
}

/// Scores and results, kept apart by the material that the model tells apart.
#[derive(Clone, Debug)]
pub struct Observations(Vec<Vec<(f64, Ordering)>>);

impl FromIterator<Observation> for Observations {
    fn from_iter<I: IntoIterator<Item = Observation>>(observations: I) -> Self {
        let mut sorted = Self::default();
        for observation in observations {
            sorted.list(observation.material).push(observation.outcome());
        }
        sorted
    }
}

impl Default for Observations {
    fn default() -> Self {
        Self(vec![Vec::new(); (MAX_MATERIAL - MIN_MATERIAL + 1) as usize])
    }
}

impl Observations {
    /// Reads lines of samples; empty ones and mates do not count. `progress` hears
    /// how many were read.
    ///
    /// # Errors
    ///
    /// As for [`sample::read`], and if there is no position.
    pub fn read(source: impl BufRead, progress: impl FnMut(usize)) -> Result<Self, DatasetError> {
        let mut observations = Self::default();
        let take = |read: Option<Observation>| read.map_or(Ok(()), |read| observations.push(read));
        sample::read(source, Observation::of, take, progress)?;
        if observations.is_empty() { Err(DatasetError::Empty) } else { Ok(observations) }
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// Adds the positions of another file.
    ///
    /// # Errors
    ///
    /// If there is no memory for all of them.
    pub fn append(&mut self, other: Self) -> Result<(), TryReserveError> {
        for (list, more) in self.0.iter_mut().zip(other.0) {
            list.try_reserve(more.len())?;
            list.extend(more);
        }
        Ok(())
    }

    /// Adds a position, if there is memory for it.
    fn push(&mut self, observation: Observation) -> Result<(), TryReserveError> {
        let list = self.list(observation.material);
        list.try_reserve(1)?;
        list.push(observation.outcome());
        Ok(())
    }

    /// The list of positions of so much material.
    fn list(&mut self, material: u32) -> &mut Vec<(f64, Ordering)> {
        let held = material.clamp(MIN_MATERIAL, MAX_MATERIAL);
        &mut self.0[(held - MIN_MATERIAL) as usize]
    }

    /// The lists with their material.
    fn lists(&self) -> impl IndexedParallelIterator<Item = (u32, &[(f64, Ordering)])> {
        self.0.par_iter().enumerate().map(|(index, list)| (MIN_MATERIAL + index as u32, &list[..]))
    }

    /// The mean surprise of a model, in nats.
    pub fn log_loss(&self, model: &Model) -> f64 {
        let sum = |(material, list): (u32, &[(f64, Ordering)])| -> f64 {
            let point = |score| Point::new(model, score, material);
            list.iter().map(|&(score, result)| point(score).log_loss(result)).sum()
        };
        let sums: Vec<f64> = on_all_cores(|| self.lists().map(sum).collect());
        sums.iter().sum::<f64>() / self.len().max(1) as f64
    }

    /// The mean surprise, in nats, of one who knows only how many games are won,
    /// drawn and lost.
    pub fn log_loss_without_scores(&self) -> f64 {
        let count =
            |wanted| self.0.iter().flatten().filter(|(_, result)| *result == wanted).count();
        let results = [Ordering::Greater, Ordering::Equal, Ordering::Less].map(count);
        let shares = results.map(|number| number as f64 / self.len().max(1) as f64);
        shares.iter().filter(|&&share| share > 0.0).map(|share| share * share.recip().ln()).sum()
    }

    /// How the surprise of a model changes with its numbers.
    fn slope(&self, model: &Model) -> Slope {
        // Only margin and spread differ from one material to another: the rest of
        // the chain rule is done once a list.
        let sum = |(material, list): (u32, &[(f64, Ordering)])| {
            let mut local = Local::default();
            for &(score, result) in list {
                local.add(&Point::new(model, score, material), result);
            }
            (material, local)
        };
        let locals: Vec<(u32, Local)> = on_all_cores(|| self.lists().map(sum).collect());
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

/// Fits a model to observations. `progress` hears the mean surprise at the start and
/// after each step, which is always less than before.
pub fn fit(observations: &Observations, mut progress: impl FnMut(f64)) -> Model {
    let mut model = START;
    let mut log_loss = observations.log_loss(&model);
    let mut damping = 1e-3;
    progress(log_loss);
    for _ in 0..MAX_STEPS {
        let slope = observations.slope(&model);
        let Some((better, less, used)) = shorten(observations, &model, &slope, log_loss, damping)
        else {
            break;
        };
        let gain = log_loss - less;
        (model, log_loss, damping) = (better, less, used / 10.0);
        progress(log_loss);
        if gain < LEAST_GAIN * log_loss {
            break;
        }
    }
    model
}

/// The longest step that gains something: the model after it, its surprise, and
/// the damping that made the step short enough.
fn shorten(
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

/// Whether margin and spread are large enough for every material. A fit to a handful
/// of games, which could be explained too well, ends where this does.
fn is_sound(model: &Model) -> bool {
    (MIN_MATERIAL..=MAX_MATERIAL)
        .all(|material| model.margin(material) > LEAST && model.spread(material) > LEAST)
}

/// The model a step further down.
fn moved(model: &Model, step: &Vector) -> Model {
    let (margin, spread) = step.split_at(POWERS);
    let mut moved = *model;
    moved.margin.iter_mut().zip(margin).for_each(|(value, step)| *value -= step);
    moved.spread.iter_mut().zip(spread).for_each(|(value, step)| *value -= step);
    moved
}

/// The chances at a score, and how they change with margin and spread.
struct Point {
    /// Of a win, a draw and a loss.
    chances: [f64; 3],
    /// The derivatives of the logarithm of each chance.
    slopes: [[f64; 2]; 3],
}

impl Point {
    #[inline]
    fn new(model: &Model, score: f64, material: u32) -> Self {
        let (margin, spread) = (model.margin(material), model.spread(material));
        let chances = model.probabilities(score, material);
        let decided = |rest: f64, score: f64| {
            let factor = -rest / spread;
            [factor, factor * (score - margin) / spread]
        };
        let win = decided(chances.draw + chances.loss, score);
        let loss = decided(chances.win + chances.draw, -score);
        // What neither side wins is drawn.
        let draw = chances.draw.max(LEAST_CHANCE);
        let drawn = |half: usize| -(chances.win * win[half] + chances.loss * loss[half]) / draw;
        Self {
            chances: [chances.win, draw, chances.loss].map(|chance| chance.max(LEAST_CHANCE)),
            slopes: [win, [drawn(0), drawn(1)], loss],
        }
    }

    fn log_loss(&self, result: Ordering) -> f64 {
        -self.chances[index(result)].ln()
    }
}

/// Win, draw, loss.
const fn index(result: Ordering) -> usize {
    match result {
        Ordering::Greater => 0,
        Ordering::Equal => 1,
        Ordering::Less => 2,
    }
}

/// The derivatives of the surprise by margin and spread at one material.
#[derive(Clone, Copy, Debug, Default)]
struct Local {
    gradient: [f64; 2],
    curvature: [[f64; 2]; 2],
}

impl Local {
    #[inline]
    fn add(&mut self, point: &Point, result: Ordering) {
        let seen = point.slopes[index(result)];
        for row in 0..2 {
            self.gradient[row] -= seen[row];
            for column in 0..2 {
                self.curvature[row][column] += point
                    .chances
                    .iter()
                    .zip(&point.slopes)
                    .map(|(chance, slope)| chance * slope[row] * slope[column])
                    .sum::<f64>();
            }
        }
    }
}

/// The derivatives of the summed surprise by all numbers of a model.
struct Slope {
    gradient: Vector,
    curvature: Matrix,
}

impl Slope {
    /// Newton's step, the shorter the more damping; `None` if there is none.
    fn step(&self, damping: f64) -> Option<Vector> {
        let mut damped = self.curvature;
        for (place, row) in damped.iter_mut().enumerate() {
            // What no sample speaks of has no curvature, and stays as it is.
            row[place] += damping * row[place].max(f64::MIN_POSITIVE);
        }
        solve(damped, self.gradient)
    }
}

/// The solution of `matrix · x = vector` by elimination, if there is one.
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

    /// Results as often as the known model expects them.
    fn expected_results() -> Observations {
        const GAMES: usize = 100;
        let places = (MIN_MATERIAL..=MAX_MATERIAL).step_by(4);
        let scores = (-600..=600).step_by(20);
        places
            .flat_map(|material| scores.clone().map(move |centipawns| (centipawns, material)))
            .flat_map(|(centipawns, material)| {
                let chances = KNOWN.probabilities(centipawns.into(), material);
                (0..GAMES).map(move |game| {
                    let luck = (game as f64 + 0.5) / GAMES as f64;
                    let result = if luck < chances.win {
                        Ordering::Greater
                    } else if luck < chances.win + chances.draw {
                        Ordering::Equal
                    } else {
                        Ordering::Less
                    };
                    Observation { centipawns, material, result }
                })
            })
            .collect()
    }

    #[test]
    fn a_known_model_is_recovered() {
        let observations = expected_results();
        let fitted = fit(&observations, |_| {});
        for material in MIN_MATERIAL..=MAX_MATERIAL {
            assert!((fitted.margin(material) - KNOWN.margin(material)).abs() < 1.0, "{fitted}");
            assert!((fitted.spread(material) - KNOWN.spread(material)).abs() < 1.0, "{fitted}");
        }
        assert!(observations.log_loss(&fitted) <= observations.log_loss(&KNOWN));
        assert!(observations.log_loss(&fitted) < observations.log_loss_without_scores());
    }

    #[test]
    fn every_step_lowers_the_surprise() {
        let mut losses = Vec::new();
        fit(&expected_results(), |log_loss| losses.push(log_loss));
        assert!(losses.len() > 2, "{losses:?}");
        assert!(losses.windows(2).all(|pair| pair[1] < pair[0]), "{losses:?}");
    }

    #[test]
    fn slopes_are_those_of_the_surprise() {
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
        let fitted = fit(&few, |_| {});
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
        let bad = format!("{kings} | 0 | 0.5\nx | 0 | 1\n");
        let error = Observations::read(bad.as_bytes(), |_| {}).unwrap_err();
        assert!(matches!(error, DatasetError::Line { line: 2, .. }), "{error}");
    }

    #[test]
    fn appended_positions_count_like_those_read_together() {
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
