//! `lovec wdl`: fits the win/draw/loss model to games.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::cli::tune::DISAGREEMENT;
use crate::cli::{CommandStatus, json, source};
use crate::eval::Score;
use crate::eval::wdl::{MAX_MATERIAL, MIN_MATERIAL, MODEL, Model};
use crate::tuner::wdl::{MAX_CENTIPAWNS, Observations, fit, limit};

const EXAMPLES: &str = "\
A dataset has a line for each position, FEN | centipawns | result, both numbers
from White's side, as text or gzip; - is the standard input. The scores must come from
the version of Lovec that uses the model.

Examples:
  lovec wdl own.txt.gz
  lovec wdl first.txt second.txt --json";

/// Scores in centipawns of the rows of the table …
const SCORES: [i32; 9] = [0, 25, 50, 100, 150, 200, 300, 500, 800];
/// … and the material of its columns.
const MATERIALS: [u32; 5] = [MIN_MATERIAL, 24, 40, 58, MAX_MATERIAL];

/// Fit the win/draw/loss model to labelled positions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Positions to fit to
    #[arg(value_name = "DATASET", required = true)]
    datasets: Vec<PathBuf>,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let mut observations = Observations::default();
    for path in &args.datasets {
        let read =
            source::read_dataset(path, |source, progress| Observations::read(source, progress))?;
        observations.append(read).with_context(|| path.display().to_string())?;
    }
    let fitted = fit(&observations);
    if limit(&fitted) == Some(MAX_CENTIPAWNS) {
        log::warn!("{DISAGREEMENT}");
    }
    if args.json {
        let result = JsonFit {
            positions: observations.len(),
            log_loss: JsonLogLoss {
                without_scores: observations.log_loss_without_scores(),
                in_use: observations.log_loss(&MODEL),
                fitted: observations.log_loss(&fitted),
            },
            margin: fitted.margin,
            spread: fitted.spread,
            at_limit: limit(&fitted).is_some(),
        };
        json::write(out, "lovec.wdl/1", &result)?;
    } else {
        writeln!(out, "{}", to_text(&observations, &fitted))?;
    }
    Ok(CommandStatus::Passed)
}

fn to_text(observations: &Observations, fitted: &Model) -> String {
    let mut lines = vec![
        format!("{} positions", observations.len()),
        "log loss (nats per position):".to_owned(),
        format!("  without scores  {:.6}", observations.log_loss_without_scores()),
        format!("  model in use    {:.6}", observations.log_loss(&MODEL)),
        format!("  fitted model    {:.6}", observations.log_loss(fitted)),
    ];
    if let Some(limit) = limit(fitted) {
        lines.push(format!("  at the limit of {limit} centipawns"));
    }
    lines.push(format!("\npub const MODEL: Model = {fitted};\n"));
    lines.push("permille of wins/draws/losses by score and material:".to_owned());
    lines.push(row("", MATERIALS.map(|material| material.to_string())));
    for score in SCORES {
        let probabilities = MATERIALS
            .map(|material| fitted.wdl(Score::new(score), material).to_string().replace(' ', "/"));
        lines.push(row(&score.to_string(), probabilities));
    }
    lines.join("\n")
}

fn row(name: &str, cells: [String; MATERIALS.len()]) -> String {
    format!("{name:>5}{}", cells.map(|cell| format!("{cell:>14}")).concat())
}

#[derive(Serialize)]
struct JsonFit {
    positions: usize,
    log_loss: JsonLogLoss,
    margin: [f64; 4],
    spread: [f64; 4],
    /// Whether a bound of margin and spread has ended the fit.
    at_limit: bool,
}

#[derive(Serialize)]
struct JsonLogLoss {
    without_scores: f64,
    in_use: f64,
    fitted: f64,
}
