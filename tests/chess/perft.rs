//! Perft: the number of move paths of a given length, against known counts.
//!
//! Every position of the standard suite is counted to the first depth with at least [`ENOUGH`]
//! nodes, or to its deepest count, and every Chess960 position to depth 3, every sixteenth of
//! them to depth 4; `lovec perft-suite` counts further. Debug assertions stay on, so that each
//! move made is also checked against a position computed from scratch.

use lovec::chess::Position;
use lovec::chess::notation::epd::{self, PerftEntry};
use lovec::chess::perft::{PerftOptions, perft, perft_divide};
use rayon::prelude::*;

use crate::notation::{CHESS960, STANDARD};

/// Nodes after which a position of the standard suite has been searched deep enough.
const ENOUGH: u64 = 100_000;

fn suite(text: &str) -> Vec<PerftEntry> {
    epd::lines(text).map(|(_, line)| line.parse().unwrap()).collect()
}

/// Counts each position to the first depth that `is_deepest` accepts, or to its last one.
/// Reports the shallowest wrong count of each position.
fn check(suite: &[PerftEntry], is_deepest: impl Fn(usize, (u32, u64)) -> bool + Sync) {
    let mismatches = suite.par_iter().enumerate().with_max_len(1).filter_map(|(index, entry)| {
        let deepest = entry.counts.iter().position(|&count| is_deepest(index, count));
        let deepest = deepest.unwrap_or(entry.counts.len() - 1);
        let count = |depth| perft(&entry.position, depth, &PerftOptions::default()).unwrap();
        let is_wrong = |&&(depth, expected): &&(u32, u64)| count(depth) != expected;
        Some(&entry.counts[deepest]).filter(is_wrong)?;
        let (depth, expected) = entry.counts.iter().find(is_wrong)?;
        Some(format!("{} is not {expected} at depth {depth}", entry.position.fen()))
    });
    let mismatches: Vec<String> = mismatches.collect();
    assert!(mismatches.is_empty(), "{} lines differ:\n{}", mismatches.len(), mismatches.join("\n"));
}

#[test]
fn standard_suite() {
    let suite = suite(STANDARD);
    assert_eq!(suite.len(), 128);
    check(&suite, |_, (_, nodes)| nodes >= ENOUGH);
}

#[test]
fn chess960_suite() {
    let suite = suite(CHESS960);
    assert_eq!(suite.len(), 960);
    check(&suite, |index, (depth, _)| depth == if index % 16 == 0 { 4 } else { 3 });
}

/// Threads change the time a count takes and nothing else.
#[test]
fn threads_change_no_count() {
    for entry in suite(STANDARD).iter().chain(&suite(CHESS960)).step_by(40) {
        let &(depth, expected) =
            entry.counts.iter().rev().find(|(_, nodes)| *nodes < 100_000).unwrap();
        let alone = perft_divide(&entry.position, depth, &PerftOptions::default()).unwrap();
        assert_eq!(alone.iter().map(|(_, nodes)| nodes).sum::<u64>(), expected);
        assert_eq!(alone.len() as u64, entry.counts[0].1);
        for threads in [0, 2, 3, 64] {
            let options = PerftOptions { threads, ..PerftOptions::default() };
            let divided = perft_divide(&entry.position, depth, &options).unwrap();
            assert_eq!(divided, alone, "{} depth {depth}, {threads} threads", entry.position.fen());
        }
    }
    // No move is the only path of no moves.
    let start = Position::startpos();
    assert_eq!(perft(&start, 0, &PerftOptions::default()), Some(1));
    assert_eq!(perft_divide(&start, 0, &PerftOptions::default()), Some(Vec::new()));
}
