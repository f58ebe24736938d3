//! The evaluation with other weights than the program's, for what compares or learns them.

use crate::chess::{Color, State};
use crate::eval::evaluate::{evaluate_fresh, trace};
use crate::eval::nonlinear;
use crate::eval::score::Score;
use crate::eval::tapered::Tapered;
use crate::eval::terms::{Unit, Weights};

/// Weights in the order of declaration, with their units.
#[derive(Clone, Debug)]
pub struct WeightedEvaluation(Vec<(Tapered, Unit)>);

impl WeightedEvaluation {
    pub fn new(weights: &Weights) -> Self {
        let tables = weights.tables().into_iter();
        let entries = tables.flat_map(|table| {
            let unit = table.unit();
            table.values.iter().map(move |&weight| (weight, unit))
        });
        Self(entries.collect())
    }

    /// The value of a position for the side to move. Known endgames, which have no terms,
    /// have the score of the program.
    pub fn evaluate(&self, state: &State) -> Score {
        let trace = trace(state);
        if trace.known_endgame.is_some() {
            return evaluate_fresh(state);
        }
        let [white, black] = Color::each(|color| {
            let mut sums = UnitSums::default();
            let tables = trace.counts(color).tables();
            let counts = tables.iter().flat_map(|table| table.values);
            for (&(weight, unit), &count) in self.0.iter().zip(counts) {
                if count != 0 {
                    *sums.of(unit) += weight * i32::from(count);
                }
            }
            sums
        });
        let score = white.side_score() - black.side_score();
        let total = score + nonlinear::initiative(score, white.initiative);
        total.taper(trace.factors).clamp_eval() * state.side_to_move().sign()
    }
}

/// The sums of one side's terms by their units.
#[derive(Clone, Copy, Default)]
struct UnitSums {
    centipawns: Tapered,
    danger: Tapered,
    initiative: Tapered,
}

impl UnitSums {
    fn of(&mut self, unit: Unit) -> &mut Tapered {
        match unit {
            Unit::Centipawn => &mut self.centipawns,
            Unit::Danger => &mut self.danger,
            Unit::Initiative => &mut self.initiative,
        }
    }

    fn side_score(&self) -> Tapered {
        self.centipawns + nonlinear::danger(self.danger)
    }
}
