//! The state of a run, and its file.
//!
//! The file is JSON: the settings, the number of finished iterations, and the value of each
//! parameter with what its estimate needs and how it came there. It is replaced atomically,
//! so an interrupted run continues from its last state.
//!
//! A long run outlives its build: a newer one continues it, as long as it has the parameters
//! with their ranges and steps. Their values come from the file, and the file has the list of
//! the builds.

use std::num::ParseFloatError;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::search::params::Parameter;
use crate::spsa::SpsaError;
use crate::spsa::pair::MoveLimit;
use crate::spsa::perturbation::{EloEstimate, Gain, Perturbation};
use crate::util::rng;
use crate::util::state_file::{self, StateFileError};

/// The maximum size of a state file.
const MAX_STATE_BYTES: u64 = 1 << 20;

/// Points of the curve of a parameter in a whole run.
const SNAPSHOTS: u64 = 60;

/// More pairs of games than anyone plays.
const MAX_ITERATIONS: u64 = 1 << 40;

/// What determines a run. The file keeps the settings, and only the same ones continue it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SpsaSettings {
    pub openings: String,
    pub limit: MoveLimit,
    /// All games of the run, two for each iteration.
    pub games: u64,
    /// The transposition table of each player, in MiB.
    pub hash: u32,
    pub seed: u64,
    /// Estimate the effects of the parameters and leave their values alone.
    pub effects_only: bool,
}

/// A build that played games of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SpsaBuild {
    /// The version of the program, and the nodes of its `bench`.
    pub version: String,
    pub bench: String,
    /// Its first iteration.
    #[serde(default)]
    pub since: u64,
}

/// A parameter and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedParameter {
    pub name: String,
    /// The value of the first build.
    pub start: i32,
    pub min: i32,
    pub max: i32,
    pub step: i32,
    /// The value now.
    pub value: f64,
    /// The sum of sign × result over all pairs.
    sum: i64,
    /// The values at even intervals.
    curve: ValueCurve,
}

/// Values to three decimals, in the file a text with spaces between them: one line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct ValueCurve(Vec<f64>);

impl ValueCurve {
    fn push(&mut self, value: f64) {
        self.0.push((value * 1000.0).round() / 1000.0);
    }

    /// The mean of the last third; `None` of an empty curve.
    fn late_mean(&self) -> Option<f64> {
        let late = &self.0[self.0.len() - self.0.len().div_ceil(3)..];
        (!late.is_empty()).then(|| late.iter().sum::<f64>() / late.len() as f64)
    }
}

impl TryFrom<String> for ValueCurve {
    type Error = ParseFloatError;

