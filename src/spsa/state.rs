//! The state of a run, and its file.
//!
//! The file is JSON: the settings, the number of finished iterations, and the value of each
//! parameter with what its estimate needs. It is replaced atomically, so an interrupted run
//! continues from its last state.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::search::params::Parameter;
use crate::spsa::error::SpsaError;
use crate::spsa::pair::MoveLimit;
use crate::spsa::perturbation::{EloEstimate, Gain, Perturbation};
use crate::util::rng;
use crate::util::state_file::{self, StateFileError};

/// The maximum size of a state file.
const MAX_STATE_BYTES: u64 = 1 << 20;

/// More pairs of games than anyone plays.
const MAX_ITERATIONS: u64 = 1 << 40;

/// What determines a run. The file keeps the settings, and only the same ones continue it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SpsaSettings {
    /// The version of the program, and the nodes of its `bench`.
    pub version: String,
    pub bench: String,
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

/// A parameter and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedParameter {
    pub name: String,
    /// The value of the build.
    pub start: i32,
    pub min: i32,
    pub max: i32,
    pub step: i32,
    /// The value now.
    pub value: f64,
    /// The sum of sign × result over all pairs.
    sum: i64,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaState {
    pub settings: SpsaSettings,
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
        Self { name: name.to_owned(), start: default, min, max, step, value, sum: 0 }
    }

    /// The value for the source code.
    pub fn rounded(&self) -> i32 {
        self.value.round() as i32
    }

    /// The parameter as it was at the beginning.
    fn at_start(&self) -> Self {
        Self { value: self.start.into(), sum: 0, ..self.clone() }
    }

    /// Whether this many iterations can lead to this.
    fn is_possible(&self, iterations: u64) -> bool {
        let is_in_range = (f64::from(self.min)..=f64::from(self.max)).contains(&self.value);
        is_in_range && self.sum.unsigned_abs() <= 2 * iterations
    }
}

impl SpsaState {
    /// The beginning of a run.
    pub(super) fn new(settings: SpsaSettings, parameters: &[&Parameter]) -> Self {
        let parameters = parameters.iter().map(|parameter| TunedParameter::new(parameter));
        Self { settings, iterations: 0, squares: 0, parameters: parameters.collect() }
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
        state_file::check_settings(path, &found.settings, &self.settings)?;
        if !found.parameters.iter().map(TunedParameter::at_start).eq(self.parameters) {
            return Err(SpsaError::Parameters(path.to_owned()));
        }
        let iterations = found.iterations;
        if iterations > MAX_ITERATIONS
            || found.squares > 4 * iterations
            || !found.parameters.iter().all(|parameter| parameter.is_possible(iterations))
        {
            return Err(StateFileError::damaged(path, "a value is out of range").into());
        }
        Ok(found)
    }

    /// The state as JSON, with what is computed from it.
    pub fn to_json(&self) -> serde_json::Result<Value> {
        let mut state = serde_json::to_value(self)?;
        state["games"] = self.games().into();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let shown = &mut state["parameters"][index];
            shown["rounded"] = parameter.rounded().into();
            let estimate = self.estimate(parameter);
            shown["elo"] = estimate.map(|estimate| estimate.elo).into();
            shown["elo_error"] = estimate.map(|estimate| estimate.error).into();
        }
        Ok(state)
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), SpsaError> {
        let unwritten = |error: serde_json::Error| StateFileError::Write {
            path: path.to_owned(),
            error: error.into(),
        };
        state_file::write(path, &self.to_json().map_err(unwritten)?)?;
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use rand::RngExt;

    use super::*;
    use crate::search::params::PARAMETERS;

    pub fn settings(games: u64) -> SpsaSettings {
        SpsaSettings {
            version: "1".to_owned(),
            bench: "2".to_owned(),
            openings: "3 positions".to_owned(),
            limit: MoveLimit::Nodes(1000),
            games,
            hash: 16,
            seed: 1,
            effects_only: false,
        }
    }

    /// A run with two parameters in steps of 10.
    fn begun(games: u64) -> SpsaState {
        let mut state = SpsaState::new(settings(games), &[&PARAMETERS[0], &PARAMETERS[1]]);
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
        assert!(refusal(other).contains("begun with limit {\"nodes\":1000}, not {\"clock\":"));
        let mut other = begun(200);
        other.parameters[1].start = 51;
        assert!(refusal(other).contains("other parameters"));
        for damage in [
            |state: &mut SpsaState| state.parameters[0].value = 201.0,
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
