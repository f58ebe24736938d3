//! The evaluation, the search and the endgame tables, through the library.
// The rules for threads are those of the program, not of its tests.
#![allow(clippy::disallowed_methods)]

mod egtb;
mod endgames;
mod eval;
mod search;
mod syzygy;
