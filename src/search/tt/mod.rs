//! What is remembered: the transposition table.

pub mod cluster;
pub mod entry;
#[cfg(all(test, feature = "loom"))]
mod model;
#[cfg(all(test, not(feature = "loom")))]
mod stress;
pub mod table;
