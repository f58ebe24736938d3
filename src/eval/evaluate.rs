//! The evaluation: calls the groups of terms and combines their scores.

use crate::chess::{Color, State};
use crate::eval::context::EvalContext;
use crate::eval::incremental::Accumulator;
use crate::eval::pawns::PawnStructure;
use crate::eval::pawns::PawnTable;
use crate::eval::score::Score;
use crate::eval::tapered::{TaperFactors, Tapered};
use crate::eval::terms::Weights;
use crate::eval::trace::{TermSum, Trace, Tracer, add};
use crate::eval::{endgames, incremental, initiative, king, material, nonlinear};
use crate::eval::{passed, pieces, scale, space, threats};

/// The value of a position for the side to move.
///
/// `accumulator` must belong to `state`; `pawns` caches pawn structures and does not
/// change the result, whose absolute value is below [`Score::MAX_EVAL`].
pub fn evaluate(state: &State, accumulator: &Accumulator, pawns: &mut PawnTable) -> Score {
    debug_assert_eq!(*accumulator, Accumulator::from_state(state));
    let structure = pawns.get(state);
    evaluate_traced(state, accumulator, structure, &mut ()) * state.side_to_move().sign()
}

/// [`evaluate`] without an accumulator or a pawn table.
pub fn evaluate_fresh(state: &State) -> Score {
    let accumulator = Accumulator::from_state(state);
    let structure = PawnStructure::new(state, &mut ());
    evaluate_traced(state, &accumulator, &structure, &mut ()) * state.side_to_move().sign()
}

/// [`evaluate`] with other weights than the program's. Known endgames, which have no terms,
/// keep their score.
pub fn evaluate_with(weights: &Weights, state: &State) -> Score {
    let trace = trace(state);
    if trace.known_endgame.is_some() {
        return evaluate_fresh(state);
    }
    trace.total(weights).taper(trace.factors).clamp_eval() * state.side_to_move().sign()
}

/// Counts every term of a position.
pub fn trace(state: &State) -> Trace {
    let mut trace = Trace::default();
    let accumulator = Accumulator::from_state(state);
    evaluate_traced(state, &accumulator, &PawnStructure::new(state, &mut ()), &mut trace);
    trace
}

/// The score from White's side, recorded by `tracer`.
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
        // The terms that are kept incrementally or cached are counted again for the tracer.
        for color in Color::ALL {
            incremental::count(state, &mut TermSum::new(color, tracer));
        }
        PawnStructure::new(state, tracer);
    }

    let mut context = EvalContext::new(state, structure);
    let mut score = accumulator.score(state) + structure.score;
    score += pieces::score(&mut context, Color::White, tracer);
    score -= pieces::score(&mut context, Color::Black, tracer);
    score += side(&context, Color::White, tracer);
    score -= side(&context, Color::Black, tracer);
    score += initiative::score(&context, score, tracer);

    // Between equals the scale changes only the shares of the terms, which must not depend on
    // the colour.
    let stronger = match score.endgame_steps() {
        1.. => Color::White,
        0 => state.side_to_move(),
        _ => Color::Black,
    };
    let factors = TaperFactors {
        phase: accumulator.phase(),
        scale: scale::factor(state, stronger),
        fifty_move_scale: scale::fifty_move_scale(state),
    };
    tracer.finish(factors);
    score.taper(factors).clamp_eval()
}

/// All terms of one side except the ones already summed up: material and
/// placement, pawn structure, and the pass over the pieces. Not inlined, nor is that pass: with
/// a copy for each colour, evaluation and search do not fit into the instruction cache.
#[inline(never)]
fn side<T: Tracer>(context: &EvalContext, us: Color, tracer: &mut T) -> Tapered {
    let mut sum = TermSum::new(us, tracer);
    material::score(context, &mut sum);
    passed::score(context, &mut sum);
    pieces::defence(context, &mut sum);
    king::score(context, &mut sum);
    threats::score(context, &mut sum);
    space::score(context, &mut sum);
    add!(sum, tempo * i32::from(context.state.side_to_move() == us));
    sum.score + nonlinear::danger(sum.units)
}
