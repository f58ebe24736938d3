//! The search window, and what is known of a value before it is searched.

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

/// The least and the most that a node can be worth, by what is proved of it: a mate
/// that an earlier search found, or the outcome that endgame tables tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProvenBounds {
    least: Score,
    most: Score,
}

impl ProvenBounds {
    /// Nothing is proved.
    pub const NONE: Self = Self { least: Score::new(-Score::INFINITE.cp()), most: Score::INFINITE };

    /// What a score with this bound proves.
    #[inline]
    pub fn new(score: Score, bound: Bound) -> Self {
        match bound {
            Bound::Lower => Self { least: score, ..Self::NONE },
            Bound::Upper => Self { most: score, ..Self::NONE },
            Bound::Exact => Self { least: score, most: score },
        }
    }

    #[inline]
    pub fn least(self) -> Score {
        self.least
    }

    #[inline]
    pub fn most(self) -> Score {
        self.most
    }

    /// What both prove together. Where they contradict each other, `other` counts.
    #[inline]
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        if least <= most { Self { least, most } } else { other }
    }

    /// Whether nothing that a search may find changes its result in a window.
    #[inline]
    pub fn settle(self, window: Window) -> bool {
        self.least >= window.beta || self.most <= window.alpha || self.least == self.most
    }

    /// The part of a window that a value may fall into, and what it takes to tell a
    /// value on its edge from one beyond. The value may exceed alpha.
    #[inline]
    pub fn narrow(self, window: Window) -> Window {
        debug_assert!(self.most > window.alpha);
        let one = Score::new(1);
        let alpha = window.alpha.max(self.least.min(window.beta) - one);
        Window::new(alpha, window.beta.min(self.most + one))
    }

    /// The score that is closest to another one within the bounds.
    #[inline]
    pub fn clamp(self, score: Score) -> Score {
        score.clamp(self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(least: i32, most: i32) -> ProvenBounds {
        ProvenBounds { least: Score::new(least), most: Score::new(most) }
    }

    fn window(alpha: i32, beta: i32) -> Window {
        Window::new(Score::new(alpha), Score::new(beta))
    }

    #[test]
    fn a_bound_proves_one_side_or_both() {
        let score = Score::new(7);
        assert_eq!(ProvenBounds::new(score, Bound::Exact), bounds(7, 7));
        let (lower, upper) =
            (ProvenBounds::new(score, Bound::Lower), ProvenBounds::new(score, Bound::Upper));
        assert_eq!((lower.least(), lower.most()), (score, Score::INFINITE));
        assert_eq!((upper.least(), upper.most()), (-Score::INFINITE, score));
    }

    #[test]
    fn bounds_together_prove_what_each_of_them_proves() {
        assert_eq!(bounds(0, 50).intersect(bounds(20, 90)), bounds(20, 50));
        assert_eq!(bounds(20, 90).intersect(bounds(0, 50)), bounds(20, 50));
        assert_eq!(ProvenBounds::NONE.intersect(bounds(5, 5)), bounds(5, 5));
        assert_eq!(bounds(0, 10).intersect(bounds(20, 90)), bounds(20, 90), "a contradiction");
    }

    #[test]
    fn a_window_is_narrowed_to_what_is_possible() {
        assert_eq!(ProvenBounds::NONE.narrow(Window::FULL), Window::FULL);
        assert_eq!(bounds(20, 50).narrow(window(0, 90)), window(19, 51));
        assert_eq!(bounds(20, 50).narrow(window(30, 40)), window(30, 40));
        assert_eq!(bounds(90, 95).narrow(window(0, 50)), window(49, 50), "never empty");
    }

    #[test]
    fn bounds_settle_a_window_that_they_lie_outside_of() {
        for (range, settles) in [
            ((50, 60), true),
            ((-9, 0), true),
            ((20, 20), true),
            ((49, 60), false),
            ((0, 1), false),
        ] {
            assert_eq!(bounds(range.0, range.1).settle(window(0, 50)), settles, "{range:?}");
        }
    }
}
