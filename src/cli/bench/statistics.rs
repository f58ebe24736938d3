//! What happened at the nodes of a benchmark, in a build with the feature `statistics`.

use serde::Serialize;

use crate::cli::aligned;
use crate::search::statistics::{NodeCounts, PieceClass, SearchStatistics};

/// The name of a column, and what it shows of a row.
type Column = (&'static str, fn(&JsonRow) -> String);

/// The columns of a table. Shares are in percent: of the nodes, but first moves of the nodes that
/// failed high, raised of the late moves, and extended of the singular searches. Moves of a node
/// that failed low and plies of reduction are means.
const COLUMNS: [Column; 16] = [
    ("depth", |row| row.depth.to_string()),
    ("nodes", |row| row.nodes.to_string()),
    ("table", |row| share(row.counts.table_cutoffs, row.nodes)),
    ("futility", |row| share(row.counts.reverse_futility, row.nodes)),
    ("razoring", |row| share(row.counts.razoring, row.nodes)),
    ("null", |row| share(row.counts.null_moves, row.nodes)),
    ("ProbCut", |row| share(row.counts.probcuts, row.nodes)),
    ("multi-cut", |row| share(row.counts.multi_cuts, row.nodes)),
    ("high", |row| share(row.counts.fail_highs, row.nodes)),
    ("low", |row| share(row.counts.fail_lows, row.nodes)),
    ("first", |row| share(row.counts.first_moves, row.counts.fail_highs)),
    ("moves", |row| ratio(row.counts.moves, row.counts.fail_lows)),
    ("plies", |row| ratio(row.counts.plies, row.counts.late_moves)),
    ("raised", |row| share(row.counts.raised, row.counts.late_moves)),
    ("singular", |row| share(row.counts.singular_searches, row.nodes)),
    ("extended", |row| share(row.counts.extended, row.counts.singular_searches)),
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
        let line = |row: &JsonRow| COLUMNS.map(|(_, value)| value(row)).to_vec();
        let lines: Vec<Vec<String>> = rows.iter().map(line).collect();
        format!("{}\n{}\n", rows[0].pieces, aligned(&COLUMNS.map(|(name, _)| name), &lines, &[]))
    };
    rows.chunk_by(|one, next| one.pieces == next.pieces).map(table).collect()
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
