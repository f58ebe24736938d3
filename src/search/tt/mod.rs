//! What is remembered: the transposition table, and what it proves of a node.

pub mod entry;
#[cfg(all(test, feature = "loom"))]
mod model;
#[cfg(all(test, not(feature = "loom")))]
mod stress;
pub mod table;
pub mod window;
