//! The two parts of the score that are not sums of terms: king danger and initiative.
//!
//! An attack on the king is worth more than the sum of its parts: in the middlegame the
//! penalty grows with the square of the units of danger, in the endgame with the units (as in
//! Stockfish 11). The units of initiative move the endgame value towards 0, but never past it,
//! or away from it, at most to its double.

use crate::eval::tapered::{STEPS, Tapered};

/// The square of the middlegame units of danger is divided by this.
pub const DANGER_SQUARE: i32 = 8192;
/// The endgame units of danger are divided by this.
pub const DANGER_LINE: i32 = 32;
/// The maximum number of units that count.
pub const DANGER_LIMIT: i32 = 5_000;

/// The score of a king in `units` of danger.
#[inline(always)]
pub const fn danger(units: Tapered) -> Tapered {
    let middlegame = clamp(units.middlegame_steps());
    let endgame = clamp(units.endgame_steps());
    let square = middlegame * middlegame / (DANGER_SQUARE * STEPS);
    Tapered::from_steps(-square, -(endgame / DANGER_LINE))
}

/// Units that count, in steps.
const fn clamp(steps: i32) -> i32 {
    let limit = DANGER_LIMIT * STEPS;
    if steps < 0 {
        0
    } else if steps > limit {
        limit
    } else {
        steps
    }
}

/// What the units of initiative (the endgame half counts) add to a score.
#[inline(always)]
pub const fn initiative(score: Tapered, units: Tapered) -> Tapered {
    let endgame = score.endgame_steps();
    let size = endgame.abs();
    let gain = units.endgame_steps();
    let gain = if gain > size {
        size
    } else if gain < -size {
        -size
    } else {
        gain
    };
    Tapered::from_steps(0, endgame.signum() * gain)
}

#[cfg(test)]
mod tests {
    use super::{DANGER_LIMIT, danger, initiative};
    use crate::eval::tapered::{STEPS, Tapered};

    #[test]
    fn danger_costs_more_the_more_there_is() {
        let cost = |steps| danger(Tapered::from_steps(steps, steps)).middlegame_steps();
        let limit = DANGER_LIMIT * STEPS;
        assert_eq!(cost(-500), 0);
        for steps in 0..limit - 200 {
            assert!(cost(steps + 100) <= cost(steps));
            // The next units cost no less than the last ones.
            assert!(cost(steps + 200) - cost(steps + 100) <= cost(steps + 100) - cost(steps) + 1);
        }
        assert_eq!(cost(limit + 1000), cost(limit));
    }

    #[test]
    fn initiative_never_changes_who_is_better() {
        for endgame in [-300, -20, -1, 0, 1, 20, 300] {
            for units in [-500, -30, 0, 30, 500] {
                let score = Tapered::from_steps(77, endgame);
                let gain = initiative(score, Tapered::from_steps(0, units));
                let after = score + gain;
                assert_eq!(after.middlegame_steps(), 77);
                assert!(after.endgame_steps() * endgame >= 0);
                assert!(after.endgame_steps().abs() <= 2 * endgame.abs());
                assert_eq!(initiative(-score, Tapered::from_steps(0, units)), -gain);
            }
        }
    }
}
