//! The score as a function of the weights, and the expected result.

use std::ops::Range;

use crate::eval::nonlinear::{DANGER_LIMIT, DANGER_LINE, DANGER_SQUARE};
use crate::eval::terms::Weights;
use crate::eval::{Tapered, WEIGHTS};
use crate::tuner::dataset::{Coefficient, Dataset, DatasetRow, Label};

/// The weights as real numbers: a middlegame and an endgame value for each term, in the
/// order of declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters(pub Vec<[f32; 2]>);

impl Parameters {
    pub fn zeros(terms: usize) -> Self {
        Self(vec![[0.0; 2]; terms])
    }

    /// The score of a position in centipawns, from White's side.
    #[inline]
    pub fn score(&self, row: &DatasetRow<'_>) -> f32 {
        Parts::new(self, row).score(row.label)
    }

    /// Adds `factor` times the derivatives of the score of a position to a gradient.
    pub fn add_score_gradient(&self, row: &DatasetRow<'_>, factor: f32, gradient: &mut Parameters) {
        Parts::new(self, row).add_gradient(row, factor, gradient);
    }

    /// The sum of a list of terms, middlegame and endgame.
    #[inline]
    fn sum(&self, coefficients: &[Coefficient]) -> [f32; 2] {
        let mut halves = [0.0; 2];
        for coefficient in coefficients {
            let weight = self.0[usize::from(coefficient.term)];
            let count = f32::from(coefficient.count);
            halves[0] += weight[0] * count;
            halves[1] += weight[1] * count;
        }
        halves
    }

    /// Adds `slopes` times its count to each term.
    #[inline]
    fn add(&mut self, coefficients: &[Coefficient], slopes: [f32; 2]) {
        for coefficient in coefficients {
            let count = f32::from(coefficient.count);
            let gradient = &mut self.0[usize::from(coefficient.term)];
            gradient[0] += slopes[0] * count;
            gradient[1] += slopes[1] * count;
        }
    }

    /// The weights, rounded to steps of a centipawn.
    pub fn to_weights(&self) -> Weights {
        let mut weights = Weights::filled(Tapered::ZERO);
        let places = weights.tables_mut().into_iter().flat_map(|table| table.values);
        for (place, value) in places.zip(&self.0) {
            *place = Tapered::new(f64::from(value[0]), f64::from(value[1]));
        }
        weights
    }
}

impl From<&Weights> for Parameters {
    fn from(weights: &Weights) -> Self {
        let values = weights.tables().into_iter().flat_map(|table| table.values.iter());
        Self(values.map(|v| [v.middlegame() as f32, v.endgame() as f32]).collect())
    }
}

/// The indices of the weights of a term, or of a group of terms; empty if none has the name.
pub fn range_of(name: &str) -> Range<usize> {
    let (mut place, mut range) = (0, 0..0);
    for table in WEIGHTS.tables() {
        let start = place;
        place += table.values.len();
        if table.name == name || table.group == name {
            // The terms of a group are declared one after the other.
            range = if range.is_empty() { start..place } else { range.start..place };
        }
    }
    range
}

/// The parts of a score, which [`nonlinear`](crate::eval::nonlinear) combines.
#[derive(Clone, Copy, Debug)]
struct Parts {
    /// The units of danger to White's and Black's king.
    danger: [[f32; 2]; 2],
    /// The sum of everything but the initiative.
    halves: [f32; 2],
    /// The units of initiative.
    initiative: f32,
}

/// The signs of the danger to White's and to Black's king.
const SIGNS: [f32; 2] = [1.0, -1.0];

impl Parts {
    #[inline]
    fn new(parameters: &Parameters, row: &DatasetRow<'_>) -> Self {
        let mut halves = parameters.sum(row.score);
        let danger = row.danger.map(|list| parameters.sum(list));
        for (units, sign) in danger.iter().zip(SIGNS) {
            let [middlegame, endgame] = units.map(|units| units.clamp(0.0, DANGER_LIMIT as f32));
            halves[0] -= sign * middlegame * middlegame / DANGER_SQUARE as f32;
            halves[1] -= sign * endgame / DANGER_LINE as f32;
        }
        Self { danger, halves, initiative: parameters.sum(row.initiative)[1] }
    }

    #[inline]
    fn score(&self, label: &Label) -> f32 {
        let [middlegame, endgame] = self.halves;
        let bonus = endgame.signum() * self.initiative.clamp(-endgame.abs(), endgame.abs());
        middlegame * label.middlegame + (endgame + bonus) * label.endgame
    }

