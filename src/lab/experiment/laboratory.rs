//! What experiments have in common: their sizes, their figures, and running rows.

use std::error::Error;
use std::fmt::Display;

use serde::Serialize;

use crate::chess::notation::epd::{self, Epd};
use crate::chess::notation::uci;
use crate::chess::{Move, Position};
use crate::lab::game::{AnyGame, Evaluation};
use crate::lab::measure::{RowResult, measure};
use crate::lab::{Limit, Row, StopReason};
use crate::search::Stop;

/// Win at Chess (F. Reinfeld, 1958), corrected.
const WIN_AT_CHESS: &str = include_str!("../../../tests/data/wac.epd");

/// An experiment.
#[derive(Clone, Copy, Serialize)]
pub struct Experiment {
    /// `T1`, `T2`, …
    pub name: &'static str,
    pub title: &'static str,
    /// Where the reported figures come from, and what was measured there.
    pub reported: &'static str,
    /// What is measured here.
    pub measured: &'static str,
    /// The fields of [`ExperimentSize`] that it heeds, next to `is_full`.
    #[serde(skip)]
    pub sizes: &'static [&'static str],
    #[serde(skip)]
    pub(super) run: fn(&mut Laboratory<'_>) -> Result<(), ExperimentError>,
}

/// The sizes of an experiment; what is not given is its own.
#[derive(Clone, Debug, Default)]
pub struct ExperimentSize {
    pub depth: Option<u32>,
    pub positions: Option<usize>,
    pub nodes: Option<u64>,
    pub games: Option<u64>,
    /// Positions with a best move in the place of Win at Chess.
    pub epd: Option<Vec<Epd>>,
    /// Whether an experiment has by itself the sizes of its document, which take hours, and
    /// measures the time too.
    pub is_full: bool,
}

/// Why an experiment ends without all of its figures; [`StopReason::Interrupted`] if it was
/// stopped.
pub type ExperimentError = Box<dyn Error + Send + Sync>;

/// A table of figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FigureTable {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// What should be true of the figures, as it was of the reported ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shape {
    pub text: &'static str,
    pub holds: bool,
}

/// The figures of an experiment so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Findings {
    pub tables: Vec<FigureTable>,
    pub shapes: Vec<Shape>,
}

impl Experiment {
    /// Runs the experiment. If it ends early, `Findings` has the figures so far. `progress`
    /// is called before each step with its name.
    pub fn run(
        &self,
        size: &ExperimentSize,
        stop: &Stop,
        progress: &dyn Fn(&str),
    ) -> (Findings, Result<(), ExperimentError>) {
        let (sizes, findings) = (self.sizes, Findings::default());
        let mut laboratory = Laboratory { size, sizes, stop, progress, findings };
        let result = (self.run)(&mut laboratory);
        (laboratory.findings, result)
    }
}

/// A position with its best moves.
#[derive(Clone, Debug)]
pub(super) struct Exercise {
    pub position: Position,
    pub best: Vec<Move>,
}

/// What an experiment runs with, and its figures so far.
pub(super) struct Laboratory<'a> {
    pub size: &'a ExperimentSize,
    sizes: &'static [&'static str],
    pub stop: &'a Stop,
    pub progress: &'a dyn Fn(&str),
    pub findings: Findings,
}

