//! A middlegame and an endgame value in one machine word.
//!
//! The two are mixed by the material left (Chess Programming Wiki, "Tapered Eval"). Both
//! share an `i32`, so that one addition adds both (as Stockfish's `Score`): the endgame
//! value is in the upper sixteen bits, the middlegame value in the lower ones. A negative
//! lower half borrows one from the upper half, which [`Tapered::endgame`] adds again.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use bytemuck::Zeroable;
use serde::Serialize;

use crate::eval::score::Score;

/// A pair of centipawn values, middlegame and endgame.
#[derive(Clone, Copy, PartialEq, Eq, Default, Zeroable, Serialize)]
#[serde(into = "Halves")]
pub struct Tapered(i32);

#[derive(Serialize)]
struct Halves {
    mg: i32,
    eg: i32,
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

    #[inline]
    pub const fn new(middlegame: i32, endgame: i32) -> Self {
        Self((endgame << 16) + middlegame)
    }

    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    #[inline]
    pub const fn endgame(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }

    /// The sum, in constant expressions too.
    #[inline]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Mixes the two halves. Rounds towards zero, so that the scores of both sides are
    /// exact opposites.
    #[inline]
    pub const fn taper(self, factors: TaperFactors) -> Score {
        let TaperFactors { phase, scale, fifty_move_scale } = factors;
        let endgame = self.endgame() * (FULL_PHASE - phase) * scale;
        let middlegame = self.middlegame() * phase * FULL_SCALE;
        let score = (middlegame + endgame) / (FULL_PHASE * FULL_SCALE);
        Score::new(score * fifty_move_scale / FULL_FIFTY_MOVE_SCALE)
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
        Self(self.0 * factor)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
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

#[cfg(test)]
mod tests {
    use super::{FULL_FIFTY_MOVE_SCALE, FULL_PHASE, FULL_SCALE, TaperFactors, Tapered};

    const VALUES: [i32; 9] = [-14_000, -331, -100, -1, 0, 1, 99, 512, 14_000];

    fn pairs() -> impl Iterator<Item = (i32, i32)> {
        VALUES.into_iter().flat_map(|mg| VALUES.into_iter().map(move |eg| (mg, eg)))
    }

    #[test]
    fn halves_come_back() {
        for (mg, eg) in pairs() {
            let packed = Tapered::new(mg, eg);
            assert_eq!((packed.middlegame(), packed.endgame()), (mg, eg));
        }
    }

    #[test]
    fn arithmetic_is_by_halves() {
        for (a, b) in pairs() {
            for (c, d) in pairs() {
                let (left, right) = (Tapered::new(a, b), Tapered::new(c, d));
                assert_eq!(left + right, Tapered::new(a + c, b + d));
                assert_eq!(left - right, Tapered::new(a - c, b - d));
            }
            assert_eq!(-Tapered::new(a, b), Tapered::new(-a, -b));
            assert_eq!(Tapered::new(a, b) * -2, Tapered::new(-2 * a, -2 * b));
        }
    }

    #[test]
    fn tapering_mixes_and_mirrors() {
        for (mg, eg) in pairs() {
            let value = Tapered::new(mg, eg);
            let taper = |value: Tapered, phase, scale, fifty_move_scale| {
                value.taper(TaperFactors { phase, scale, fifty_move_scale }).cp()
            };
            assert_eq!(taper(value, FULL_PHASE, 17, FULL_FIFTY_MOVE_SCALE), mg);
            assert_eq!(taper(value, 0, FULL_SCALE, FULL_FIFTY_MOVE_SCALE), eg);
            assert_eq!(taper(value, 0, 0, FULL_FIFTY_MOVE_SCALE), 0);
            assert_eq!(taper(value, FULL_PHASE, 17, FULL_FIFTY_MOVE_SCALE / 2), mg / 2);
            for phase in 0..=FULL_PHASE {
                assert_eq!(taper(-value, phase, 37, 150), -taper(value, phase, 37, 150));
            }
        }
    }
}
