//! Layer 5: what can be said about a move in words, and be checked.
//!
//! | to read | what it holds |
//! |---|---|
//! | [`mod@line`], [`settle`] | a sequence of moves with the positions between them; its quiet end |
//! | [`examine`], [`study`], [`threat`] | searches; the lines of a move and of its alternative; what the other side would do after a pass |
//! | [`mark`] | the points of a loss, and the marks `!` to `??` |
//! | [`balance`], [`exchange`], [`natural_capture`], [`attack`] | material along a line; what exchanges are worth; captures that are answered; pieces that a move attacks |
//! | [`motif`], [`perpetual`], [`feature`] | tactical patterns; perpetual check; features of a board |
//! | [`breakdown`] | a score as a sum of terms |
//! | [`claim`], [`reasons`] | what can be said of a line; what is said of a move |
//! | [`words`], [`balance_words`], [`feature_words`], [`mod@verdict`] | the same in English |

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
