//! What a thread does at a node.
//!
//! | to read | what it does |
//! |---|---|
//! | [`negamax`] | the node function: principal variation search, step by step |
//! | [`quiescence`] | the leaves: captures until the position is quiet |
//! | [`node`] | the facts of a node and of a move that the heuristics need |
//! | [`bounds`] | draws, the transposition table and endgame tables: when a node needs no search |
//! | [`evaluate`] | the static evaluation of a node |
//! | [`prune`], [`extend`], [`reduce`] | which nodes and moves are skipped, and how deep a move is searched |
//! | [`update_histories`] | what a finished node adds to the histories |

mod bounds;
mod evaluate;
mod extend;
mod negamax;
pub mod node;
mod prune;
mod quiescence;
mod reduce;
mod update_histories;
