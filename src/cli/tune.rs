//! `lovec tune`: the weights of the evaluation, fitted to games.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::cli::{Verdict, dataset, progress};
use crate::eval::{WEIGHTS, writer};
use crate::tuner::dataset::Dataset;
use crate::tuner::fit::{Config, fit, mean_loss};
use crate::tuner::model::{Objective, Parameters};
use crate::tuner::normal::normalise;

const EXAMPLES: &str = "\
A dataset has a line for each position, FEN | centipawns | result, both numbers
from White's side; a file whose name ends in .gz is read through gzip.

Examples:
  lovec tune train.txt.gz -o weights.rs --test test.txt.gz
  lovec tune train.txt.gz -o weights.rs --freeze Material --freeze passed_file
  lovec tune games.txt.gz own.txt.gz -o weights.rs
  lovec tune train.txt.gz --epochs 0 --ablate";

/// Fit the weights of the evaluation to labelled positions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Positions to fit to
    #[arg(value_name = "DATASET", required = true)]
    datasets: Vec<PathBuf>,
    /// Where to write the weights, as the source file that Lovec compiles in
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Positions that no fit sees, to measure the loss on
    #[arg(long, value_name = "DATASET")]
    test: Option<PathBuf>,
    /// Rounds through all positions, at most; 0 only measures
    #[arg(long, default_value_t = Config::default().epochs, value_name = "N")]
    epochs: usize,
    /// Centipawns that a weight moves in a step, at first
    #[arg(long, default_value_t = Config::default().rate, value_name = "CP")]
    rate: f32,
    /// Positions in a step
    #[arg(long, default_value_t = Config::default().batch, value_name = "N")]
    batch: usize,
    /// The part of the game's result in what is wanted; the rest is the score
    #[arg(long, default_value_t = 0.2, value_name = "0..1", value_parser = share)]
    blend: f32,
    /// How strongly weights are drawn to where they began
    #[arg(long, default_value_t = Config::default().pull, value_name = "X")]
    pull: f32,
    /// The share of the positions, in blocks, that decides when to end
    #[arg(long, default_value_t = 0.05, value_name = "0..1", value_parser = share)]
    validation: f32,
    /// Epochs without gain after which the fit ends
    #[arg(long, default_value_t = Config::default().patience, value_name = "N")]
    patience: usize,
    /// Where the shuffling of the positions begins
    #[arg(long, default_value_t = Config::default().seed, value_name = "N")]
    seed: u64,
    /// Leave a term, or a group of terms, as it is
    #[arg(long, value_name = "NAME")]
    freeze: Vec<String>,
    /// Measure what each group of terms, or each term, is worth: the loss without
    #[arg(
        long,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "groups"
    )]
    ablate: Option<Ablation>,
}

/// What to leave out, one after the other.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Ablation {
    Groups,
    Terms,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| format!("{text:?} is not a number"))?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("not between 0 and 1".to_owned()) }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Verdict> {
    let frozen = frozen(&args.freeze)?;
    let start = Parameters::from(&WEIGHTS);
    let mut training = Dataset::default();
    for path in &args.datasets {
        training.append(read(path, out)?);
    }
    let test = args.test.as_deref().map(|path| read(path, out)).transpose()?;
    // Asked for now: a long fit should not end with nowhere to put its result.
    let output = args.output.as_deref().map(open_for_writing).transpose()?;
    let objective = Objective::fitted(&training, &start, args.blend);
    writeln!(out, "a centipawn is {:.6} to the sigmoid", objective.scale)?;
    let measured = test.as_ref().unwrap_or(&training);
    report("before", measured, &start, args.blend, out)?;

    let mut parameters = start.clone();
    if args.epochs > 0 {
        let config = Config {
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
        parameters = fit(&training, &start, &objective, &frozen, &config, |epoch| {
            bar.inc(1);
            bar.set_message(format!("loss {:.6}", epoch.validation));
            let line = bar.suspend(|| {
                writeln!(
                    out,
                    "epoch {:3}  training {:.6}  validation {:.6}",
                    epoch.number, epoch.training, epoch.validation
                )
            });
            losses = std::mem::replace(&mut losses, Ok(())).and(line);
        });
        bar.finish_and_clear();
        losses?;
        report("fitted", measured, &parameters, args.blend, out)?;
        if frozen.iter().all(|&frozen| !frozen) {
            normalise(&mut parameters, &training.occurrences(start.0.len()));
        }
        parameters = Parameters::from(&parameters.to_weights());
        report("written", measured, &parameters, args.blend, out)?;
    }
    if let Some(what) = args.ablate {
        ablate(what, measured, &parameters, args.blend, out)?;
    }
    if let Some((path, mut file)) = output {
        let text = writer::source(&parameters.to_weights());
        file.set_len(0)
            .and_then(|()| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Verdict::Passed)
}

/// Reads a dataset and says how large it is.
fn read(path: &Path, out: &mut impl Write) -> Result<Dataset> {
    let dataset = dataset::read(path, |source, progress| Dataset::read(source, progress))?;
    writeln!(out, "{}: {} positions", path.display(), dataset.len())?;
    Ok(dataset)
}

/// Opens a file to be written, and leaves what is in it for now.
fn open_for_writing(path: &Path) -> Result<(&Path, File)> {
    let options = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    Ok((path, options.with_context(|| format!("cannot write {}", path.display()))?))
}

/// For each term whether it is to be left as it is.
fn frozen(names: &[String]) -> Result<Vec<bool>> {
    let tables = WEIGHTS.tables();
    for name in names {
        if !tables.iter().any(|table| table.name == name || table.group == name) {
            bail!("there is no term and no group of terms {name:?}");
        }
    }
    let is_frozen = |name: &str| names.iter().any(|frozen| frozen == name);
    Ok(tables
        .iter()
        .flat_map(|table| {
            let frozen = is_frozen(table.name) || is_frozen(table.group);
            std::iter::repeat_n(frozen, table.values.len())
        })
        .collect())
}

/// The loss of parameters, each with the scale that suits it best.
fn best_loss(dataset: &Dataset, parameters: &Parameters, blend: f32) -> f64 {
    let objective = Objective::fitted(dataset, parameters, blend);
    let all: Vec<usize> = (0..dataset.len()).collect();
    mean_loss(dataset, parameters, &objective, &all)
}

fn report(
    what: &str,
    dataset: &Dataset,
    parameters: &Parameters,
    blend: f32,
    out: &mut impl Write,
) -> Result<()> {
    let loss = best_loss(dataset, parameters, blend);
    writeln!(out, "{what}: loss {loss:.6}")?;
    Ok(())
}

/// What each group of terms, or each term, is worth: the loss with its weights 0
/// and all others as they are.
fn ablate(
    what: Ablation,
    dataset: &Dataset,
    parameters: &Parameters,
    blend: f32,
    out: &mut impl Write,
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
        let mut without = parameters.clone();
        let mut place = 0;
        for table in &tables {
            if table.group == part || table.name == part {
                without.0[place..place + table.values.len()].fill([0.0; 2]);
            }
            place += table.values.len();
        }
        let loss = best_loss(dataset, &without, blend);
        writeln!(out, "without {part:<22} loss {loss:.6}  {:+.6}", loss - whole)?;
    }
    Ok(())
}