    /// Adds the derivatives of the score times `factor`.
    #[inline]
    fn add_gradient(&self, row: &DatasetRow<'_>, factor: f32, gradient: &mut Parameters) {
        let endgame = self.halves[1];
        // Beyond its limits the initiative is the endgame value, or the negative of it.
        let within = self.initiative.abs() < endgame.abs();
        let dscore_dendgame = if within { 1.0 } else { 1.0 + self.initiative.signum() };
        let dscore_dinitiative = if within { endgame.signum() } else { 0.0 };
        let Label { middlegame, endgame, .. } = row.label;
        let slopes = [factor * middlegame, factor * endgame * dscore_dendgame];
        gradient.add(row.score, slopes);
        gradient.add(row.initiative, [0.0, factor * endgame * dscore_dinitiative]);
        for ((list, units), sign) in row.danger.into_iter().zip(self.danger).zip(SIGNS) {
            let within = units.map(|units| units > 0.0 && units < DANGER_LIMIT as f32);
            let dmiddlegame = if within[0] { 2.0 * units[0] / DANGER_SQUARE as f32 } else { 0.0 };
            let dendgame = if within[1] { 1.0 / DANGER_LINE as f32 } else { 0.0 };
            gradient.add(list, [-sign * dmiddlegame * slopes[0], -sign * dendgame * slopes[1]]);
        }
    }
}

/// The logistic function.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The range of fitted scales.
const MIN_SCALE: f32 = 0.0005;
const MAX_SCALE: f32 = 0.03;

/// An end of the range of scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScaleLimit {
    /// Scores do not tell results.
    Least,
    /// Scores tell all results, as of too few positions.
    Greatest,
}

/// How scores become expected results, and the targets of these.
#[derive(Clone, Copy, Debug)]
pub struct Objective {
    /// The factor from centipawns of the evaluation to the argument of the sigmoid.
    pub scale: f32,
    /// The same for scores of samples.
    pub score_scale: f32,
    /// The weight of the game result in the target; the rest is the score of the sample.
    pub blend: f32,
}

impl Objective {
    /// An objective with the scales that minimise the error of the samples' scores against
    /// the results, and of the scores of `parameters` against the targets.
    pub fn fitted(dataset: &Dataset, parameters: &Parameters, blend: f32) -> Self {
        let score_scale = minimum(|scale| {
            dataset.rows().map(|row| error(scale, row.label.score, row.label.result)).sum()
        });
        Self { scale: 0.0, score_scale, blend }.rescaled(dataset, parameters)
    }

    /// The end of the range at which the scale of the evaluation or of the scores is, if any.
    pub fn limit(&self) -> Option<ScaleLimit> {
        // Scores without weight in the target do not count.
        let scores = (self.blend < 1.0).then_some(self.score_scale);
        let is_any = |holds: &dyn Fn(f32) -> bool| scores.is_some_and(holds) || holds(self.scale);
        if is_any(&|scale| scale < 1.01 * MIN_SCALE) {
            Some(ScaleLimit::Least)
        } else if is_any(&|scale| scale > 0.99 * MAX_SCALE) {
            Some(ScaleLimit::Greatest)
        } else {
            None
        }
    }

    /// The same targets, with the scale that minimises the error of the scores of
    /// `parameters`.
    pub fn rescaled(self, dataset: &Dataset, parameters: &Parameters) -> Self {
        let rows: Vec<(f32, f32)> =
            dataset.rows().map(|row| (parameters.score(&row), self.target(row.label))).collect();
        let scale =
            minimum(|scale| rows.iter().map(|&(score, target)| error(scale, score, target)).sum());
        Self { scale, ..self }
    }

    /// The target for the expected result.
    #[inline]
    pub fn target(&self, label: &Label) -> f32 {
        let expected = sigmoid(self.score_scale * label.score);
        self.blend * label.result + (1.0 - self.blend) * expected
    }

    /// The sum of the squared differences between expected result and target over the
    /// positions at `indices`.
    pub fn loss(&self, dataset: &Dataset, parameters: &Parameters, indices: &[usize]) -> f64 {
        let squared = |&index: &usize| {
            let row = dataset.row(index);
            f64::from(self.error(row.label, parameters.score(&row)).0).powi(2)
        };
        indices.iter().map(squared).sum()
    }

