//! Perft suites: positions with the number of leaves at each depth.

use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::chess::notation::epd::PerftEntry;
use crate::chess::perft::{PerftOptions, perft};

/// A wrong count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    pub fen: String,
    pub depth: u32,
    pub expected: u64,
    pub got: u64,
}

/// Counts at every depth with at most `max_nodes` expected leaves. Stops at the first wrong
/// count, and when `abort` is raised.
pub fn check(
    entry: &PerftEntry,
    max_nodes: u64,
    abort: Option<&AtomicBool>,
) -> Result<(), Mismatch> {
    let options = PerftOptions { abort, ..PerftOptions::default() };
    let wanted = entry.counts.iter().filter(|(_, expected)| *expected <= max_nodes);
    for &(depth, expected) in wanted {
        let Some(got) = perft(&entry.position, depth, &options) else { break };
        if got != expected {
            return Err(Mismatch { fen: entry.position.fen(), depth, expected, got });
        }
    }
    Ok(())
}
