//! A middlegame and an endgame value in one machine word.
//!
//! The two are mixed by the material left (Chess Programming Wiki, "Tapered Eval"). Both
//! share an `i64`, so that one addition adds both (as `Score` of Stockfish 16): the endgame
//! value is in the upper 32 bits, the middlegame value in the lower ones. A negative lower
//! half borrows one from the upper half, which [`Tapered::endgame_steps`] adds again.
//!
//! The halves count steps of an eighth of a centipawn, because a term may be worth little
//! and occur twenty times in a position. [`Tapered::taper`] rounds the sum, once.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use bytemuck::Zeroable;
use serde::Serialize;

use crate::eval::score::Score;

/// A pair of values, middlegame and endgame, in steps of a centipawn or of another unit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Zeroable, Serialize)]
#[serde(into = "Halves")]
pub struct Tapered(i64);

/// The steps of a centipawn.
pub const STEPS: i32 = 8;

/// The halves in centipawns.
#[derive(Serialize)]
struct Halves {
    mg: f64,
    eg: f64,
}

impl From<Tapered> for Halves {
    fn from(value: Tapered) -> Self {
        Self { mg: value.middlegame(), eg: value.endgame() }
    }
}

/// The phase of the full set of pieces; an endgame of kings and pawns has 0.
pub const FULL_PHASE: i32 = 24;
/// The scale that leaves an endgame value as it is.
pub const FULL_SCALE: i32 = 64;
/// The fifty-move scale that leaves a score as it is.
pub const FULL_FIFTY_MOVE_SCALE: i32 = 100;

/// How a position mixes the two halves of its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaperFactors {
    /// From 0, with kings and pawns only, to [`FULL_PHASE`].
    pub phase: i32,
    /// The scale of the endgame half, out of [`FULL_SCALE`].
    pub scale: i32,
    /// The scale of the whole score by the fifty-move rule, out of
    /// [`FULL_FIFTY_MOVE_SCALE`].
    pub fifty_move_scale: i32,
}

impl TaperFactors {
    /// The unscaled middlegame value.
    pub const FULL: Self =
        Self { phase: FULL_PHASE, scale: FULL_SCALE, fifty_move_scale: FULL_FIFTY_MOVE_SCALE };
}

impl Tapered {
    pub const ZERO: Self = Self(0);

    /// From centipawns, rounded to steps.
    pub const fn new(middlegame: f64, endgame: f64) -> Self {
        Self::from_steps(to_steps(middlegame), to_steps(endgame))
    }

    #[inline]
    pub const fn from_steps(middlegame: i32, endgame: i32) -> Self {
        Self(((endgame as i64) << 32) + middlegame as i64)
    }

    #[inline]
    pub const fn middlegame_steps(self) -> i32 {
        self.0 as i32
    }

    #[inline]
    pub const fn endgame_steps(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// In centipawns.
    pub const fn middlegame(self) -> f64 {
        self.middlegame_steps() as f64 / STEPS as f64
    }

    /// In centipawns.
    pub const fn endgame(self) -> f64 {
        self.endgame_steps() as f64 / STEPS as f64
    }

    /// The sum, in constant expressions too.
    #[inline]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Mixes the two halves to whole centipawns. Rounds towards zero, so that the scores of
    /// both sides are exact opposites.
    #[inline]
    pub const fn taper(self, factors: TaperFactors) -> Score {
        let TaperFactors { phase, scale, fifty_move_scale } = factors;
        let endgame = self.endgame_steps() * (FULL_PHASE - phase) * scale;
        let middlegame = self.middlegame_steps() * phase * FULL_SCALE;
        let sum = (middlegame + endgame) as i64 * fifty_move_scale as i64;
        let full = FULL_PHASE * FULL_SCALE * STEPS * FULL_FIFTY_MOVE_SCALE;
        Score::new((sum / full as i64) as i32)
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * i64::from(factor))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Tapered {
    fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self::ZERO, Self::plus)
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S({}, {})", self.middlegame(), self.endgame())
    }
}

/// Centipawns in steps, rounded half away from zero.
const fn to_steps(centipawns: f64) -> i32 {
    let steps = centipawns * STEPS as f64;
    (if steps < 0.0 { steps - 0.5 } else { steps + 0.5 }) as i32
}

#[cfg(test)]
mod tests {
    use super::{FULL_FIFTY_MOVE_SCALE, FULL_PHASE, FULL_SCALE, STEPS, TaperFactors, Tapered};

    const VALUES: [i32; 9] = [-112_000, -331, -100, -1, 0, 1, 99, 512, 112_000];

    fn pairs() -> impl Iterator<Item = (i32, i32)> {
        VALUES.into_iter().flat_map(|mg| VALUES.into_iter().map(move |eg| (mg, eg)))
    }

    #[test]
    fn halves_come_back() {
        for (mg, eg) in pairs() {
            let packed = Tapered::from_steps(mg, eg);
            assert_eq!((packed.middlegame_steps(), packed.endgame_steps()), (mg, eg));
            assert_eq!(Tapered::new(packed.middlegame(), packed.endgame()), packed);
        }
    }

    #[test]
    fn centipawns_are_rounded_to_steps() {
        let rounded = |value| Tapered::new(value, -value);
        assert_eq!(rounded(1.0), Tapered::from_steps(STEPS, -STEPS));
        assert_eq!(rounded(0.06), Tapered::ZERO);
        assert_eq!(rounded(0.07), Tapered::from_steps(1, -1));
        assert_eq!(rounded(-12.3).middlegame(), -12.25);
    }

    #[test]
    fn arithmetic_is_by_halves() {
        let tapered = Tapered::from_steps;
        for (a, b) in pairs() {
            for (c, d) in pairs() {
                let (left, right) = (tapered(a, b), tapered(c, d));
                assert_eq!(left + right, tapered(a + c, b + d));
                assert_eq!(left - right, tapered(a - c, b - d));
            }
            assert_eq!(-tapered(a, b), tapered(-a, -b));
            assert_eq!(tapered(a, b) * -2, tapered(-2 * a, -2 * b));
        }
    }

    #[test]
    fn tapering_mixes_and_mirrors() {
        for (mg, eg) in pairs() {
            let value = Tapered::from_steps(mg, eg);
            let taper = |value: Tapered, phase, scale, fifty_move_scale| {
                value.taper(TaperFactors { phase, scale, fifty_move_scale }).cp()
            };
            assert_eq!(taper(value, FULL_PHASE, 17, FULL_FIFTY_MOVE_SCALE), mg / STEPS);
            assert_eq!(taper(value, 0, FULL_SCALE, FULL_FIFTY_MOVE_SCALE), eg / STEPS);
            assert_eq!(taper(value, 0, 0, FULL_FIFTY_MOVE_SCALE), 0);
            let half = taper(value, FULL_PHASE, 17, FULL_FIFTY_MOVE_SCALE / 2);
            assert_eq!(half, mg / (2 * STEPS));
            for phase in 0..=FULL_PHASE {
                assert_eq!(taper(-value, phase, 37, 150), -taper(value, phase, 37, 150));
            }
        }
    }
}
