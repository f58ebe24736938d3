//! Recording which terms make up a score.
//!
//! A [`Tracer`] receives each term as it is counted, with the colour and the number,
//! and at the end the phase and scale. For `()` every method is empty, so the search
//! pays nothing. [`Trace`] stores it all: the tuner takes its coefficients from it,
//! the explanation its rows.
//!
//! The terms reach the score through the macro `add!`, which adds and records at once, or
//! `count!`, which does the same for units that are not centipawns. Material and piece squares,
//! which are [summed incrementally](crate::eval::incremental), are counted for the tracer alone;
//! a test compares the trace with the score.

use crate::chess::Color;
use crate::eval::nonlinear;
use crate::eval::tapered::{TaperFactors, Tapered};
use crate::eval::terms::{TermTable, Terms, Unit, Weights};

/// Receives the terms of a score.
pub trait Tracer {
    /// Whether terms are recorded; otherwise work that only a tracer needs is skipped.
    const ACTIVE: bool;

    /// `color` has `count` more of the term that `term` picks.
    fn record(&mut self, color: Color, count: i32, term: impl FnOnce(&mut Terms<i16>) -> &mut i16);

    /// The factors from which the final score was made.
    fn finish(&mut self, factors: TaperFactors);

    /// The position is a known endgame: no terms are counted.
    fn known_endgame(&mut self, name: &'static str);
}

/// Records nothing.
impl Tracer for () {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn record(&mut self, _: Color, _: i32, _: impl FnOnce(&mut Terms<i16>) -> &mut i16) {}

    #[inline(always)]
    fn finish(&mut self, _: TaperFactors) {}

    #[inline(always)]
    fn known_endgame(&mut self, _: &'static str) {}
}

/// How often each term was counted for each side.
#[derive(Clone, Debug)]
pub struct Trace {
    counts: [Terms<i16>; 2],
    pub factors: TaperFactors,
    /// The name of the known endgame, if the position is one. All counts are 0 then.
    pub known_endgame: Option<&'static str>,
}

impl Default for Trace {
    fn default() -> Self {
        Self {
            counts: [Terms::filled(0), Terms::filled(0)],
            factors: TaperFactors::FULL,
            known_endgame: None,
        }
    }
}

impl Trace {
    /// The counts of one side.
    pub fn counts(&self, color: Color) -> &Terms<i16> {
        &self.counts[color.index()]
    }

    /// The score from White's side, before tapering, as the counts and
    /// `weights` give it.
    pub fn total(&self, weights: &Weights) -> Tapered {
        let tables = weights.tables();
        let [white, black] = Color::each(|color| self.sums(&tables, color));
        let side = |[centipawns, danger, _]: [Tapered; 3]| centipawns + nonlinear::danger(danger);
        let score = side(white) - side(black);
        score + nonlinear::initiative(score, white[Unit::Initiative as usize])
    }

    /// The sum of one side's terms that are counted in `unit`.
    pub fn sum(&self, weights: &Weights, color: Color, unit: Unit) -> Tapered {
        self.sums(&weights.tables(), color)[unit as usize]
    }

    /// The sums of one side's terms, by [`Unit`].
    fn sums(&self, weights: &[TermTable<'_, Tapered>], color: Color) -> [Tapered; 3] {
        let mut sums = [Tapered::ZERO; 3];
        for (weights, counts) in weights.iter().zip(&self.counts(color).tables()) {
            sums[weights.unit as usize] += weights.sum(counts);
        }
        sums
    }
}

impl Tracer for Trace {
    const ACTIVE: bool = true;

    fn record(&mut self, color: Color, count: i32, term: impl FnOnce(&mut Terms<i16>) -> &mut i16) {
        *term(&mut self.counts[color.index()]) += count as i16;
    }

    fn finish(&mut self, factors: TaperFactors) {
        self.factors = factors;
    }

    fn known_endgame(&mut self, name: &'static str) {
        self.known_endgame = Some(name);
    }
}

/// The running score of one side, or of the whole board.
pub(super) struct TermSum<'t, T> {
    pub(super) color: Color,
    pub(super) score: Tapered,
    /// Units that [`nonlinear`] turns into a score: of danger to the side's own
    /// king, or of initiative.
    pub(super) units: Tapered,
    pub(super) tracer: &'t mut T,
}

impl<'t, T: Tracer> TermSum<'t, T> {
    #[inline(always)]
    pub(super) fn new(color: Color, tracer: &'t mut T) -> Self {
        Self { color, score: Tapered::ZERO, units: Tapered::ZERO, tracer }
    }
}

/// `count!(sum, term * count)`: as `add!`, but adds to the units.
macro_rules! count {
    ($sum:expr, $term:ident $([$index:expr])* * $count:expr) => {{
        let count = ($count) as i32;
        $sum.units += crate::eval::weights::WEIGHTS.$term $([$index])* * count;
        $sum.tracer.record($sum.color, count, |terms| &mut terms.$term $([$index])*);
    }};
}

/// `add!(sum, term)` or `add!(sum, term[index] * count)`: adds the weight of
/// a term to the side's score and records it. `add!(sum, them: term)` subtracts a term of
/// the other side.
macro_rules! add {
    ($sum:expr, them: $term:ident $([$index:expr])*) => {{
        $sum.score -= crate::eval::weights::WEIGHTS.$term $([$index])*;
        $sum.tracer.record(!$sum.color, 1, |terms| &mut terms.$term $([$index])*);
    }};
    ($sum:expr, $term:ident $([$index:expr])* * $count:expr) => {{
        let count = ($count) as i32;
        $sum.score += crate::eval::weights::WEIGHTS.$term $([$index])* * count;
        $sum.tracer.record($sum.color, count, |terms| &mut terms.$term $([$index])*);
    }};
    ($sum:expr, $term:ident $([$index:expr])*) => {
        add!($sum, $term $([$index])* * 1)
    };
}

pub(super) use {add, count};
