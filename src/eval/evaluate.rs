//! The evaluation: calls the groups of terms and combines their scores.

use bytemuck::Zeroable;

use crate::chess::{Color, State};
use crate::eval::context::EvalContext;
use crate::eval::incremental::Accumulator;
use crate::eval::material::{Material, MaterialTable};
use crate::eval::pawns::{PawnStructure, PawnTable};
use crate::eval::score::Score;
use crate::eval::tapered::{TaperFactors, Tapered};
use crate::eval::terms::Weights;
use crate::eval::trace::{TermSum, Trace, Tracer, add};
use crate::eval::{endgames, incremental, initiative, king, material, nonlinear};
use crate::eval::{passed, pieces, scale, space, threats};
use crate::util::memory::MemoryError;
use crate::util::unsafe_ops::zeroed_in_huge_pages;

/// What the evaluation keeps of earlier positions, one for each thread. The result does not
/// depend on it.
#[derive(Zeroable)]
pub struct EvalTables {
    pawns: PawnTable,
    material: MaterialTable,
}

impl EvalTables {
    /// Empty tables.
    pub fn new() -> Result<Box<Self>, MemoryError> {
        Ok(zeroed_in_huge_pages()?)
    }

    /// Loads what belongs to a position into the cache, for an evaluation that follows soon.
    #[inline]
    pub fn prefetch(&self, state: &State) {
        self.pawns.prefetch(state);
    }
}

/// The value of a position for the side to move; its absolute value is below
/// [`Score::MAX_EVAL`]. `accumulator` must belong to `state`.
pub fn evaluate(state: &State, accumulator: &Accumulator, tables: &mut EvalTables) -> Score {
    debug_assert_eq!(*accumulator, Accumulator::from_state(state));
    let material = tables.material.get(accumulator.counts());
    let structure = tables.pawns.get(state);
    evaluate_traced(state, accumulator, material, structure, &mut ()) * state.side_to_move().sign()
}

/// [`evaluate`] without an accumulator or tables.
pub fn evaluate_fresh(state: &State) -> Score {
    evaluate_afresh(state, &mut ()) * state.side_to_move().sign()
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
    evaluate_afresh(state, &mut trace);
    trace
}

/// The score from White's side, with everything computed anew.
fn evaluate_afresh<T: Tracer>(state: &State, tracer: &mut T) -> Score {
    let accumulator = Accumulator::from_state(state);
    let material = Material::new(accumulator.counts());
    let structure = PawnStructure::new(state, &mut ());
    evaluate_traced(state, &accumulator, &material, &structure, tracer)
}

/// The score from White's side, recorded by `tracer`.
fn evaluate_traced<T: Tracer>(
    state: &State,
    accumulator: &Accumulator,
    material: &Material,
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
        material::imbalance(accumulator.counts(), material::blocked_pawns(state), tracer);
        PawnStructure::new(state, tracer);
    }

    let mut context = EvalContext::new(state, structure);
    let mut score = accumulator.score(state) + material.score(state) + structure.score;
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
        phase: material.phase,
        scale: scale::factor(state, stronger),
        fifty_move_scale: scale::fifty_move_scale(state),
    };
    tracer.finish(factors);
    score.taper(factors).clamp_eval()
}

/// All terms of one side except the ones already summed up: material,
/// placement, pawn structure, and the pass over the pieces. Not inlined, nor is that pass: with
/// a copy for each colour, evaluation and search do not fit into the instruction cache.
#[inline(never)]
fn side<T: Tracer>(context: &EvalContext, us: Color, tracer: &mut T) -> Tapered {
    let mut sum = TermSum::new(us, tracer);
    passed::score(context, &mut sum);
    pieces::defence(context, &mut sum);
    king::score(context, &mut sum);
    threats::score(context, &mut sum);
    space::score(context, &mut sum);
    add!(sum, tempo * i32::from(context.state.side_to_move() == us));
    sum.score + nonlinear::danger(sum.units)
}
