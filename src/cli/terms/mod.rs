//! `lovec terms`: every term of the evaluation, as text, as data or as a page with pictures.

mod page;
mod picture;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::chess::{Color, Position, State};
use crate::cli::arguments::real;
use crate::cli::outputs::{ForceArg, OutputPath};
use crate::cli::{CommandStatus, aligned, json, progress, source};
use crate::eval::terms::Unit;
use crate::eval::{Tapered, WEIGHTS, trace};
use crate::suite::bench;
use crate::tuner::dataset::Dataset;
use crate::tuner::fit::{best_loss, loss_without};
use crate::tuner::model::Parameters;
use crate::tuner::sample;

const EXAMPLES: &str = "\
A term has a middlegame and an endgame weight for each of its entries. Its share is the
share of the positions in which either side has it. Without --data the positions are the
ones of `lovec bench`, which are few and chosen for variety.

With --data a term has a loss too: by how much the loss of `lovec tune` grows if its
weights are 0 and all others stay. Other weights are not fitted again, so terms that can
replace each other seem to be worth more than they are.

Examples:
  lovec terms
  lovec terms --html terms.html
  lovec terms --data train.txt.gz --json";

/// Show every term of the evaluation with its weights and how often it occurs
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Labelled positions, in a file as `lovec tune` reads it
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// With --data: weight of the game result in the target; the rest is the score
    #[arg(long, default_value_t = 0.2, value_name = "0..1", requires = "data", value_parser = real(0.0..=1.0))]
    blend: f32,
    /// Write a page with pictures of the weights, which needs no other file
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<OutputPath>,
    #[command(flatten)]
    force: ForceArg,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let page = args.html.as_ref().map(|path| path.prepare(args.force)).transpose()?;
    let report = match &args.data {
        Some(path) => of_dataset(path, args.blend)?,
        None => of_bench()?,
    };
    if let Some(file) = page {
        file.write(page::page(&report))?;
    } else if args.json {
        json::write(out, "lovec.terms/1", &report)?;
    } else {
        write!(out, "{}", text(&report))?;
    }
    Ok(CommandStatus::Passed)
}

/// For each term whether either side has it in a position; in known endgames it has none.
fn presence(state: &State) -> Vec<bool> {
    let trace = trace(state);
    let [white, black] = Color::ALL.map(|color| trace.counts(color).tables());
    let has = |values: &[i16]| values.iter().any(|&count| count != 0);
    white.iter().zip(&black).map(|(white, black)| has(white.values) || has(black.values)).collect()
}

/// The terms with the numbers of positions in which they occur, and no losses.
fn summaries(counts: &[usize]) -> Vec<TermSummary> {
    let tables = WEIGHTS.tables().into_iter().zip(counts);
    let summary = tables.map(|(table, &positions)| TermSummary {
        group: table.group,
        term: table.name,
        description: table.description,
        unit: match table.unit {
            Unit::Centipawn => "centipawns",
            Unit::Danger => "units of danger",
            Unit::Initiative => "units of initiative",
        },
        shape: table.shape,
        weights: table.values,
        positions,
        loss: None,
    });
    summary.collect()
}

/// Adds the terms of a position.
fn add(counts: &mut [usize], present: &[bool]) {
    counts.iter_mut().zip(present).for_each(|(count, &is)| *count += usize::from(is));
}

/// The terms in the positions of `lovec bench`.
fn of_bench() -> Result<TermReport> {
    let mut counts = vec![0; WEIGHTS.tables().len()];
    for fen in bench::POSITIONS {
        add(&mut counts, &presence(Position::from_fen(fen)?.state()));
    }
    Ok(TermReport {
        file: None,
        positions: bench::POSITIONS.len(),
        known_endgames: None,
        loss: None,
        terms: summaries(&counts),
    })
}

/// The terms in labelled positions, with their losses.
fn of_dataset(path: &Path, blend: f32) -> Result<TermReport> {
    ensure!(!source::is_standard_input(path), "--data is read twice, so it must be a file");
    let mut counts = vec![0; WEIGHTS.tables().len()];
    source::read_dataset(path, |source, lines| {
        let count = |present: Vec<bool>| {
            add(&mut counts, &present);
            Ok(())
        };
        sample::read(source, |sample| presence(&sample.position), count, lines)
    })?;
    let data = source::read_dataset(path, |source, lines| Dataset::read(source, lines))?;
    let parameters = Parameters::from(&WEIGHTS);
    let whole = best_loss(&data, &parameters, blend);
    let mut terms = summaries(&counts);
    let bar = progress::bar(terms.len());
    for term in &mut terms {
        bar.set_message(term.term);
        term.loss = Some(loss_without(term.term, &data, &parameters, blend) - whole);
        bar.inc(1);
    }
    let file = Some(path.display().to_string());
    let (positions, known_endgames) = (data.len(), Some(data.known_endgames()));
    Ok(TermReport { file, positions, known_endgames, loss: Some(whole), terms })
}

/// A line for each term: a single weight, or the least and the greatest.
fn text(report: &TermReport) -> String {
    let mut head = vec!["term", "middlegame", "endgame", "occurs"];
    head.extend(report.loss.map(|_| "loss"));
    head.push("meaning");
    let mut lines = Vec::new();
    for term in &report.terms {
        let mut line = vec![
            term.term.to_owned(),
            range(term.weights, Tapered::middlegame),
            range(term.weights, Tapered::endgame),
            format!("{:.1} %", report.percent(term)),
        ];
        line.extend(term.loss.map(|loss| format!("{loss:+.6}")));
        line.push(term.description.to_owned());
        lines.push(line);
    }
    let table = aligned(&head, &lines, &[0, head.len() - 1]);
    let note = report.loss.map_or_else(String::new, |loss| format!(", loss {loss:.6}"));
    format!("{table}{} terms; {}{note}\n", report.terms.len(), report.source())
}

/// A weight, or the least and the greatest of several, in tenths.
fn range(weights: &[Tapered], half: fn(Tapered) -> f64) -> String {
    let values = || weights.iter().map(|&weight| half(weight));
    let (least, greatest) =
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if least < greatest { format!("{least:.1} … {greatest:.1}") } else { format!("{least:.1}") }
}

/// What a page or a table shows of a term.
#[derive(Clone, Debug, Serialize)]
struct TermSummary {
    group: &'static str,
    term: &'static str,
    description: &'static str,
    unit: &'static str,
    /// The sizes of the dimensions; none for a single weight.
    shape: &'static [usize],
    weights: &'static [Tapered],
    /// The positions in which either side has it.
    positions: usize,
    /// What the loss gains without it.
    loss: Option<f64>,
}

/// All terms, and the positions that they were counted in.
#[derive(Clone, Debug, Serialize)]
struct TermReport {
    /// Of labelled positions; without one they are the positions of `lovec bench`.
    file: Option<String>,
    positions: usize,
    /// Labelled positions beside these, which have no terms.
    known_endgames: Option<usize>,
    /// Of the evaluation, on labelled positions.
    loss: Option<f64>,
    terms: Vec<TermSummary>,
}

impl TermReport {
    /// How many positions there are, and where they are from.
    fn source(&self) -> String {
        let file = self.file.as_deref().unwrap_or("lovec bench");
        let left_out = source::left_out(self.known_endgames.unwrap_or(0));
        format!("{} positions of {file}{left_out}", self.positions)
    }

    /// The share of the positions in which a term occurs, in percent.
    fn percent(&self, term: &TermSummary) -> f64 {
        100.0 * term.positions as f64 / self.positions.max(1) as f64
    }
}
