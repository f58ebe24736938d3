//! Answers from labelled positions: the loss, and its gradient.

use crate::tuner::dataset::Dataset;
use crate::tuner::fit;
use crate::tuner::learn::space::WeightSpace;
use crate::tuner::model::Objective;

/// Labelled positions, the same for all methods.
#[derive(Clone, Debug)]
pub struct LossSource<'a> {
    space: &'a WeightSpace,
    objective: Objective,
    dataset: Dataset,
    all: Vec<usize>,
}

impl<'a> LossSource<'a> {
    /// The positions of `dataset`, at least one.
    pub fn new(space: &'a WeightSpace, objective: Objective, dataset: &Dataset) -> Self {
        // Terms of weight 0 contribute nothing.
        let dataset = dataset.with_terms(&space.relevant_terms());
        let all = (0..dataset.len()).collect();
        Self { space, objective, dataset, all }
    }

    pub fn space(&self) -> &'a WeightSpace {
        self.space
    }

    /// The factor from centipawns to the argument of the sigmoid.
    pub fn scale(&self) -> f32 {
        self.objective.scale
    }

    pub fn positions(&self) -> u64 {
        self.dataset.len() as u64
    }

    /// The mean loss at these weights.
    pub fn loss(&self, weights: &[f32]) -> f64 {
        let parameters = self.space.parameters(weights);
        fit::mean_loss(&self.dataset, &parameters, &self.objective, &self.all)
    }

    /// The mean loss at these weights with their best scale, so that weights of another size
    /// can be compared.
    pub fn rescaled_loss(&self, weights: &[f32]) -> f64 {
        let parameters = self.space.parameters(weights);
        let objective = self.objective.rescaled(&self.dataset, &parameters);
        fit::mean_loss(&self.dataset, &parameters, &objective, &self.all)
    }

    /// The derivatives of the mean loss by the free weights.
    pub fn gradient(&self, weights: &[f32]) -> Vec<f32> {
        let parameters = self.space.parameters(weights);
        let (_, mut gradient) =
            fit::gradient(&self.dataset, &parameters, &self.objective, &self.all);
        let positions = self.positions() as f32;
        gradient.0.as_flattened_mut().iter_mut().for_each(|slope| *slope /= positions);
        self.space.free_of(&gradient)
    }
}
