//! Initiative: how easily either side wins an endgame advantage (after Stockfish 11;
//! Ethereal calls it complexity).
//!
//! Many pawns, pawns on both flanks and advanced kings make a win likelier. The units move
//! the endgame value away from 0 or towards it.

use crate::chess::{Color, Piece, Rank};
use crate::eval::context::EvalContext;
use crate::eval::nonlinear;
use crate::eval::scale::on_both_flanks;
use crate::eval::tapered::Tapered;
use crate::eval::trace::{TermSum, Tracer, count};

/// `score` is the sum of all other terms from White's side.
#[inline(always)]
pub(super) fn score<T: Tracer>(context: &EvalContext, score: Tapered, tracer: &mut T) -> Tapered {
    let mut sum = TermSum::new(Color::White, tracer);
    let state = context.state;
    let pawns = state.pieces(Piece::Pawn);
    let [white, black] = Color::each(|color| state.king(color));
    let apart = |a: usize, b: usize| a.abs_diff(b) as i32;
    let files = apart(white.file().index(), black.file().index());
    let ranks = apart(white.rank().index(), black.rank().index());
    let infiltrates = |color: Color| color.relative_rank(state.king(color).rank()) >= Rank::Fifth;
    let passed = context.all_passed().len();

    count!(sum, initiative_pawns * pawns.len());
    count!(sum, initiative_passed * passed);
    count!(sum, initiative_outflanking * (files - ranks));
    count!(sum, initiative_both_flanks * i32::from(on_both_flanks(pawns)));
    count!(sum, initiative_infiltration * i32::from(Color::ALL.into_iter().any(infiltrates)));
    count!(sum, initiative_pawn_ending * i32::from(context.state.is_pawn_ending()));
    count!(sum, initiative_base * 1);
    nonlinear::initiative(score, sum.units)
}