impl Laboratory<'_> {
    /// `full` if the sizes are those of the document, otherwise `quick`.
    fn own<T>(&self, quick: T, full: T) -> T {
        if self.size.is_full { full } else { quick }
    }

    /// A size that is given, or its own.
    fn size<T>(&self, name: &str, given: Option<T>, quick: T, full: T) -> T {
        debug_assert!(self.sizes.contains(&name), "{name}");
        given.unwrap_or(self.own(quick, full))
    }

    pub fn depth(&self, quick: u32, full: u32) -> u32 {
        self.size("depth", self.size.depth, quick, full)
    }

    pub fn nodes(&self, quick: u64, full: u64) -> u64 {
        self.size("nodes", self.size.nodes, quick, full)
    }

    pub fn games(&self, quick: u64, full: u64) -> u64 {
        self.size("games", self.size.games, quick, full)
    }

    pub fn positions(&self, quick: usize, full: usize) -> usize {
        self.size("positions", self.size.positions, quick, full)
    }

    /// The first positions with a best move.
    pub fn exercises(&self, quick: usize, full: usize) -> Result<Vec<Exercise>, ExperimentError> {
        debug_assert!(self.sizes.contains(&"epd"));
        let count = self.positions(quick, full);
        let exercise =
            |epd: &Epd| Ok(Exercise { best: epd.best_moves()?, position: epd.position.clone() });
        match &self.size.epd {
            Some(positions) => positions.iter().take(count).map(exercise).collect(),
            None => {
                let lines = epd::lines(WIN_AT_CHESS).take(count);
                lines.map(|(_, line)| exercise(&line.parse()?)).collect()
            }
        }
    }

    /// Runs a row on a game.
    pub fn measure(
        &self,
        row: &str,
        game: &mut AnyGame,
        depth: u32,
        nodes: u64,
    ) -> Result<RowResult, ExperimentError> {
        (self.progress)(&format!("{row} depth {depth}"));
        let limit = Limit { nodes, job: Some(self.stop), ..Limit::NONE };
        let result = measure(&Row::parse(row, &[])?, game, depth, limit);
        self.check_stop()?;
        Ok(result)
    }

    /// An error if the experiment is stopped.
    pub fn check_stop(&self) -> Result<(), ExperimentError> {
        match self.stop.is_stopped() {
            true => Err(StopReason::Interrupted.into()),
            false => Ok(()),
        }
    }

    /// The sum of a row over exercises, of which there is at least one.
    pub fn sum(
        &self,
        row: &str,
        exercises: &[Exercise],
        depth: u32,
    ) -> Result<RowResult, ExperimentError> {
        let mut sum: Option<RowResult> = None;
        for Exercise { position, best } in exercises {
            let mut game = AnyGame::chess(position.clone(), Evaluation::Lovec);
            let mut result = self.measure(row, &mut game, depth, u64::MAX)?;
            let found = result.best().and_then(|text| uci::parse_move(position, text).ok());
            result.solved = Some(found.is_some_and(|m| best.contains(&m)).into());
            match &mut sum {
                Some(sum) => sum.add(&result),
                None => sum = Some(result),
            }
        }
        sum.ok_or_else(|| StopReason::Interrupted.into())
    }

    /// Begins a table with the names of its columns, joined by ` | `.
    pub fn table(&mut self, head: &str) {
        let head = head.split(" | ").map(str::to_owned).collect();
        self.findings.tables.push(FigureTable { head, rows: Vec::new() });
    }

    /// Begins a table whose last columns, of the time, are there in full only.
    pub fn timed_table(&mut self, head: &str, times: &str) {
        self.table(&self.own(head.to_owned(), format!("{head} | {times}")));
    }

    /// Adds a row to such a table.
    pub fn timed_row(&mut self, mut fields: Vec<String>, times: impl IntoIterator<Item = String>) {
        if self.size.is_full {
            fields.extend(times);
        }
        self.add_row(fields);
    }

    /// Adds a row to the last table.
    pub fn row(&mut self, fields: &[&dyn Display]) {
        self.add_row(fields.iter().map(ToString::to_string).collect());
    }

    pub fn add_row(&mut self, fields: Vec<String>) {
        if let Some(table) = self.findings.tables.last_mut() {
            table.rows.push(fields);
        }
    }

    pub fn shape(&mut self, text: &'static str, holds: bool) {
        self.findings.shapes.push(Shape { text, holds });
    }
}

/// A figure of a list that may be shorter; `-` if there is none.
pub(super) fn figure(figures: &[&str], index: usize) -> String {
    figures.get(index).copied().unwrap_or("-").to_owned()
}

/// A share as a percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
