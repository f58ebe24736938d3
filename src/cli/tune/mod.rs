//! `lovec tune`: the weights of the evaluation, fitted to games.

mod learn;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use crate::cli::arguments::real;
use crate::cli::outputs::{ForceArg, OutputPath};
use crate::cli::tune::learn::LearnArgs;
use crate::cli::{CommandStatus, Interrupt, json, progress, source, whole};
use crate::eval::{WEIGHTS, writer};
use crate::tuner::dataset::Dataset;
use crate::tuner::fit::{Epoch, FitConfig, best_loss, fit, loss_and_objective, loss_without};
use crate::tuner::model::{Objective, Parameters, ScaleLimit, range_of};
use crate::tuner::normalise::normalise;

/// The largest weight that makes sense, in centipawns; the source file has room for
/// little more.
const MAX_WEIGHT: f32 = 10_000.0;

/// A warning about labelled positions.
pub(super) const DISAGREEMENT: &str =
    "scores and results do not agree, or are too few; both must be from White's side";

const EXAMPLES: &str = "\
A dataset has a line for each position, FEN | centipawns | result, both numbers
from White's side, as text or gzip; - is the standard input. Known endgames are left
out; without scores (FEN | 0 | result) use --blend 1. The weights with the least loss
are written at the end, after Ctrl-C the best so far. Epoch 0 is the start; a training
loss is the mean during its epoch, a validation loss that after it.

The loss is that of Texel's method. Its K is the evaluation's number of a centipawn to the
sigmoid, times 400 / ln 10: 0.83 for 0.0048.

Examples:
  lovec tune train.txt.gz -o weights.rs --test test.txt.gz
  lovec tune train.txt.gz -o weights.rs --freeze Material,passed_file
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
    /// Weight of the game result in the target, often called lambda; the rest is the score
    #[arg(long, default_value_t = 0.2, value_name = "0..1", value_parser = real(0.0..=1.0))]
    blend: f32,
    /// L2 pull towards the starting weights
    #[arg(long, default_value = format!("{:e}", FitConfig::default().pull), value_name = "X", value_parser = real(0.0..=1.0))]
    pull: f32,
    /// Share of the games whose positions decide which weights are the best; with 0 all do
    #[arg(long, default_value_t = 0.05, value_name = "0..0.9", value_parser = real(0.0..=0.9))]
    validation: f32,
    /// Epochs without improvement after which the fit stops
    #[arg(long, default_value_t = FitConfig::default().patience, value_name = "N", value_parser = whole::<usize>(1, 1_000_000))]
    patience: usize,
    /// Seed of the shuffling of the positions
    #[arg(long, default_value_t = FitConfig::default().seed, value_name = "N")]
    seed: u64,
    /// Keep terms, or groups of terms, unchanged; a pawn then is not brought back to 100
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    freeze: Vec<String>,
    /// Measure the loss without each group of terms; for each term see `lovec terms --data`
    #[arg(long)]
    ablate: bool,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    learn: LearnArgs,
}

/// The output: lines at once, or everything as JSON at the end.
struct Answer<'a, W> {
    out: &'a mut W,
    is_json: bool,
    /// Whether a file gets the result: it is written although the output has failed.
    has_file: bool,
    /// The first failure of the output that was left for the end.
    failed: Option<io::Error>,
    /// What the losses of [`Answer::loss`] are called.
    loss_name: &'static str,
    result: JsonTune,
}

/// The losses but those of the epochs are of the test positions, if there are any.
#[derive(Default, Serialize)]
struct JsonTune {
    datasets: Vec<JsonDataset>,
    /// A centipawn of the evaluation and of the scores to the sigmoid, in the epochs.
    scale: f32,
    score_scale: f32,
    loss_before: Option<f64>,
    scales_before: Option<JsonScales>,
    epochs: Vec<Epoch>,
    loss_fitted: Option<f64>,
    scales_fitted: Option<JsonScales>,
    /// With the weights as they are written.
    loss_rounded: Option<f64>,
    scales_rounded: Option<JsonScales>,
    /// Of the weights.
    file: Option<String>,
    ablation: Vec<JsonAblation>,
    interrupted: bool,
}