    /// Adds the gradient of the loss of the positions at `indices`, and returns the loss.
    pub fn add_gradient(
        &self,
        dataset: &Dataset,
        parameters: &Parameters,
        indices: &[usize],
        gradient: &mut Parameters,
    ) -> f64 {
        let mut loss = 0.0;
        for &index in indices {
            let row = dataset.row(index);
            let parts = Parts::new(parameters, &row);
            let (error, expected) = self.error(row.label, parts.score(row.label));
            let slope = expected * (1.0 - expected) * self.scale;
            parts.add_gradient(&row, 2.0 * error * slope, gradient);
            loss += f64::from(error).powi(2);
        }
        loss
    }

    /// The expected result minus the target, and the expected result.
    #[inline]
    fn error(&self, label: &Label, score: f32) -> (f32, f32) {
        let expected = sigmoid(self.scale * score);
        (expected - self.target(label), expected)
    }
}

/// The squared difference between the expected result of a score and a target.
fn error(scale: f32, score: f32, target: f32) -> f64 {
    f64::from(sigmoid(scale * score) - target).powi(2)
}

/// The scale that minimises a function, by golden-section search.
fn minimum(function: impl Fn(f32) -> f64) -> f32 {
    const RATIO: f32 = 0.618_034;
    let at = |place: f32| (place, function(place));
    let (mut low, mut high) = (MIN_SCALE, MAX_SCALE);
    let width = RATIO * (high - low);
    let (mut left, mut right) = (at(high - width), at(low + width));
    for _ in 0..30 {
        // One of the two inner places is one of the next two.
        if left.1 < right.1 {
            high = right.0;
            right = left;
            left = at(high - RATIO * (high - low));
        } else {
            low = left.0;
            left = right;
            right = at(low + RATIO * (high - low));
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::{Objective, Parameters, range_of};
    use crate::eval::{WEIGHTS, trace};
    use crate::tuner::SAMPLES;
    use crate::tuner::dataset::Dataset;
    use crate::tuner::sample::Sample;

    #[test]
    fn the_terms_of_a_group_follow_each_other() {
        let tables = WEIGHTS.tables();
        for table in &tables {
            let of_group = tables.iter().filter(|other| other.group == table.group);
            let count: usize = of_group.map(|other| other.values.len()).sum();
            assert_eq!(range_of(table.group).len(), count, "{}", table.group);
        }
    }

    #[test]
    fn weights_survive_conversion_to_parameters_and_back() {
        let parameters = Parameters::from(&WEIGHTS);
        assert_eq!(Parameters::from(&parameters.to_weights()), parameters);
    }

    #[test]
    fn scores_equal_the_evaluation() {
        let dataset = Dataset::read(SAMPLES.as_bytes(), |_| {}).unwrap();
        let parameters = Parameters::from(&WEIGHTS);
        for (index, line) in SAMPLES.lines().enumerate() {
            let sample: Sample = line.parse().unwrap();
            let trace = trace(&sample.position);
            let exact = trace.total(&WEIGHTS).taper(trace.factors).cp();
            let score = parameters.score(&dataset.row(index));
            assert!((score - exact as f32).abs() <= 3.0, "{line}: {score} against {exact}");
        }
    }

    #[test]
    fn the_gradient_is_the_derivative_of_the_loss() {
        let dataset = Dataset::read(SAMPLES.as_bytes(), |_| {}).unwrap();
        let parameters = Parameters::from(&WEIGHTS);
        let objective = Objective { scale: 0.004, score_scale: 0.005, blend: 0.4 };
        let all: Vec<usize> = (0..dataset.len()).collect();
        let mut gradient = Parameters::zeros(parameters.0.len());
        objective.add_gradient(&dataset, &parameters, &all, &mut gradient);
        let loss = |parameters: &Parameters| objective.loss(&dataset, parameters, &all);
        let row = dataset.row(1);
        let lists = [row.score, row.danger[0], row.danger[1], row.initiative];
        for coefficient in lists.into_iter().flatten() {
            let term = usize::from(coefficient.term);
            for half in 0..2 {
                // Small steps, so that they meet no kink.
                let around = [-0.25, 0.25].map(|step| {
                    let mut moved = parameters.clone();
                    moved.0[term][half] += step;
                    loss(&moved)
                });
                let slope = (around[1] - around[0]) / 0.5;
                let computed = f64::from(gradient.0[term][half]);
                assert!(
                    (slope - computed).abs() < 5e-6 + 0.02 * slope.abs(),
                    "{term} {slope} {computed}"
                );
            }
        }
    }
}
