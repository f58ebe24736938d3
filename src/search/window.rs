//! The search window.

use std::ops::Neg;

use crate::eval::Score;
use crate::search::tt::Bound;

/// Scores that would make a difference: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// Every score is inside.
    pub const FULL: Self = Self { alpha: Score::new(-Score::INFINITE.cp()), beta: Score::INFINITE };

    pub fn new(alpha: Score, beta: Score) -> Self {
        debug_assert!(alpha < beta);
        Self { alpha, beta }
    }

    /// What a score that was found in this window says of the true one.
    pub fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// The window with nothing inside that asks only: above `alpha` or not?
    #[inline]
    pub fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + Score::new(1) }
    }

    /// The window with nothing inside that asks only: `beta` or more?
    #[inline]
    pub fn below(beta: Score) -> Self {
        Self { alpha: beta - Score::new(1), beta }
    }
}

/// The window as the other side sees it.
impl Neg for Window {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
