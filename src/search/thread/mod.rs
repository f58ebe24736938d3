//! What a search thread has: its position, its line, its root moves and what it reports of
//! them, its memory, and what it shares with the other threads.

pub mod line;
pub mod mate_line;
pub mod pv;
pub mod reductions;
pub mod reporting;
pub mod root_moves;
pub mod shared;
pub mod worker;
