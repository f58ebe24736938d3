//! The table of a comparison as text, CSV and JSON.

use serde::Serialize;

use crate::chess::notation::uci;
use crate::chess::notation::written::WrittenLine;
use crate::chess::{Move, Position};
use crate::cli::aligned;
use crate::lab::measure::{RowResult, plies_to_end, value_text};
use crate::lab::{Counts, Proof};

/// A row of the table.
pub(super) struct TableRow {
    pub result: RowResult,
    /// The leaves per leaf of the depth before, or else the mean of all depths.
    pub branching: Option<f64>,
    /// The nodes per node of the first algorithm, if it was run to this depth.
    pub ratio: Option<f64>,
    /// The positions with the right move, if any have one.
    pub solved: Option<usize>,
}

const COLUMNS: [&str; 18] = [
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
    "deepest",
    "peak",
    "ms",
    "ratio",
    "stopped",
];

/// The columns of text that are aligned to the left.
const LEFT: [&str; 4] = ["algorithm", "kind", "move", "stopped"];

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
            self.result.value.map_or_else(|| "-".to_owned(), value_text),
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
            self.result.stopped.map_or_else(|| "-".to_owned(), |reason| reason.to_string()),
        ]
    }
}

/// The columns that a narrow table leaves out, in this order, until it fits.
const SPARED: [&str; 13] = [
    "stopped",
    "hits",
    "cuts",
    "passes",
    "peak",
    "deepest",
    "first-cut",
    "leaves",
    "EBF",
    "ratio",
    "ms",
    "qnodes",
    "kind",
];

/// The width of a narrow table, in characters.
const NARROW: usize = 80;

/// The table as text. A narrow one leaves out columns, those that say nothing first, until it
/// fits.
pub(super) fn text(rows: &[TableRow], is_wide: bool) -> String {
    let lines: Vec<_> = rows.iter().map(TableRow::fields).collect();
    let says_nothing =
        |column: usize| lines.iter().all(|line| ["0", "-"].contains(&line[column].as_str()));
    let number = |name: &&str| COLUMNS.iter().position(|column| column == name);
    let mut spared: Vec<usize> = SPARED.iter().filter_map(number).collect();
    spared.sort_by_key(|&column| !says_nothing(column));
    let mut spared = spared.into_iter();
    let mut kept: Vec<usize> = (0..COLUMNS.len()).collect();
    loop {
        let head: Vec<&str> = kept.iter().map(|&at| COLUMNS[at]).collect();
        let of_kept = |line: &[String; _]| kept.iter().map(|&at| line[at].clone()).collect();
        let shown: Vec<Vec<String>> = lines.iter().map(of_kept).collect();
        let is_left = |&place: &usize| LEFT.contains(&head[place]);
        let left: Vec<usize> = (0..kept.len()).filter(is_left).collect();
        let text = aligned(&head, &shown, &left);
        let fits = text.lines().all(|line| line.chars().count() <= NARROW);
        match spared.next().filter(|_| !is_wide && !fits) {
            Some(column) => kept.retain(|&it| it != column),
            None => return text,
        }
    }
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

#[derive(Serialize)]
pub(super) struct JsonTableRow<'a> {
    depth: u32,
    completed_depth: Option<u32>,
    /// The longest path, below leaves too.
    deepest: u32,
    algorithm: &'a str,
    value: Option<i32>,
    plies_to_end: Option<i32>,
    kind: Option<Proof>,
    /// `None` for several positions.
    line: Option<WrittenLine>,
    /// The line of a game other than chess.
    moves: Option<&'a [String]>,
    #[serde(flatten)]
    counts: Counts,
    ebf: Option<f64>,
    mean_ebf: Option<f64>,
    first_cut: Option<f64>,
    milliseconds: u64,
    ratio: Option<f64>,
    solved: Option<usize>,
    stopped: Option<String>,
}

impl<'a> JsonTableRow<'a> {
    /// A row for the only position, if there is one, or for a game other than chess.
    pub fn new(table: &'a TableRow, position: Option<&Position>, is_chess: bool) -> Self {
        let TableRow { result, branching, ratio, solved } = table;
        Self {
            depth: result.depth,
            completed_depth: result.completed_depth,
            deepest: result.deepest,
            algorithm: &result.row,
            value: result.value,
            plies_to_end: result.value.and_then(plies_to_end),
            kind: result.proof,
            line: position.map(|position| written_line(position, &result.line)),
            moves: (!is_chess).then_some(&result.line),
            counts: result.counts,
            ebf: *branching,
            mean_ebf: result.mean_branching(),
            first_cut: result.counts.first_cutoff_share(),
            milliseconds: result.time.as_millis() as u64,
            ratio: *ratio,
            solved: *solved,
            stopped: result.stopped.map(|reason| reason.to_string()),
        }
    }
}

/// A line of chess, of which the moves are given in UCI notation.
pub(super) fn written_line(start: &Position, line: &[String]) -> WrittenLine {
    let mut position = start.clone();
    let mut moves: Vec<Move> = Vec::new();
    for m in line {
        let Ok(m) = uci::parse_move(&position, m) else { break };
        position.make(m);
        moves.push(m);
    }
    WrittenLine::new(start, &moves)
}
