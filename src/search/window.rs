//! The search window, and proven bounds of a value.

use std::ops::Neg;

use crate::eval::Score;
use crate::search::tt::entry::Bound;

/// The scores that matter to the search: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// Contains every score.
    pub const FULL: Self = Self { alpha: Score::new(-Score::INFINITE.cp()), beta: Score::INFINITE };

    pub fn new(alpha: Score, beta: Score) -> Self {
        debug_assert!(alpha < beta);
        Self { alpha, beta }
    }

    /// The bound of a score that a search in this window returned.
    pub fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// The null window that tests whether a value is above `alpha`.
    #[inline]
    pub fn null_above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + Score::new(1) }
    }

    /// The null window that tests whether a value is at least `beta`.
    #[inline]
    pub fn null_below(beta: Score) -> Self {
        Self { alpha: beta - Score::new(1), beta }
    }
}

/// The window from the view of the other side.
impl Neg for Window {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The proven range of a node's value: from a mate that an earlier search found, or
/// from endgame tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenBounds {
    least: Score,
    most: Score,
}

impl ProvenBounds {
    /// Nothing is proven.
    pub const NONE: Self = Self { least: Score::new(-Score::INFINITE.cp()), most: Score::INFINITE };

    /// The range that a score with this bound proves.
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

    /// The common part of both ranges; `other` if they contradict each other.
    #[inline]
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        if least <= most { Self { least, most } } else { other }
    }

    /// Whether a search in `window` could not change the result.
    #[inline]
    pub fn settles(self, window: Window) -> bool {
        self.least >= window.beta || self.most <= window.alpha || self.least == self.most
    }

    /// The part of `window` that the value can fall into, one wider on each side so that
    /// a value on its edge is still exact. The range must reach above alpha.
    #[inline]
    pub fn narrow(self, window: Window) -> Window {
        debug_assert!(self.most > window.alpha);
        let one = Score::new(1);
        let alpha = window.alpha.max(self.least.min(window.beta) - one);
        Window::new(alpha, window.beta.min(self.most + one))
    }

    /// The score within the bounds that is closest to `score`.
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
    fn a_lower_or_upper_bound_proves_one_side() {
        let score = Score::new(7);
        assert_eq!(ProvenBounds::new(score, Bound::Exact), bounds(7, 7));
        let (lower, upper) =
            (ProvenBounds::new(score, Bound::Lower), ProvenBounds::new(score, Bound::Upper));
        assert_eq!((lower.least(), lower.most()), (score, Score::INFINITE));
        assert_eq!((upper.least(), upper.most()), (-Score::INFINITE, score));
    }

    #[test]
    fn the_intersection_holds_what_both_prove() {
        assert_eq!(bounds(0, 50).intersect(bounds(20, 90)), bounds(20, 50));
        assert_eq!(bounds(20, 90).intersect(bounds(0, 50)), bounds(20, 50));
        assert_eq!(ProvenBounds::NONE.intersect(bounds(5, 5)), bounds(5, 5));
        assert_eq!(bounds(0, 10).intersect(bounds(20, 90)), bounds(20, 90), "a contradiction");
    }

    #[test]
    fn a_window_is_narrowed_to_the_possible_values() {
        assert_eq!(ProvenBounds::NONE.narrow(Window::FULL), Window::FULL);
        assert_eq!(bounds(20, 50).narrow(window(0, 90)), window(19, 51));
        assert_eq!(bounds(20, 50).narrow(window(30, 40)), window(30, 40));
        assert_eq!(bounds(90, 95).narrow(window(0, 50)), window(49, 50), "never empty");
    }

    #[test]
    fn bounds_outside_a_window_settle_it() {
        for (range, settles) in [
            ((50, 60), true),
            ((-9, 0), true),
            ((20, 20), true),
            ((49, 60), false),
            ((0, 1), false),
        ] {
            assert_eq!(bounds(range.0, range.1).settles(window(0, 50)), settles, "{range:?}");
        }
    }
}
