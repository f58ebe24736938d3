//! What a position is worth to the side to move, without looking ahead.
//!
//! [`evaluate`] is a table of contents: each group of terms has a file of its
//! own, every term is declared in [`terms`] and weighed in [`weights`]. A score
//! is the sum of `weight * count` over all terms, White's less Black's, in a
//! middlegame and an endgame version which are mixed by the material left
//! ([`tapered`]); what does not add up is in [`nonlinear`], and [`scale`] shrinks
//! what cannot be won. Endings of a few men that are known, exactly or by rule,
//! never reach the terms ([`endgames`]).
//!
//! The same code explains ([`explain`], [`piece_values`]) and is tuned: a [`Tracer`] watches each
//! term as it is counted, and vanishes from the build of the search. What a score
//! promises for the result of the game is a matter of its own ([`wdl`]).

mod attack_map;
mod context;
mod endgames;
mod explain;
mod explain_text;
mod incremental;
mod initiative;
mod king;
mod material;
pub mod nonlinear;
mod passed;
mod pawn_table;
mod pawns;
mod piece_values;
mod pieces;
mod scale;
pub mod score;
mod space;
pub mod tapered;
pub mod terms;
mod threats;
pub mod trace;
pub mod wdl;
mod weights;
pub mod writer;

pub use attack_map::AttackMap;
pub use explain::{ExplainRow, Explanation, Standing, Tenths, explain};
pub use explain_text::describe;
pub use incremental::Accumulator;
pub use pawn_table::PawnTable;
pub use piece_values::{PieceValue, PieceValues};
pub use score::Score;
pub use tapered::Tapered;
pub use terms::{Terms, Weights};
pub use trace::{Trace, Tracer};
pub use wdl::WinDrawLoss;
pub use weights::WEIGHTS;

use crate::chess::{Color, State};
use crate::eval::context::EvalContext;
use crate::eval::pawns::PawnStructure;
use crate::eval::tapered::TaperFactors;
use crate::eval::trace::{TermSum, add};

/// The value of a position for the side to move.
///
/// `accumulator` must be that of `state`; `pawns` remembers pawn structures, and
/// changes nothing but the time it takes. A pure function of the state; the
/// result is always smaller in size than [`Score::MAX_EVAL`].
pub fn evaluate(state: &State, accumulator: &Accumulator, pawns: &mut PawnTable) -> Score {
    debug_assert_eq!(*accumulator, Accumulator::from_state(state));
    let structure = pawns.get(state);
    evaluate_traced(state, accumulator, structure, &mut ()) * state.side_to_move().sign()
}

/// [`evaluate`] for a position that nobody has followed.
pub fn evaluate_fresh(state: &State) -> Score {
    let accumulator = Accumulator::from_state(state);
    let structure = PawnStructure::new(state, &mut ());
    evaluate_traced(state, &accumulator, &structure, &mut ()) * state.side_to_move().sign()
}

/// Counts every term of a position.
pub fn trace(state: &State) -> Trace {
    let mut trace = Trace::default();
    let accumulator = Accumulator::from_state(state);
    evaluate_traced(state, &accumulator, &PawnStructure::new(state, &mut ()), &mut trace);
    trace
}

/// The score from White's side, with `tracer` watching.
fn evaluate_traced<T: Tracer>(
    state: &State,
    accumulator: &Accumulator,
    structure: &PawnStructure,
    tracer: &mut T,
) -> Score {
    if let Some(known) = endgames::recognise(state) {
        tracer.known_endgame(known.name);
        return known.score;
    }

    if T::ACTIVE {
        // What has been summed up beforehand is counted again, for the tracer.
        for color in Color::ALL {
            incremental::count(state, &mut TermSum::new(color, tracer));
        }
        PawnStructure::new(state, tracer);
    }

    let context = EvalContext::new(state, structure);
    let mut score = accumulator.score(state) + structure.score;
    score += side(&context, Color::White, tracer);
    score -= side(&context, Color::Black, tracer);
    score += initiative::score(&context, score, tracer);

    let stronger = if score.endgame() >= 0 { Color::White } else { Color::Black };
    let factors = TaperFactors {
        phase: accumulator.phase(),
        scale: scale::factor(&context, stronger),
        fifty_move_scale: scale::fifty_move_scale(state),
    };
    tracer.finish(factors);
    score.taper(factors).clamp_eval()
}

/// All terms of one side but those that are summed up already: material and
/// placement, and pawn structure.
#[inline(always)]
fn side<T: Tracer>(context: &EvalContext, us: Color, tracer: &mut T) -> Tapered {
    let mut sum = TermSum::new(us, tracer);
    material::score(context, &mut sum);
    passed::score(context, &mut sum);
    pieces::score(context, &mut sum);
    king::score(context, &mut sum);
    threats::score(context, &mut sum);
    space::score(context, &mut sum);
    add!(sum, tempo * i32::from(context.state.side_to_move() == us));
    sum.score + nonlinear::danger(sum.units)
}
