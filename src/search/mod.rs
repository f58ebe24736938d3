//! Layer 4: the search for the best move.
//!
//! The files and folders in order, each of which imports only from those above it:
//!
//! | to read | what it holds |
//! |---|---|
//! | [`params`], [`strength`], [`options`] | the numbers of the search, the levels of play, the options |
//! | [`tt`] | what is remembered: the transposition table |
//! | [`window`] | the search window, and what is proven of a value |
//! | [`clock`] | when to stop: limits, time management, the timer thread |
//! | [`ordering`] | which move first: the move picker and the histories |
//! | [`request`], [`tables`], [`report`], [`statistics`] | what is to be searched; endgame tables; what a search reports; what it counts, with the feature `statistics` |
//! | [`thread`] | what a search thread has, and what it reports |
//! | [`tree`] | what it does at a node: [`tree::negamax`](tree) is the heart of the engine |
//! | [`root`] | what it does at the root: iterative deepening, helper threads |
//! | [`searcher`] | what is kept from one search to the next, and the way in |

mod clock;
mod options;
mod ordering;
pub mod params;
mod report;
mod request;
mod root;
mod searcher;
pub mod statistics;
pub mod strength;
mod tables;
mod thread;
mod tree;
mod tt;
mod window;

pub use clock::control::{Control, Stop, Timer};
pub use clock::limits::{Clock, Limits};
pub use clock::time::Budget;
pub use options::{MAX_DEPTH, MAX_PLY, MAX_THREADS, ProbeOptions, SearchOptions};
pub use report::{Report, Reporter, SearchResult};
pub use request::SearchRequest;
pub use root::helpers::{STACK_BYTES, ThreadError};
pub use searcher::{Searcher, SearcherError};
pub use strength::Strength;
pub use tables::Tables;
pub use tt::entry::Bound;
pub use tt::table::{HashError, TranspositionTable};
