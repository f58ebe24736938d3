//! Layer 5: what can be said about a move in words, and be checked.
//!
//! A [`Line`] is a sequence of moves with the positions between them. [`motif`] finds the
//! tactical patterns by which the side that begins the line wins.

mod attack;
mod balance;
mod balance_words;
mod breakdown;
pub mod claim;
mod examine;
mod exchange;
pub mod feature;
mod feature_words;
mod line;
pub mod mark;
pub mod motif;
mod natural_capture;
mod perpetual;
pub mod reasons;
mod settle;
pub mod study;
pub mod threat;
mod verdict;
pub mod words;

pub use balance::Capture;
pub use breakdown::{Breakdown, TermValue};
pub use examine::{BestLines, Examination, Examiner, SearchedLine};
pub use line::Line;
pub use verdict::{summary, verdict};