/// A centipawn of the evaluation and of the scores to the sigmoid, for a loss.
#[derive(Serialize)]
struct JsonScales {
    evaluation: f32,
    scores: f32,
}

#[derive(Serialize)]
struct JsonDataset {
    file: String,
    positions: usize,
    /// Positions that are left out.
    known_endgames: usize,
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

    /// Reports the size of a dataset.
    fn dataset(&mut self, path: &Path, dataset: &Dataset) -> io::Result<()> {
        let (positions, known_endgames) = (dataset.len(), dataset.known_endgames());
        let file = path.display().to_string();
        let left_out = source::left_out(known_endgames);
        self.line(&format!("{file}: {positions} positions{left_out}"))?;
        self.result.datasets.push(JsonDataset { file, positions, known_endgames });
        Ok(())
    }

    /// Measures the loss with these parameters, each with the scales that suit it best.
    fn loss(
        &mut self,
        what: &str,
        dataset: &Dataset,
        parameters: &Parameters,
        blend: f32,
    ) -> io::Result<(Option<f64>, Option<JsonScales>)> {
        let (loss, objective) = loss_and_objective(dataset, parameters, blend);
        let (name, scales) = (self.loss_name, scales(&objective));
        self.line(&format!("{what}: {name} {loss:.6} ({scales})"))?;
        let Objective { scale: evaluation, score_scale: scores, .. } = objective;
        Ok((Some(loss), Some(JsonScales { evaluation, scores })))
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    if !args.learn.methods.is_empty() {
        return learn::run(args, out);
    }
    let frozen = named_terms(&args.freeze)?;
    let start = Parameters::from(&WEIGHTS);
    // Checked now: the result of a long fit must not be lost.
    let output = args.output.as_ref().map(|path| path.prepare(args.force)).transpose()?;
    let (is_json, has_file, result) = (args.json, output.is_some(), JsonTune::default());
    let loss_name = if args.test.is_some() { "test loss" } else { "loss" };
    let mut answer = Answer { out, is_json, has_file, failed: None, loss_name, result };
    let (training, test) = read(args, |path, dataset| answer.dataset(path, dataset))?;
    let objective = objective(&training, &start, args.blend);
    (answer.result.scale, answer.result.score_scale) = (objective.scale, objective.score_scale);
    answer.line(&format!("a centipawn to the sigmoid: {}", scales(&objective)))?;
    let measured = test.as_ref().unwrap_or(&training);
    (answer.result.loss_before, answer.result.scales_before) =
        answer.loss("before", measured, &start, args.blend)?;

    let interrupt = Interrupt::catch()?;
    let mut parameters = start.clone();
    let mut is_new = true;
    if args.epochs > 0 {
        parameters =
            fit_weights(args, &training, &start, &objective, &frozen, &interrupt, &mut answer)?;
        is_new = parameters != start;
        (answer.result.loss_fitted, answer.result.scales_fitted) =
            answer.loss("fitted", measured, &parameters, args.blend)?;
        if is_new && frozen.iter().all(|&frozen| !frozen) {
            normalise(&mut parameters, &training.occurrences(start.0.len()));
        }
        let greatest = parameters.0.iter().flatten().fold(0.0_f32, |most, w| most.max(w.abs()));
        let is_sound = parameters.0.iter().flatten().all(|weight| weight.abs() <= MAX_WEIGHT);
        ensure!(is_sound, "the fit leads to weights of {greatest} centipawns; nothing is written");
        parameters = Parameters::from(&parameters.to_weights());
    }
    if let Some(output) = output.filter(|_| is_new || !interrupt.is_raised()) {
        output.write(writer::source(&parameters.to_weights()))?;
        let name = output.path.display().to_string();
        (answer.result.loss_rounded, answer.result.scales_rounded) =
            answer.loss(&name, measured, &parameters, args.blend)?;
        answer.result.file = Some(name);
    } else if args.epochs > 0 {
        (answer.result.loss_rounded, answer.result.scales_rounded) =
            answer.loss("rounded", measured, &parameters, args.blend)?;
    }
    if args.ablate {
        ablate(measured, &parameters, args.blend, &interrupt, &mut answer)?;
    }
    answer.result.interrupted = interrupt.is_raised();
    if args.json {
        json::write(answer.out, "lovec.tune/1", &answer.result)?;
    } else if interrupt.is_raised() {
        answer.line("interrupted")?;
    }
    match answer.failed {
        Some(error) => Err(error.into()),
        None => Ok(interrupt.status(CommandStatus::Passed)),
    }
}

/// The objective of a fit, with a warning if no scale suits the positions.
fn objective(training: &Dataset, start: &Parameters, blend: f32) -> Objective {
    let objective = Objective::fitted(training, start, blend);
    match objective.limit() {
        None => {}
        Some(ScaleLimit::Least) => log::warn!("{DISAGREEMENT}"),
        Some(ScaleLimit::Greatest) => log::warn!("there are too few positions for a scale"),
    }
    objective
}

/// The scales of an objective in words.
fn scales(Objective { scale, score_scale, .. }: &Objective) -> String {
    format!("evaluation {scale:.6}, scores {score_scale:.6}")
}

/// Reads the positions to fit to and those of the test; `seen` is told of each file.
fn read(
    args: &Args,
    mut seen: impl FnMut(&Path, &Dataset) -> io::Result<()>,
) -> Result<(Dataset, Option<Dataset>)> {
    let mut read = |path: &Path| -> Result<Dataset> {
        let dataset = source::read_dataset(path, |source, lines| Dataset::read(source, lines))?;
        seen(path, &dataset)?;
        Ok(dataset)
    };
    let mut files: Vec<&PathBuf> = args.datasets.iter().chain(&args.test).collect();
    files.sort_unstable();
    for pair in files.windows(2).filter(|pair| pair[0] == pair[1]) {
        log::warn!("{} is given twice", pair[0].display());
    }
    let mut training = Dataset::default();
    for path in &args.datasets {
        training.append(read(path)?).with_context(|| path.display().to_string())?;
    }
    Ok((training, args.test.as_deref().map(read).transpose()?))
}

/// Fits the weights and reports each epoch.
fn fit_weights(
    args: &Args,
    training: &Dataset,
    start: &Parameters,
    objective: &Objective,
    frozen: &[bool],
    interrupt: &Interrupt,
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
    let mut reported = Ok(());
    let parameters = fit(training, start, objective, frozen, &config, |epoch| {
        let Epoch { number, training, validation } = epoch;
        let validation = validation.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.6}"));
        bar.set_position(number as u64);
        bar.set_message(format!("loss {training:.6}"));
        let line = format!("epoch {number:3}  training {training:.6}  validation {validation}");
        answer.result.epochs.push(epoch);
        reported = bar.suspend(|| answer.line(&line));
        if reported.is_err() || interrupt.is_raised() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    bar.finish_and_clear();
    reported?;
    if parameters == *start {
        log::warn!("no epoch has lowered the loss; the weights are those of the start");
    }
    Ok(parameters)
}

/// The loss without each group of terms: its weights are 0 and all others stay.
fn ablate(
    dataset: &Dataset,
    parameters: &Parameters,
    blend: f32,
    interrupt: &Interrupt,
    answer: &mut Answer<'_, impl Write>,
) -> Result<()> {
    let whole = best_loss(dataset, parameters, blend);
    let mut groups: Vec<&str> = WEIGHTS.tables().iter().map(|table| table.group).collect();
    groups.dedup();
    for group in groups.into_iter().take_while(|_| !interrupt.is_raised()) {
        let loss = loss_without(group, dataset, parameters, blend);
        let difference = loss - whole;
        let name = answer.loss_name;
        answer.line(&format!("without {group:<22} {name} {loss:.6}  {difference:+.6}"))?;
        answer.result.ablation.push(JsonAblation { without: group, loss, difference });
    }
    Ok(())
}

/// For each weight whether its term, or the group of it, is named.
fn named_terms(names: &[String]) -> Result<Vec<bool>> {
    let mut is_named = vec![false; Parameters::from(&WEIGHTS).0.len()];
    for name in names {
        let range = range_of(name);
        ensure!(!range.is_empty(), "no term or group of terms is named {name:?}");
        is_named[range].fill(true);
    }
    Ok(is_named)
}
