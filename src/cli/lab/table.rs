//! The table of a comparison as text, CSV and JSON.

use serde::Serialize;

use crate::chess::Position;
use crate::chess::notation::uci;
use crate::chess::notation::written::WrittenLine;
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
}

/// A column of the table.
struct Column {
    name: &'static str,
    /// A narrow table leaves out columns in this order, from 1, until it fits; 0 stays.
    spared: u8,
    field: fn(&TableRow) -> String,
}

const fn column(name: &'static str, spared: u8, field: fn(&TableRow) -> String) -> Column {
    Column { name, spared, field }
}

const COLUMNS: [Column; 18] = [
    column("depth", 0, |row| row.result.depth.to_string()),
    column("algorithm", 0, |row| row.result.row.clone()),
    column("value", 0, |row| row.result.value.map_or("-".to_owned(), value_text)),
    column("kind", 13, |row| row.result.proof.map_or("-", Proof::word).to_owned()),
    column("move", 0, |row| row.result.best().unwrap_or("-").to_owned()),
    column("nodes", 0, |row| row.result.counts.nodes.to_string()),
    column("leaves", 8, |row| row.result.counts.leaves.to_string()),
    column("qnodes", 12, |row| row.result.counts.quiescence_nodes.to_string()),
    column("hits", 2, |row| row.result.counts.hits.to_string()),
    column("cuts", 3, |row| row.result.counts.cuts.to_string()),
    column("EBF", 9, |row| number(row.branching, 2)),
    column("first-cut", 7, |row| number(row.result.counts.first_cutoff_share(), 3)),
    column("passes", 4, |row| row.result.counts.passes.to_string()),
    column("deepest", 6, |row| row.result.deepest.to_string()),
    column("peak", 5, |row| row.result.counts.peak.to_string()),
    column("ms", 11, |row| format!("{:.1}", row.result.time.as_secs_f64() * 1000.0)),
    column("ratio", 10, |row| number(row.ratio, 3)),
    column("stopped", 1, |row| row.result.stopped.map_or("-".to_owned(), |it| it.to_string())),
];

/// The columns of text that are aligned to the left.
const LEFT: [&str; 4] = ["algorithm", "kind", "move", "stopped"];

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

impl TableRow {
    /// The fields in the order of the columns.
    fn fields(&self) -> [String; COLUMNS.len()] {
        COLUMNS.map(|column| (column.field)(self))
    }
}

/// The width of a narrow table, in characters.
const NARROW: usize = 80;

/// The table as text. A narrow one leaves out columns, those that say nothing first, until it
/// fits.
pub(super) fn text(rows: &[TableRow], is_wide: bool) -> String {
    let lines: Vec<_> = rows.iter().map(TableRow::fields).collect();
    let says_nothing =
        |column: usize| lines.iter().all(|line| ["0", "-"].contains(&line[column].as_str()));
    let is_spared = |&column: &usize| COLUMNS[column].spared > 0;
    let mut spared: Vec<usize> = (0..COLUMNS.len()).filter(is_spared).collect();
    spared.sort_by_key(|&column| (!says_nothing(column), COLUMNS[column].spared));
    let mut spared = spared.into_iter();
    let mut kept: Vec<usize> = (0..COLUMNS.len()).collect();
    loop {
        let head: Vec<&str> = kept.iter().map(|&at| COLUMNS[at].name).collect();
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
    let head = COLUMNS.map(|column| column.name).join(",");
    std::iter::once(head).chain(lines).map(|line| line + "\n").collect()
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
        let TableRow { result, branching, ratio } = table;
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
            solved: result.solved,
            stopped: result.stopped.map(|reason| reason.to_string()),
        }
    }
}

/// A line of chess, of which the moves are given in UCI notation.
pub(super) fn written_line(start: &Position, line: &[String]) -> WrittenLine {
    WrittenLine::new(start, &uci::parse_line(start, line.iter().map(String::as_str)))
}
