//! The evaluation, the search and the endgame tables, through the library.

mod egtb;
mod endgames;
mod eval;
mod search;
mod syzygy;
