//! `lovec tune`: the weights of the evaluation, fitted to games.

mod learn;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

use crate::cli::arguments::real;
use crate::cli::outputs::{ForceArg, OutputPath};
use crate::cli::tune::learn::{LearnArgs, LearnData};
use crate::cli::{CommandStatus, json, progress, source, whole};
use crate::eval::{WEIGHTS, writer};
use crate::tuner::dataset::Dataset;
use crate::tuner::fit::{Epoch, FitConfig, best_loss, fit, loss_without};
use crate::tuner::model::{Objective, Parameters};
use crate::tuner::normalise::normalise;

/// The largest weight that makes sense, in centipawns; the source file has room for
/// little more.
const MAX_WEIGHT: f32 = 10_000.0;

const EXAMPLES: &str = "\
A dataset has a line for each position, FEN | centipawns | result, both numbers
from White's side; a file whose name ends in .gz is read through gzip, and - is the
standard input. The file of weights is written at the end, only if the fit succeeds.

Examples:
  lovec tune train.txt.gz -o weights.rs --test test.txt.gz
  lovec tune train.txt.gz -o weights.rs --freeze Material --freeze passed_file
  lovec tune games.txt.gz own.txt.gz -o weights.rs
  lovec tune train.txt.gz --epochs 0 --ablate
  lovec tune train.txt.gz --method adam,hill,genetic,td --runs runs --svg losses.svg";

/// Fit the weights of the evaluation to labelled positions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Positions to fit to
    #[arg(value_name = "DATASET", required = true)]
    datasets: Vec<PathBuf>,
    /// Where to write the weights, as the source file of the evaluation
    #[arg(short, long, value_name = "FILE")]
    output: Option<OutputPath>,
    #[command(flatten)]
    force: ForceArg,
    /// Positions to measure the loss on, not used for the fit
    #[arg(long, value_name = "DATASET")]
    test: Option<PathBuf>,
    /// Maximum number of passes over all positions; 0 only measures
    #[arg(long, default_value_t = FitConfig::default().epochs, value_name = "N", value_parser = whole::<usize>(0, 1_000_000))]
    epochs: usize,
    /// Initial learning rate, in centipawns per step
    #[arg(long, default_value_t = FitConfig::default().rate, value_name = "CP", value_parser = real(0.0..=1000.0))]
    rate: f32,
    /// Positions per step
    #[arg(long, default_value_t = FitConfig::default().batch, value_name = "N", value_parser = whole::<usize>(1, 1_000_000_000))]
    batch: usize,
    /// Weight of the game result in the target; the rest is the score
    #[arg(long, default_value_t = 0.2, value_name = "0..1", value_parser = real(0.0..=1.0))]
    blend: f32,
    /// L2 pull towards the starting weights
    #[arg(long, default_value_t = FitConfig::default().pull, value_name = "X", value_parser = real(0.0..=1.0))]
    pull: f32,
    /// Share of the positions, in blocks, that decides when to stop
    #[arg(long, default_value_t = 0.05, value_name = "0..0.9", value_parser = real(0.0..=0.9))]
    validation: f32,
    /// Epochs without improvement after which the fit stops
    #[arg(long, default_value_t = FitConfig::default().patience, value_name = "N", value_parser = whole::<usize>(1, 1_000_000))]
    patience: usize,
    /// Seed of the shuffling of the positions
    #[arg(long, default_value_t = FitConfig::default().seed, value_name = "N")]
    seed: u64,
    /// Keep a term, or a group of terms, unchanged
    #[arg(long, value_name = "NAME")]
    freeze: Vec<String>,
    /// Measure the loss without each group of terms, or each term
    #[arg(
        long,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "groups"
    )]
    ablate: Option<Ablation>,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    learn: LearnArgs,
}

/// What to leave out in turn.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Ablation {
    Groups,
    Terms,
}

