//! The two parts of the score that are not sums of terms: king danger and initiative.
//!
//! An attack on the king is worth more than the sum of its parts: the penalty is the
//! square of the units of danger (as in Stockfish 11). The units of initiative move the
//! endgame value towards 0, but never past it, or away from it, at most to its double.

use crate::eval::tapered::Tapered;

/// The square of the middlegame units of danger is divided by this.
pub const DANGER_SQUARE: i32 = 8192;
/// The endgame units of danger are divided by this.
pub const DANGER_LINE: i32 = 32;
/// The maximum number of units that count.
pub const DANGER_LIMIT: i32 = 5_000;

/// The score of a king in `units` of danger.
#[inline(always)]
pub const fn danger(units: Tapered) -> Tapered {
    let middlegame = clamp(units.middlegame());
    let endgame = clamp(units.endgame());
    Tapered::new(-(middlegame * middlegame / DANGER_SQUARE), -(endgame / DANGER_LINE))
}

const fn clamp(units: i32) -> i32 {
    if units < 0 {
        0
    } else if units > DANGER_LIMIT {
        DANGER_LIMIT
    } else {
        units
    }
}

/// What the units of initiative (the endgame half counts) add to a score.
#[inline(always)]
pub const fn initiative(score: Tapered, units: Tapered) -> Tapered {
    let endgame = score.endgame();
    let size = endgame.abs();
    let gain = units.endgame();
    let gain = if gain > size {
        size
    } else if gain < -size {
        -size
    } else {
        gain
    };
    Tapered::new(0, endgame.signum() * gain)
}

#[cfg(test)]
mod tests {
    use super::{DANGER_LIMIT, danger, initiative};
    use crate::eval::tapered::Tapered;

    #[test]
    fn danger_costs_more_the_more_there_is() {
        let cost = |units| danger(Tapered::new(units, units)).middlegame();
        assert_eq!(cost(-500), 0);
        for units in 0..DANGER_LIMIT - 200 {
            assert!(cost(units + 100) <= cost(units));
            // The next units cost no less than the last ones.
            assert!(cost(units + 200) - cost(units + 100) <= cost(units + 100) - cost(units) + 1);
        }
        assert_eq!(cost(DANGER_LIMIT + 1000), cost(DANGER_LIMIT));
    }

    #[test]
    fn initiative_never_changes_who_is_better() {
        for endgame in [-300, -20, -1, 0, 1, 20, 300] {
            for units in [-500, -30, 0, 30, 500] {
                let score = Tapered::new(77, endgame);
                let gain = initiative(score, Tapered::new(0, units));
                let after = score + gain;
                assert_eq!(after.middlegame(), 77);
                assert!(after.endgame() * endgame >= 0);
                assert!(after.endgame().abs() <= 2 * endgame.abs());
                assert_eq!(initiative(-score, Tapered::new(0, units)), -gain);
            }
        }
    }
}
