//! What the loss loses without a term: its weights are 0 and all others stay.

use crate::eval::WEIGHTS;
use crate::tuner::dataset::Dataset;
use crate::tuner::fit::mean_loss;
use crate::tuner::model::{Objective, Parameters};

/// The loss of parameters with their best scale.
pub fn best_loss(dataset: &Dataset, parameters: &Parameters, blend: f32) -> f64 {
    let objective = Objective::fitted(dataset, parameters, blend);
    let all: Vec<usize> = (0..dataset.len()).collect();
    mean_loss(dataset, parameters, &objective, &all)
}

/// The loss of parameters without the term, or the group of terms, of this name.
pub fn loss_without(name: &str, dataset: &Dataset, parameters: &Parameters, blend: f32) -> f64 {
    let mut without = parameters.clone();
    let mut place = 0;
    for table in WEIGHTS.tables() {
        if table.group == name || table.name == name {
            without.0[place..place + table.values.len()].fill([0.0; 2]);
        }
        place += table.values.len();
    }
    best_loss(dataset, &without, blend)
}
