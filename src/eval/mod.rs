//! Layer 3: the static evaluation of a position.
//!
//! [`evaluate()`] calls the groups of terms, each of which has a file. Every term is
//! declared in [`terms`] and has its weight in `weights`. A score is the sum of
//! `weight * count` over all terms, White's less Black's, in a middlegame and an endgame
//! version, which are mixed by the material left ([`tapered`]). King danger and initiative
//! are not linear ([`nonlinear`]), and `scale` shrinks advantages that are hard to win.
//! Known endgames of a few pieces are scored without the terms (`endgames`).
//!
//! A [`Tracer`] receives each term as it is counted, for the explanation ([`explain()`]) and
//! the tuner; the search compiles without it. [`wdl`] turns scores into probabilities.

mod attack_map;
mod context;
mod endgames;
mod evaluate;
mod explain;
mod explain_text;
mod incremental;
mod initiative;
mod king;
mod material;
pub mod nonlinear;
mod passed;
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

pub use evaluate::{EvalTables, evaluate, evaluate_fresh, evaluate_with, trace};
pub use explain::{ExplainRow, Explanation, Standing, Tenths, explain};
pub use explain_text::describe;
pub use incremental::Accumulator;
pub use pawns::{backward as backward_pawns, passed as passed_pawns};
pub use piece_values::{PieceValue, PieceValues};
pub use score::Score;
pub use tapered::Tapered;
pub use terms::{Terms, Weights};
pub use trace::{Trace, Tracer};
pub use wdl::WinDrawLoss;
pub use weights::WEIGHTS;
