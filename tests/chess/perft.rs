//! Perft: the number of move paths of a given length, against known counts.
//!
//! Every position of the standard suite is counted to the first depth that has
//! at least [`ENOUGH`] nodes, or to its deepest count, and every Chess960
//! position to depth 3, every fourth of them to depth 4; `lovec perft-suite`
//! counts further. The last ply is counted, not played, and the lines are shared
//! among all cores; debug assertions stay on, so that each move made is also
//! checked against a position computed from nothing.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use lovec::chess::Position;
use lovec::chess::perft::{PerftOptions, perft, perft_divide};

/// Nodes after which a line of the standard suite has been searched deep enough.
const ENOUGH: u64 = 500_000;

/// One line of a suite: a position and how many paths lead from it.
struct Line {
    fen: String,
    /// Depth and count, the shallowest first.
    counts: Vec<(u32, u64)>,
}

impl Line {
    /// `FEN ;D1 20 ;D2 400 …`
    fn parse(text: &str) -> Self {
        let mut fields = text.split(';');
        let fen = fields.next().unwrap().trim().to_owned();
        let counts = fields
            .map(|field| {
                let (depth, nodes) = field.trim().split_once(' ').unwrap();
                let depth = depth.strip_prefix('D').unwrap().parse().unwrap();
                (depth, nodes.trim().parse().unwrap())
            })
            .collect();
        Self { fen, counts }
    }
}

fn suite(name: &str) -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/perft").join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.trim().is_empty()).map(Line::parse).collect()
}

/// The count of the library on one thread.
fn count(position: &Position, depth: u32) -> u64 {
    perft(position, depth, &PerftOptions::default()).unwrap()
}

/// The shallowest count of a wrong line that is wrong, in words.
fn first_mismatch(line: &Line) -> Option<String> {
    let position = Position::from_fen(&line.fen).unwrap();
    line.counts.iter().find_map(|&(depth, expected)| {
        let got = count(&position, depth);
        (got != expected)
            .then(|| format!("{} depth {depth}: expected {expected}, got {got}", line.fen))
    })
}

/// Counts each line to the depth that goes with it, on all cores, and panics
/// with every mismatch.
fn check(mut work: Vec<(Line, (u32, u64))>) {
    // The longest first, so that no core is left with a long one at the end.
    work.sort_by_key(|&(_, (_, nodes))| std::cmp::Reverse(nodes));
    let next = AtomicUsize::new(0);
    let mismatches = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((line, (depth, expected))) =
                    work.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    match Position::from_fen(&line.fen) {
                        Err(error) => {
                            mismatches.lock().unwrap().push(format!("{}: {error}", line.fen));
                        }
                        Ok(position) => {
                            if count(&position, *depth) != *expected {
                                mismatches.lock().unwrap().extend(first_mismatch(line));
                            }
                        }
                    }
                }
            });
        }
    });
    let mismatches = mismatches.into_inner().unwrap();
    assert!(mismatches.is_empty(), "{} lines differ:\n{}", mismatches.len(), mismatches.join("\n"));
}

#[test]
fn standard_suite() {
    let lines = suite("standard.epd");
    assert_eq!(lines.len(), 128);
    check(
        lines
            .into_iter()
            .map(|line| {
                let enough = line.counts.iter().find(|(_, nodes)| *nodes >= ENOUGH);
                let cut = *enough.or(line.counts.last()).unwrap();
                (line, cut)
            })
            .collect(),
    );
}

#[test]
fn chess960_suite() {
    let lines = suite("chess960.epd");
    assert_eq!(lines.len(), 960);
    check(
        lines
            .into_iter()
            .enumerate()
            .map(|(number, line)| {
                let deepest = if number % 4 == 0 { 4 } else { 3 };
                let cut = *line.counts.iter().find(|&&(depth, _)| depth == deepest).unwrap();
                (line, cut)
            })
            .collect(),
    );
}

/// Threads and a table change the time a count takes and nothing else.
#[test]
fn threads_and_table_change_no_count() {
    for line in suite("standard.epd").iter().chain(&suite("chess960.epd")).step_by(40) {
        let position = Position::from_fen(&line.fen).unwrap();
        let &(depth, expected) =
            line.counts.iter().rev().find(|(_, nodes)| *nodes < 1_000_000).unwrap();
        for (threads, hash_mib) in [(1, 1), (2, 0), (3, 4), (64, 1)] {
            let options = PerftOptions { threads, hash_mib, abort: None };
            assert_eq!(
                perft(&position, depth, &options),
                Some(expected),
                "{} depth {depth}, {threads} threads, {hash_mib} MiB",
                line.fen
            );
        }
    }
}

#[test]
fn divided_counts_add_up() {
    for line in suite("chess960.epd").iter().step_by(60) {
        let position = Position::from_fen(&line.fen).unwrap();
        let divided = perft_divide(&position, 3, &PerftOptions::default()).unwrap();
        assert_eq!(divided.len() as u64, line.counts[0].1);
        assert_eq!(divided.iter().map(|(_, nodes)| nodes).sum::<u64>(), line.counts[2].1);
    }
}

#[test]
fn abort_ends_a_count() {
    let abort = AtomicBool::new(true);
    let options = PerftOptions { threads: 2, hash_mib: 1, abort: Some(&abort) };
    assert_eq!(perft(&Position::startpos(), 12, &options), None);
}
