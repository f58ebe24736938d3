//! What a position is worth to the side to move, without looking ahead.
//!
//! [`evaluate`] is a table of contents: each group of terms has a file of its
//! own, every term is declared in [`terms`] and weighed in `weights`. A score
//! is the sum of `weight * count` over all terms, White's less Black's, in a
//! middlegame and an endgame version which are mixed by the material left
//! ([`tapered`]); what does not add up is in [`nonlinear`], and `scale` shrinks
//! what cannot be won. Known endings of a few pieces do not reach the terms
//! (`endgames`).
//!
//! The same code explains ([`explain`], `piece_values`) and is tuned: a [`Tracer`] watches each
//! term as it is counted, and vanishes from the build of the search. What a score
//! promises for the result of the game is a matter of its own ([`wdl`]).

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
pub use evaluate::{evaluate, evaluate_fresh, trace};
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