/// The output: lines at once, or everything as JSON at the end.
struct Answer<'a, W> {
    out: &'a mut W,
    is_json: bool,
    /// Whether a file gets the result: it is written although the output has failed.
    has_file: bool,
    /// The first failure of the output that was left for the end.
    failed: Option<io::Error>,
    result: JsonTune,
}

/// The losses are of the test positions, if there are any.
#[derive(Default, Serialize)]
struct JsonTune {
    datasets: Vec<JsonDataset>,
    /// A centipawn to the sigmoid.
    scale: f32,
    loss_before: Option<f64>,
    epochs: Vec<Epoch>,
    loss_fitted: Option<f64>,
    /// With the weights as they are written.
    loss_rounded: Option<f64>,
    /// Of the weights.
    file: Option<String>,
    ablation: Vec<JsonAblation>,
}

#[derive(Serialize)]
struct JsonDataset {
    file: String,
    positions: usize,
}

#[derive(Serialize)]
struct JsonAblation {
    without: &'static str,
    loss: f64,
    difference: f64,
}

impl<W: Write> Answer<'_, W> {
    fn line(&mut self, line: &str) -> io::Result<()> {
        if self.is_json || self.failed.is_some() {
            return Ok(());
        }
        match writeln!(self.out, "{line}") {
            Err(error) if self.has_file => {
                self.failed = Some(error);
                Ok(())
            }
            written => written,
        }
    }

    /// Measures the loss with these parameters.
    fn loss(
        &mut self,
        what: &str,
        dataset: &Dataset,
        parameters: &Parameters,
        blend: f32,
    ) -> io::Result<Option<f64>> {
        let loss = best_loss(dataset, parameters, blend);
        self.line(&format!("{what}: loss {loss:.6}"))?;
        Ok(Some(loss))
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    if !args.learn.methods.is_empty() {
        return compare_methods(args, out);
    }
    let frozen = named_terms(&args.freeze)?;
    let start = Parameters::from(&WEIGHTS);
    // Checked now: the result of a long fit must not be lost.
    let output = args.output.as_ref().map(|path| path.prepare(args.force)).transpose()?;
    let (is_json, has_file, result) = (args.json, output.is_some(), JsonTune::default());
    let mut answer = Answer { out, is_json, has_file, failed: None, result };
    let mut training = Dataset::default();
    for path in &args.datasets {
        let read = read(path, &mut answer)?;
        training.append(read).with_context(|| path.display().to_string())?;
    }
    let test = args.test.as_deref().map(|path| read(path, &mut answer)).transpose()?;
    let objective = Objective::fitted(&training, &start, args.blend);
    let scale = objective.scale;
    answer.result.scale = scale;
    answer.line(&format!("a centipawn is {scale:.6} to the sigmoid"))?;
    let measured = test.as_ref().unwrap_or(&training);
    answer.result.loss_before = answer.loss("before", measured, &start, args.blend)?;

    let mut parameters = start.clone();
    if args.epochs > 0 {
        parameters = fit_weights(args, &training, &start, &objective, &frozen, &mut answer)?;
        answer.result.loss_fitted = answer.loss("fitted", measured, &parameters, args.blend)?;
        if frozen.iter().all(|&frozen| !frozen) {
            normalise(&mut parameters, &training.occurrences(start.0.len()));
        }
        let greatest = parameters.0.iter().flatten().fold(0.0_f32, |most, w| most.max(w.abs()));
        let is_sound = parameters.0.iter().flatten().all(|weight| weight.abs() <= MAX_WEIGHT);
        ensure!(is_sound, "the fit leads to weights of {greatest} centipawns; nothing is written");
        parameters = Parameters::from(&parameters.to_weights());
    }
    if let Some(output) = output {
        output.write(writer::source(&parameters.to_weights()))?;
        let name = output.path.display().to_string();
        answer.result.loss_rounded = answer.loss(&name, measured, &parameters, args.blend)?;
        answer.result.file = Some(name);
    } else if args.epochs > 0 {
        answer.result.loss_rounded = answer.loss("rounded", measured, &parameters, args.blend)?;
    }
    if let Some(what) = args.ablate {
        ablate(what, measured, &parameters, args.blend, &mut answer)?;
    }
    if args.json {
        json::write(answer.out, "lovec.tune/1", &answer.result)?;
    }
    match answer.failed {
        Some(error) => Err(error.into()),
        None => Ok(CommandStatus::Passed),
    }
}

