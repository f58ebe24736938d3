//! The weights that a method may change, as a list of numbers.

use crate::tuner::model::Parameters;

/// The largest weight in use, in centipawns; what a method asks beyond it counts as this.
const MAX_WEIGHT: f32 = 4000.0;

/// All weights, and which of them are free. A list of free weights has the middlegame and
/// the endgame value of each free term, in the order of declaration.
#[derive(Clone, Debug)]
pub struct WeightSpace {
    start: Parameters,
    /// The indices of the free terms.
    free: Vec<usize>,
}

impl WeightSpace {
    /// The terms that `is_free` may change; the others stay as they are in `start`.
    pub fn new(start: Parameters, is_free: &[bool]) -> Self {
        let free = (0..start.0.len()).filter(|&term| is_free[term]).collect();
        Self { start, free }
    }

    /// The number of free weights, two for each free term.
    pub fn size(&self) -> usize {
        2 * self.free.len()
    }

    /// The free weights at the start.
    pub fn start(&self) -> Vec<f32> {
        self.free_of(&self.start)
    }

    /// All weights with these free ones.
    pub fn parameters(&self, free: &[f32]) -> Parameters {
        let mut parameters = self.start.clone();
        for (&term, values) in self.free.iter().zip(free.as_chunks().0) {
            parameters.0[term] = values.map(|value| value.clamp(-MAX_WEIGHT, MAX_WEIGHT));
        }
        parameters
    }

    /// The free weights among all.
    pub fn free_of(&self, parameters: &Parameters) -> Vec<f32> {
        self.free.iter().flat_map(|&term| parameters.0[term]).collect()
    }

    /// For each term whether it can contribute to a score: it is free or not 0.
    pub fn relevant_terms(&self) -> Vec<bool> {
        let mut relevant: Vec<bool> = self.start.0.iter().map(|&it| it != [0.0; 2]).collect();
        self.free.iter().for_each(|&term| relevant[term] = true);
        relevant
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_weights_replace_those_of_the_start() {
        let start = Parameters(vec![[1.0, 2.0], [0.0, 0.0], [5.0, 6.0], [0.0, 0.0]]);
        let space = WeightSpace::new(start, &[false, true, true, false]);
        assert_eq!(space.start(), [0.0, 0.0, 5.0, 6.0]);
        let moved = space.parameters(&[3.0, 4.0, 7.0, 8.0]);
        assert_eq!(moved.0, [[1.0, 2.0], [3.0, 4.0], [7.0, 8.0], [0.0, 0.0]]);
        assert_eq!(space.free_of(&moved), [3.0, 4.0, 7.0, 8.0]);
        assert_eq!(space.relevant_terms(), [true, true, true, false]);
    }
}
