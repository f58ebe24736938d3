//! What a position is worth to the side to move, without looking ahead.
//!
//! [`evaluate`] is a table of contents: each group of terms has a file of its
//! own, every term is declared in [`terms`] and weighed in [`weights`]. A score
//! is the sum of `weight * count` over all terms, White's less Black's, in a
//! middlegame and an endgame version which are mixed by the material left
//! ([`tapered`]); [`scale`] shrinks what cannot be won. Endings that the material
//! alone decides never reach the terms ([`endgames`]).
//!
//! The same code explains ([`explain`]) and is tuned: a [`Tracer`] watches each
//! term as it is counted, and vanishes from the build of the search.

mod attack_map;
mod context;
mod endgames;
mod explain;
mod incremental;
mod king;
mod passed;
mod pawns;
mod pieces;
mod scale;
pub mod score;
mod space;
pub mod tapered;
pub mod terms;
mod threats;
pub mod trace;
mod weights;
pub mod writer;

pub use attack_map::AttackMap;
pub use explain::{Explanation, Row, explain};
pub use incremental::Accumulator;
pub use score::Score;
pub use tapered::Tapered;
pub use terms::{Terms, Weights};
pub use trace::{Trace, Tracer};
pub use weights::WEIGHTS;

use crate::chess::{Color, State};
use crate::eval::context::Context;
use crate::eval::trace::{Tally, add};

/// The value of a position for the side to move.
///
/// `accumulator` must be that of `state`. A pure function of the state; the
/// result is always smaller in size than [`Score::MAX_EVAL`].
pub fn evaluate(state: &State, accumulator: &Accumulator) -> Score {
    debug_assert_eq!(*accumulator, Accumulator::from_state(state));
    evaluate_traced(state, accumulator, &mut ()) * state.side_to_move().sign()
}

/// [`evaluate`] for a position that nobody has followed.
pub fn evaluate_fresh(state: &State) -> Score {
    evaluate(state, &Accumulator::from_state(state))
}

/// Counts every term of a position.
pub fn trace(state: &State) -> Trace {
    let mut trace = Trace::default();
    evaluate_traced(state, &Accumulator::from_state(state), &mut trace);
    trace
}

/// The score from White's side, with `tracer` watching.
fn evaluate_traced<T: Tracer>(state: &State, accumulator: &Accumulator, tracer: &mut T) -> Score {
    if let Some(known) = endgames::recognise(state) {
        tracer.known_ending(known.name);
        return known.score;
    }

    let context = Context::new(state);
    let mut score = accumulator.score();
    score += side(&context, Color::White, tracer);
    score -= side(&context, Color::Black, tracer);

    let stronger = if score.endgame() >= 0 { Color::White } else { Color::Black };
    let scale = scale::factor(&context, stronger);
    let phase = accumulator.phase();
    tracer.finish(phase, scale);
    score.taper(phase, scale).clamp_eval()
}

/// All terms of one side but those that the accumulator has summed up already.
#[inline(always)]
fn side<T: Tracer>(context: &Context, us: Color, tracer: &mut T) -> Tapered {
    if T::ACTIVE {
        incremental::count(context.state, &mut Tally::new(us, tracer));
    }
    let mut tally = Tally::new(us, tracer);
    pawns::score(context, &mut tally);
    passed::score(context, &mut tally);
    pieces::score(context, &mut tally);
    king::score(context, &mut tally);
    threats::score(context, &mut tally);
    space::score(context, &mut tally);
    add!(tally, tempo * i32::from(context.state.side_to_move() == us));
    tally.score
}
