//! What happened at the nodes of a benchmark, in a build with the feature `statistics`.

use serde::Serialize;

use crate::cli::aligned;
use crate::search::statistics::{NodeCounts, PieceClass, SearchStatistics};

const HEADER: [&str; 16] = [
    "depth",
    "nodes",
    "table",
    "futility",
    "razoring",
    "null",
    "ProbCut",
    "multi-cut",
    "high",
    "low",
    "first",
    "moves",
    "plies",
    "raised",
    "singular",
    "extended",
];

/// The counts of one depth and number of pieces.
#[derive(Serialize)]
pub(super) struct JsonRow {
    pieces: &'static str,
    depth: usize,
    nodes: u64,
    #[serde(flatten)]
    counts: NodeCounts,
}

pub(super) fn rows(statistics: &SearchStatistics) -> Vec<JsonRow> {
    let row = |(class, depth, counts): (PieceClass, usize, &NodeCounts)| JsonRow {
        pieces: class.name,
        depth,
        nodes: counts.nodes(),
        counts: *counts,
    };
    statistics.rows().map(row).collect()
}

/// A table for each class of positions.
pub(super) fn text(rows: &[JsonRow]) -> String {
    let table = |rows: &[JsonRow]| {
        let lines: Vec<Vec<String>> = rows.iter().map(line).collect();
        format!("{}\n{}\n", rows[0].pieces, aligned(&HEADER, &lines, &[]))
    };
    rows.chunk_by(|one, next| one.pieces == next.pieces).map(table).collect()
}

/// Shares are in percent: of the nodes, but first moves of the nodes that failed high, raised
/// of the late moves, and extended of the singular searches. Moves of a node that failed low
/// and plies of reduction are means.
fn line(row: &JsonRow) -> Vec<String> {
    let &JsonRow { depth, nodes, counts, .. } = row;
    let of_nodes = |count: u64| share(count, nodes);
    vec![
        depth.to_string(),
        nodes.to_string(),
        of_nodes(counts.table_cutoffs),
        of_nodes(counts.reverse_futility),
        of_nodes(counts.razoring),
        of_nodes(counts.null_moves),
        of_nodes(counts.probcuts),
        of_nodes(counts.multi_cuts),
        of_nodes(counts.fail_highs),
        of_nodes(counts.fail_lows),
        share(counts.first_moves, counts.fail_highs),
        ratio(counts.moves, counts.fail_lows),
        ratio(counts.plies, counts.late_moves),
        share(counts.raised, counts.late_moves),
        of_nodes(counts.singular_searches),
        share(counts.extended, counts.singular_searches),
    ]
}

/// A part of a number, in percent.
fn share(part: u64, of: u64) -> String {
    ratio(100 * part, of)
}

/// A quotient with one decimal, `-` if there is none.
fn ratio(dividend: u64, divisor: u64) -> String {
    match divisor {
        0 => "-".to_owned(),
        _ => format!("{:.1}", dividend as f64 / divisor as f64),
    }
}
