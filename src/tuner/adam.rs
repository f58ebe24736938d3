//! Adam (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015).

use serde::{Deserialize, Serialize};

/// The running means of the gradient and of its square, which make the step size
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