/// Compares methods of learning on the datasets.
fn compare_methods(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let plain =
        |path: &Path| source::read_dataset(path, |source, lines| Dataset::read(source, lines));
    let mut training = Dataset::default();
    for path in &args.datasets {
        training.append(plain(path)?).with_context(|| path.display().to_string())?;
    }
    let test = args.test.as_deref().map(plain).transpose()?;
    let data = LearnData {
        training: &training,
        test: test.as_ref(),
        blend: args.blend,
        seed: args.seed,
        json: args.json,
    };
    learn::run(&args.learn, args.force, &data, out)
}

/// Fits the weights and reports each epoch.
fn fit_weights(
    args: &Args,
    training: &Dataset,
    start: &Parameters,
    objective: &Objective,
    frozen: &[bool],
    answer: &mut Answer<'_, impl Write>,
) -> Result<Parameters> {
    let config = FitConfig {
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        pull: args.pull,
        validation: args.validation.into(),
        patience: args.patience,
        seed: args.seed,
    };
    let bar = progress::bar(config.epochs);
    let mut losses = Ok(());
    let parameters = fit(training, start, objective, frozen, &config, |epoch| {
        let Epoch { number, training, validation } = epoch;
        bar.inc(1);
        bar.set_message(format!("loss {validation:.6}"));
        let line = format!("epoch {number:3}  training {training:.6}  validation {validation:.6}");
        answer.result.epochs.push(epoch);
        let reported = bar.suspend(|| answer.line(&line));
        losses = std::mem::replace(&mut losses, Ok(())).and(reported);
    });
    bar.finish_and_clear();
    losses?;
    Ok(parameters)
}

/// Reads a dataset and reports its size.
fn read(path: &Path, answer: &mut Answer<'_, impl Write>) -> Result<Dataset> {
    let dataset = source::read_dataset(path, |source, progress| Dataset::read(source, progress))?;
    let (name, positions) = (path.display(), dataset.len());
    answer.line(&format!("{name}: {positions} positions"))?;
    answer.result.datasets.push(JsonDataset { file: name.to_string(), positions });
    Ok(dataset)
}

/// The loss without each group of terms, or each term: its weights are 0 and all others
/// stay.
fn ablate(
    what: Ablation,
    dataset: &Dataset,
    parameters: &Parameters,
    blend: f32,
    answer: &mut Answer<'_, impl Write>,
) -> Result<()> {
    let whole = best_loss(dataset, parameters, blend);
    let tables = WEIGHTS.tables();
    let mut parts: Vec<&str> = tables
        .iter()
        .map(|table| match what {
            Ablation::Groups => table.group,
            Ablation::Terms => table.name,
        })
        .collect();
    parts.dedup();
    for part in parts {
        let loss = loss_without(part, dataset, parameters, blend);
        let difference = loss - whole;
        answer.line(&format!("without {part:<22} loss {loss:.6}  {difference:+.6}"))?;
        answer.result.ablation.push(JsonAblation { without: part, loss, difference });
    }
    Ok(())
}

/// For each weight whether its term, or the group of it, is named.
fn named_terms(names: &[String]) -> Result<Vec<bool>> {
    let tables = WEIGHTS.tables();
    for name in names {
        if !tables.iter().any(|table| table.name == name || table.group == name) {
            bail!("no term or group of terms is named {name:?}");
        }
    }
    let is_named = |name: &str| names.iter().any(|named| named == name);
    Ok(tables
        .iter()
        .flat_map(|table| {
            let named = is_named(table.name) || is_named(table.group);
            std::iter::repeat_n(named, table.values.len())
        })
        .collect())
}
