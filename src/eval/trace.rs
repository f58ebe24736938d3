//! Watching the evaluation at work.
//!
//! [`Tracer`] is told of each term as it is counted, with the colour and the
//! number, and of the phase and scale in the end. For `()` every method is
//! empty, so the search pays nothing. [`Trace`] remembers it all: the tuner
//! takes its coefficients from it and the explanation its rows.
//!
//! The macro `add!` is the only way in which the terms of this folder reach the
//! score. It adds and records in one breath: no term can be scored but untraced.

use crate::chess::Color;
use crate::eval::tapered::{FULL_SCALE, Tapered};
use crate::eval::terms::{Terms, Weights};

/// Something that wants to know how a score came about.
pub trait Tracer {
    /// Whether anybody listens; work that only a tracer needs is left out
    /// otherwise.
    const ACTIVE: bool;

    /// `color` has `count` more of the term that `term` picks.
    fn record(&mut self, color: Color, count: i32, term: impl FnOnce(&mut Terms<i16>) -> &mut i16);

    /// The mixture from which the final score was made.
    fn finish(&mut self, phase: i32, scale: i32);

    /// The position was a known ending: the terms were not asked.
    fn known_ending(&mut self, name: &'static str);
}

/// Nobody watches.
impl Tracer for () {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn record(&mut self, _: Color, _: i32, _: impl FnOnce(&mut Terms<i16>) -> &mut i16) {}

    #[inline(always)]
    fn finish(&mut self, _: i32, _: i32) {}

    #[inline(always)]
    fn known_ending(&mut self, _: &'static str) {}
}

/// How often each term was counted for each side.
#[derive(Clone, Debug)]
pub struct Trace {
    counts: [Terms<i16>; 2],
    pub phase: i32,
    pub scale: i32,
    /// The name of the ending, if the position was recognised as one. All
    /// counts are 0 then.
    pub known_ending: Option<&'static str>,
}

impl Default for Trace {
    fn default() -> Self {
        Self {
            counts: [Terms::filled(0), Terms::filled(0)],
            phase: 0,
            scale: FULL_SCALE,
            known_ending: None,
        }
    }
}

impl Trace {
    /// The counts of one side.
    pub fn counts(&self, color: Color) -> &Terms<i16> {
        &self.counts[color.index()]
    }

    /// White's counts less Black's, term by term in the order of declaration:
    /// the coefficients of the score as a linear function of the weights.
    pub fn coefficients(&self) -> impl Iterator<Item = i16> {
        let [white, black] = [&self.counts[0], &self.counts[1]]
            .map(|counts| counts.tables().into_iter().flat_map(|table| table.values.to_vec()));
        white.zip(black).map(|(white, black)| white - black)
    }

    /// The score from White's side, before tapering, as the counts and
    /// `weights` give it.
    pub fn total(&self, weights: &Weights) -> Tapered {
        let weights = weights.tables().into_iter().flat_map(|table| table.values.to_vec());
        weights
            .zip(self.coefficients())
            .fold(Tapered::ZERO, |sum, (weight, count)| sum + weight * i32::from(count))
    }
}

impl Tracer for Trace {
    const ACTIVE: bool = true;

    fn record(&mut self, color: Color, count: i32, term: impl FnOnce(&mut Terms<i16>) -> &mut i16) {
        *term(&mut self.counts[color.index()]) += count as i16;
    }

    fn finish(&mut self, phase: i32, scale: i32) {
        self.phase = phase;
        self.scale = scale;
    }

    fn known_ending(&mut self, name: &'static str) {
        self.known_ending = Some(name);
    }
}

/// The running score of one side.
pub(super) struct Tally<'t, T> {
    pub(super) color: Color,
    pub(super) score: Tapered,
    pub(super) tracer: &'t mut T,
}

impl<'t, T: Tracer> Tally<'t, T> {
    #[inline(always)]
    pub(super) fn new(color: Color, tracer: &'t mut T) -> Self {
        Self { color, score: Tapered::ZERO, tracer }
    }
}

/// `add!(tally, term)` or `add!(tally, term[index] * count)`: adds the weight of
/// a term to the side's score and records it.
macro_rules! add {
    ($tally:expr, $term:ident $([$index:expr])* * $count:expr) => {{
        let count = ($count) as i32;
        $tally.score += crate::eval::weights::WEIGHTS.$term $([$index])* * count;
        $tally.tracer.record($tally.color, count, |terms| &mut terms.$term $([$index])*);
    }};
    ($tally:expr, $term:ident $([$index:expr])*) => {
        add!($tally, $term $([$index])* * 1)
    };
}

pub(super) use add;