    fn try_from(text: String) -> Result<Self, ParseFloatError> {
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl From<ValueCurve> for String {
    fn from(curve: ValueCurve) -> Self {
        let values: Vec<String> = curve.0.iter().map(f64::to_string).collect();
        values.join(" ")
    }
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaState {
    pub settings: SpsaSettings,
    /// The builds that played, in order.
    pub builds: Vec<SpsaBuild>,
    /// Finished iterations, each a pair of games.
    pub iterations: u64,
    /// The sum of the squared results.
    squares: u64,
    pub parameters: Vec<TunedParameter>,
}

impl TunedParameter {
    fn new(parameter: &Parameter) -> Self {
        let Parameter { name, default, min, max, step, .. } = *parameter;
        let value = default.into();
        let (name, curve) = (name.to_owned(), ValueCurve::default());
        Self { name, start: default, min, max, step, value, sum: 0, curve }
    }

    /// The mean value in the last third of the games so far. It depends less on the last
    /// results than the value now.
    pub fn mean(&self) -> f64 {
        self.curve.late_mean().unwrap_or(self.value)
    }

    /// The value for the source code.
    pub fn rounded(&self) -> i32 {
        self.mean().round() as i32
    }

    /// Whether a run can go from one of these to the other.
    fn continues(&self, other: &Self) -> bool {
        let fixed = |it: &Self| (it.name.clone(), it.min, it.max, it.step);
        fixed(self) == fixed(other)
    }

    /// Whether this many iterations can lead to this.
    fn is_possible(&self, iterations: u64) -> bool {
        let range = f64::from(self.min)..=f64::from(self.max);
        range.contains(&self.value)
            && self.curve.0.iter().all(|value| range.contains(value))
            && self.sum.unsigned_abs() <= 2 * iterations
    }
}

impl SpsaState {
    /// The beginning of a run.
    pub(super) fn new(settings: SpsaSettings, build: SpsaBuild, parameters: &[&Parameter]) -> Self {
        let parameters = parameters.iter().map(|parameter| TunedParameter::new(parameter));
        let (builds, parameters) = (vec![build], parameters.collect());
        Self { settings, builds, iterations: 0, squares: 0, parameters }
    }

    /// Games that are finished.
    pub fn games(&self) -> u64 {
        2 * self.iterations
    }

    /// All iterations of the run.
    pub(super) fn all_iterations(&self) -> u64 {
        self.settings.games / 2
    }

    /// The Elo difference between a player with more and one with less of a parameter.
    pub fn estimate(&self, parameter: &TunedParameter) -> Option<EloEstimate> {
        EloEstimate::of(parameter.sum, self.squares, self.iterations)
    }

    fn gain(&self, iteration: u64) -> Gain {
        if self.settings.effects_only {
            Gain::EFFECTS_ONLY
        } else {
            Gain::of(iteration, self.all_iterations())
        }
    }

    /// The players of an iteration. Their random numbers depend only on the seed and the
    /// iteration.
    pub(super) fn perturb(&self, iteration: u64) -> Vec<Perturbation> {
        let mut random = rng::numbered(self.settings.seed, iteration);
        let width = self.gain(iteration).width;
        let perturb = |parameter: &TunedParameter| {
            let TunedParameter { value, min, max, step, .. } = *parameter;
            Perturbation::random(value, width * f64::from(step), min, max, &mut random)
        };
        self.parameters.iter().map(perturb).collect()
    }

    /// Ends the next iteration: moves the parameters by the result of its pair, the first
    /// player's wins less its losses.
    pub(super) fn update(&mut self, perturbations: &[Perturbation], result: i32) {
        let Gain { width, rate } = self.gain(self.iterations);
        for (parameter, perturbation) in self.parameters.iter_mut().zip(perturbations) {
            let signed = perturbation.sign * result;
            let change = rate * width * f64::from(parameter.step) * f64::from(signed);
            let (min, max) = (parameter.min.into(), parameter.max.into());
            parameter.value = (parameter.value + change).clamp(min, max);
            parameter.sum += i64::from(signed);
        }
        self.squares += u64::from(result.unsigned_abs().pow(2));
        self.iterations += 1;
        let snapshots = |iterations| iterations * SNAPSHOTS / self.all_iterations();
        let is_due = snapshots(self.iterations) > snapshots(self.iterations - 1);
        if is_due && !self.settings.effects_only {
            for parameter in &mut self.parameters {
                parameter.curve.push(parameter.value);
            }
        }
    }

    /// This beginning of a run, or the state of the file if there is one.
    pub(super) fn resumed(self, path: &Path) -> Result<Self, SpsaError> {
        let Some(mut found) = state_file::read::<Self>(path, MAX_STATE_BYTES)? else {
            return Ok(self);
        };
        if self.settings.effects_only && found.settings.effects_only {
            // Nothing but the end depends on the number of games.
            found.settings.games = self.settings.games;
        }
        let options = [("limit", "--nodes or --tc")];
        state_file::check_settings(path, &found.settings, &self.settings, &options)?;
        let pairs = || found.parameters.iter().zip(&self.parameters);
        if found.parameters.len() != self.parameters.len()
            || !pairs().all(|(found, ours)| found.continues(ours))
        {
            return Err(SpsaError::Parameters(path.to_owned()));
        }
        let iterations = found.iterations;
        if iterations > MAX_ITERATIONS
            || found.squares > 4 * iterations
            || !found.parameters.iter().all(|parameter| parameter.is_possible(iterations))
        {
            return Err(StateFileError::damaged(path, "a value is out of range").into());
        }
        for build in self.builds {
            let is_same =
                |last: &SpsaBuild| *last == SpsaBuild { since: last.since, ..build.clone() };
            if !found.builds.last().is_some_and(is_same) {
                found.builds.push(SpsaBuild { since: iterations, ..build });
            }
        }
        // More games than now wanted may be finished.
        found.settings.games = found.settings.games.max(found.games());
        Ok(found)
    }

    /// The state as JSON, with what is computed from it.
    pub fn to_json(&self) -> serde_json::Result<Value> {
        let mut state = serde_json::to_value(self)?;
        state["games"] = self.games().into();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let shown = &mut state["parameters"][index];
            shown["mean"] = parameter.mean().into();
            shown["rounded"] = parameter.rounded().into();
            let estimate = self.estimate(parameter);
            shown["elo"] = estimate.map(|estimate| estimate.elo).into();
            shown["elo_error"] = estimate.map(|estimate| estimate.error).into();
        }
        Ok(state)
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), SpsaError> {
        let json = self.to_json().map_err(|error| StateFileError::not_written(path, error))?;
        Ok(state_file::write(path, &json)?)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use rand::RngExt;

    use super::*;
    use crate::search::params::PARAMETERS;

    pub fn settings(games: u64) -> SpsaSettings {
        SpsaSettings {
            openings: "3 positions".to_owned(),
            limit: MoveLimit::Nodes(1000),
            games,
            hash: 16,
            seed: 1,
            effects_only: false,
        }
    }

    pub fn build() -> SpsaBuild {
        SpsaBuild { version: "1".to_owned(), bench: "2".to_owned(), since: 0 }
    }

    /// A run with two parameters in steps of 10.
    fn begun(games: u64) -> SpsaState {
        let mut state = SpsaState::new(settings(games), build(), &[&PARAMETERS[0], &PARAMETERS[1]]);
        for parameter in &mut state.parameters {
            *parameter = TunedParameter {
                start: 50,
                min: 0,
                max: 200,
                step: 10,
                value: 50.0,
                ..parameter.clone()
            };
        }
        state
    }

    /// The result of a pair in which the first parameter is best at 80 and the second is
    /// without effect.
    fn result(perturbations: &[Perturbation], iteration: u64) -> i32 {
        let strength = |player: usize| {
            let distance = f64::from(perturbations[0].values[player] - 80) / 10.0;
            -0.05 * distance.powi(2)
        };
        let expected = (0.5 + strength(0) - strength(1)).clamp(0.0, 1.0);
        let mut random = rng::numbered(9, iteration);
        (0..2).map(|_| if random.random_bool(expected) { 1 } else { -1 }).sum()
    }

    fn run_to(state: &mut SpsaState, iterations: u64) {
        while state.iterations < iterations {
            let perturbations = state.perturb(state.iterations);
            let result = result(&perturbations, state.iterations);
            state.update(&perturbations, result);
        }
    }

    #[test]
    fn values_converge_to_the_best_ones() {
        let mut state = begun(10_000);
        run_to(&mut state, 5_000);
        let [effective, idle] = &state.parameters[..] else { panic!() };
        assert!((effective.value - 80.0).abs() < 5.0, "{state:?}");
        assert!((idle.value - 50.0).abs() < 15.0, "{state:?}");
    }

    #[test]
    fn fixed_values_give_the_effects_of_all() {
        let mut state = begun(4_000);
        state.settings.effects_only = true;
        run_to(&mut state, 2_000);
        let [effective, idle] = &state.parameters[..] else { panic!() };
        assert_eq!((effective.value, idle.value), (50.0, 50.0));
        // 60 against 40: 0.05 * (16 - 4) of a point is more than the whole range.
        let estimates = [effective, idle].map(|it| state.estimate(it).unwrap());
        assert!((estimates[0].elo - 347.0).abs() < 1.0, "{estimates:?}");
        assert!(estimates[1].elo.abs() < 2.0 * estimates[1].error, "{estimates:?}");
    }

    #[test]
    fn values_stay_in_range() {
        let mut state = begun(20_000);
        for _ in 0..10_000 {
            let perturbations = vec![Perturbation { sign: 1, values: [60, 40] }; 2];
            state.update(&perturbations, 2);
        }
        assert!(state.parameters.iter().all(|it| it.value == 200.0));
    }

    #[test]
    fn a_newer_build_continues_a_run() {
        let path = std::env::temp_dir().join(format!("lovec-spsa-build-{}", std::process::id()));
        let mut state = begun(200);
        run_to(&mut state, 30);
        state.write(&path).unwrap();
        let mut newer = begun(200);
        newer.builds[0].bench = "3".to_owned();
        newer.parameters[0].start = 60;
        for _ in 0..2 {
            let resumed = newer.clone().resumed(&path).unwrap();
            let known = SpsaBuild { bench: "3".to_owned(), since: 30, ..build() };
            assert_eq!(resumed.builds, [build(), known]);
            assert_eq!(resumed.parameters, state.parameters);
            resumed.write(&path).unwrap();
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn the_curve_has_the_values_at_even_intervals() {
        let mut state = begun(240);
        let mut values = Vec::new();
        while state.iterations < 120 {
            let next = state.iterations + 2;
            run_to(&mut state, next);
            values.push(state.parameters[0].value);
        }
        let curve = &state.parameters[0].curve.0;
        assert_eq!(curve.len() as u64, SNAPSHOTS);
        assert!(curve.iter().zip(&values).all(|(point, value)| (point - value).abs() <= 0.0005));
        let mean = curve[40..].iter().sum::<f64>() / 20.0;
        assert!((state.parameters[0].mean() - mean).abs() < 1e-9);
        assert_eq!(state.parameters[0].rounded(), mean.round() as i32);

        let text = String::from(state.parameters[0].curve.clone());
        assert_eq!(ValueCurve::try_from(text).as_ref(), Ok(&state.parameters[0].curve));
        assert!(ValueCurve::try_from("1 a".to_owned()).is_err());
        assert_eq!(begun(2).parameters[0].mean(), 50.0);
    }

    #[test]
    fn a_resumed_run_equals_an_uninterrupted_one() {
        let path = std::env::temp_dir().join(format!("lovec-spsa-{}", std::process::id()));
        let mut whole = begun(200);
        run_to(&mut whole, 100);
        let mut state = begun(200);
        for iterations in [0, 1, 37, 100] {
            run_to(&mut state, iterations);
            state.write(&path).unwrap();
            state = begun(200).resumed(&path).unwrap();
        }
        assert_eq!(state, whole);

        let refusal = |state: SpsaState| state.resumed(&path).unwrap_err().to_string();
        assert!(refusal(begun(202)).contains("begun with games 200, not 202"));
        let mut other = begun(200);
        other.settings.limit = MoveLimit::Clock { base: 3000, increment: 30 };
        assert!(
            refusal(other).contains("begun with --nodes or --tc {\"nodes\":1000}, not {\"clock\":")
        );
        let mut other = begun(200);
        other.parameters[1].step = 11;
        assert!(refusal(other).contains("other parameters"));
        for damage in [
            |state: &mut SpsaState| state.parameters[0].value = 201.0,
            |state: &mut SpsaState| state.parameters[0].curve.0[0] = f64::NAN,
            |state: &mut SpsaState| state.parameters[0].sum = i64::MIN,
            |state: &mut SpsaState| state.squares = u64::MAX,
            |state: &mut SpsaState| state.iterations = u64::MAX,
        ] {
            let mut damaged = state.clone();
            damage(&mut damaged);
            std::fs::write(&path, serde_json::to_string(&damaged).unwrap()).unwrap();
            assert!(refusal(begun(200)).contains("out of range"), "{damaged:?}");
        }
        std::fs::write(&path, "{}").unwrap();
        assert!(refusal(begun(200)).contains("is damaged"));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(begun(200).resumed(&path).unwrap(), begun(200));
    }
}
