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

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn entry(counts: &str) -> PerftEntry {
        format!("{START} {counts}").parse().unwrap()
    }

    #[test]
    fn correct_counts_pass() {
        assert_eq!(check(&entry(";D1 20 ;D2 400 ;D3 8902"), u64::MAX, None), Ok(()));
    }

    #[test]
    fn the_first_wrong_count_is_returned() {
        let mismatch = check(&entry(";D1 20 ;D2 401 ;D3 1"), u64::MAX, None).unwrap_err();
        assert_eq!(mismatch.fen, START);
        assert_eq!((mismatch.depth, mismatch.expected, mismatch.got), (2, 401, 400));
    }

    #[test]
    fn large_counts_are_left_out() {
        assert_eq!(check(&entry(";D1 20 ;D2 401"), 400, None), Ok(()));
    }

    #[test]
    fn an_abort_ends_the_check() {
        let abort = AtomicBool::new(true);
        assert_eq!(check(&entry(";D1 20 ;D9 1"), u64::MAX, Some(&abort)), Ok(()));
    }
}
