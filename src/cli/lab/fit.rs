//! `lovec lab fit`: how deep values depend on shallow ones, for ProbCut.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::cli::lab::limit::{LabLimitArgs, read_evaluation};
use crate::cli::suite::{self, SuiteFile};
use crate::cli::{CommandStatus, Interrupt, aligned, json, progress, whole};
use crate::lab::fit::Fit;
use crate::lab::game::{AnyGame, DECISIVE};
use crate::lab::measure::measure;
use crate::lab::{Row, RowError, StopReason};

const EXAMPLES: &str = "\
Each position is searched to both depths. The line is the one of least squares, deep = slope
* shallow + shift; correlation is the one of both values; error is the standard deviation of
deep values from the line. Positions that are decided, and searches that a limit stops, are
left out. The last line has the settings of an algorithm that prunes by the fit, or says why
there is none: the line may fall or be too steep, or the algorithm does not prune.

Examples:
  lovec lab fit wac.epd
  lovec lab fit games.epd --shallow 2 --deep 4 --algo ab:order=mvv:leaf=captures";

/// Fit a line to the values of a shallow and a deep search, for ProbCut
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Positions, one in a line
    #[arg(value_name = "EPD")]
    epd: PathBuf,
    /// The algorithm with its settings
    #[arg(long, value_name = "NAME[:SETTING]", default_value = "ab:order=mvv:leaf=captures")]
    algo: String,
    /// The depth of the shallow search
    #[arg(long, default_value_t = 1, value_name = "D", value_parser = whole::<u32>(0, 100))]
    shallow: u32,
    /// The depth of the deep search
    #[arg(long, default_value_t = 3, value_name = "D", value_parser = whole::<u32>(1, 100))]
    deep: u32,
    #[command(flatten)]
    limit: LabLimitArgs,
    /// The evaluation of the positions, as in `lovec lab compare`
    #[arg(long, value_name = "EVAL", default_value = "lovec")]
    eval: String,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    ensure!(args.shallow < args.deep, "--shallow must be less than --deep");
    let row = Row::parse(&args.algo, &[])?;
    let evaluation = read_evaluation(&args.eval)?;
    let SuiteFile { entries: suite, is_whole } = suite::read_tasks(&args.epd)?;
    let interrupt = Interrupt::catch()?;
    let limit = args.limit.limit(&interrupt, u64::MAX);
    let bar = progress::bar(suite.len());
    let mut pairs = Vec::new();
    for task in suite {
        let mut game = AnyGame::chess(task.epd.position, evaluation.clone());
        let [shallow, deep] =
            [args.shallow, args.deep].map(|depth| measure(&row, &mut game, depth, limit));
        if deep.stopped == Some(StopReason::Interrupted) {
            break;
        }
        bar.inc(1);
        let is_whole = shallow.stopped.is_none() && deep.stopped.is_none();
        let values = shallow.value.zip(deep.value).filter(|_| is_whole);
        let level = values.filter(|pair| pair.0.abs().max(pair.1.abs()) < DECISIVE);
        pairs.extend(level.map(|(shallow, deep)| (f64::from(shallow), f64::from(deep))));
    }
    bar.finish_and_clear();
    let (count, interrupted) = (pairs.len(), interrupt.is_raised());
    let fit = Fit::new(&pairs);
    ensure!(
        fit.is_some() || interrupted,
        "no line goes through {count} positions with two values: they are too few or too alike"
    );
    if args.json {
        let algorithm = fit.and_then(|fit| algorithm(&fit, args).ok());
        let result = JsonFit { positions: count, fit, algorithm, interrupted };
        json::write(out, "lovec.lab-fit/1", &result)?;
    } else {
        if let Some(fit) = fit {
            write!(out, "{}", text(&fit))?;
            match algorithm(&fit, args) {
                Ok(algorithm) => writeln!(out, "{algorithm}")?,
                Err(reason) => writeln!(out, "ProbCut cannot use this line: {reason}")?,
            }
        }
        if interrupted {
            writeln!(out, "interrupted after {count} positions")?;
        }
    }
    Ok(interrupt.status(CommandStatus::of(is_whole)))
}

/// The algorithm with settings that prune by the fit, if it takes them: a line that falls
/// predicts nothing.
fn algorithm(fit: &Fit, args: &Args) -> Result<String, RowError> {
    let text = format!("{}:{}", args.algo, fit.settings(args.shallow, args.deep));
    Row::parse(&text, &[]).map(|_| text)
}

#[derive(Serialize)]
struct JsonFit {
    positions: usize,
    fit: Option<Fit>,
    algorithm: Option<String>,
    interrupted: bool,
}

fn text(fit: &Fit) -> String {
    let head = ["positions", "slope", "shift", "correlation", "error"];
    let numbers = [
        fit.pairs.to_string(),
        format!("{:.3}", fit.slope),
        format!("{:.1}", fit.shift),
        format!("{:.3}", fit.correlation),
        format!("{:.1}", fit.error),
    ];
    aligned(&head, &[numbers.to_vec()], &[])
}
