//! The table of a comparison as text, CSV and JSON.

use serde_json::{Value, json};

use crate::cli::columns::aligned;
use crate::lab::answer::Proof;
use crate::lab::measure::{RowResult, plies_to_end};

/// A row of the table.
pub(super) struct TableRow {
    pub result: RowResult,
    /// The leaves per leaf of the depth before, or else the mean of all depths.
    pub branching: Option<f64>,
    /// The nodes per node of the first row of this depth.
    pub ratio: Option<f64>,
    /// The positions with the right move, if any have one.
    pub solved: Option<usize>,
}

const COLUMNS: [&str; 17] = [
    "depth",
    "algorithm",
    "value",
    "kind",
    "move",
    "nodes",
    "leaves",
    "qnodes",
    "hits",
    "cuts",
    "EBF",
    "first-cut",
    "passes",
    "plies",
    "peak",
    "ms",
    "ratio",
];

/// The columns of text that are aligned to the left.
const LEFT: [&str; 3] = ["algorithm", "kind", "move"];

impl TableRow {
    /// The fields in the order of the columns.
    fn fields(&self) -> [String; COLUMNS.len()] {
        let RowResult { counts, .. } = &self.result;
        let number = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        [
            self.result.depth.to_string(),
            self.result.row.clone(),
            self.value(),
            self.result.proof.map_or("-", Proof::word).to_owned(),
            self.result.best().unwrap_or("-").to_owned(),
            counts.nodes.to_string(),
            counts.leaves.to_string(),
            counts.quiescence_nodes.to_string(),
            counts.hits.to_string(),
            counts.cuts.to_string(),
            number(self.branching, 2),
            number(counts.first_cutoff_share(), 3),
            counts.passes.to_string(),
            self.result.deepest.to_string(),
            counts.peak.to_string(),
            number(Some(self.result.time.as_secs_f64() * 1000.0), 1),
            number(self.ratio, 3),
        ]
    }

    /// The value, or the plies to the end of a game that is decided.
    fn value(&self) -> String {
        let Some(value) = self.result.value else { return "-".to_owned() };
        match plies_to_end(value) {
            Some(plies) if plies > 0 || value > 0 => format!("win {plies}"),
            Some(plies) => format!("loss {}", -plies),
            None => value.to_string(),
        }
    }
}

/// The table as text.
pub(super) fn text(rows: &[TableRow]) -> String {
    let mut lines = vec![COLUMNS.map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(|row| row.fields().to_vec()));
    let left: Vec<usize> =
        (0..COLUMNS.len()).filter(|&column| LEFT.contains(&COLUMNS[column])).collect();
    aligned(&lines, &left)
}

/// The table as comma-separated values.
pub(super) fn csv(rows: &[TableRow]) -> String {
    let lines = rows.iter().map(|row| row.fields().join(","));
    std::iter::once(COLUMNS.join(",")).chain(lines).map(|line| line + "\n").collect()
}

/// The table of one position as comma-separated values, without times, each line with the
/// number of the position. `None` gives the names of the columns.
pub(super) fn position_csv(position: Option<(usize, &[TableRow])>) -> String {
    let is_kept = |(column, _): &(usize, String)| COLUMNS[*column] != "ms";
    let line = |first: String, fields: [String; COLUMNS.len()]| {
        let fields = fields.into_iter().enumerate().filter(is_kept).map(|(_, field)| field);
        std::iter::once(first).chain(fields).collect::<Vec<_>>().join(",") + "\n"
    };
    match position {
        None => line("position".to_owned(), COLUMNS.map(str::to_owned)),
        Some((number, rows)) => {
            rows.iter().map(|row| line(number.to_string(), row.fields())).collect()
        }
    }
}

pub(super) fn to_json(row: &TableRow) -> Value {
    let RowResult {
        row: algorithm, depth, deepest, value, proof, line, counts, time, stopped, ..
    } = &row.result;
    json!({
        "depth": depth,
        "algorithm": algorithm,
        "value": value,
        "plies_to_end": value.and_then(plies_to_end),
        "proof": proof.map(Proof::word),
        "move": line.first(),
        "line": line,
        "nodes": counts.nodes,
        "leaves": counts.leaves,
        "qnodes": counts.quiescence_nodes,
        "hits": counts.hits,
        "cuts": counts.cuts,
        "ebf": row.branching,
        "mean_ebf": row.result.mean_branching(),
        "first_cut": counts.first_cutoff_share(),
        "passes": counts.passes,
        "plies": deepest,
        "peak": counts.peak,
        "milliseconds": time.as_secs_f64() * 1000.0,
        "ratio": row.ratio,
        "solved": row.solved,
        "stopped": stopped.map(|reason| reason.to_string()),
    })
}
