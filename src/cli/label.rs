//! `lovec label`: new scores for labelled positions, from another engine.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use flate2::Crc;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::cli::arguments::name_and_value;
use crate::cli::outputs::ContinuedPath;
use crate::cli::{CommandStatus, Interrupt, json, progress, source, whole};
use crate::client::EngineCommand;
use crate::tuner::relabel::{LabelCounts, PlayedPosition, RelabelJob, relabel};
use crate::tuner::sample;

const EXAMPLES: &str = "\
A line FEN | centipawns | result gets the score of a search by the engine, and keeps the
result of the game. Positions that are over, or in which the engine sees a mate, are left
out. The scores do not depend on the number of processes.

Blocks of 64 positions are written in their order, about once a second; after Ctrl-C, or if
the engine fails, the file has all before the first unfinished one. FILE.progress records
how far it is: the same command continues from there after an interruption of any kind,
also with other --threads and --timeout, as long as the engine has the same name.

Examples:
  lovec label train.txt.gz -o labelled.txt.gz --engine stockfish --threads 8
  lovec label train.txt.gz -o labelled.txt.gz --engine stockfish --nodes 5000 --option Hash=32";

/// Score labelled positions again, by another engine
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Labelled positions, in a file as `lovec tune` reads it
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// Where to write them, through gzip if the name ends in .gz
    #[arg(short, long, value_name = "FILE")]
    output: ContinuedPath,
    /// A UCI engine with its arguments; the words are separated by spaces
    #[arg(long, value_name = "COMMAND")]
    engine: EngineCommand,
    /// Nodes to search for each position
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    nodes: u64,
    /// Processes of the engine that search at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u16>(1, 1024))]
    threads: u16,
    /// An option of the engine
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// Seconds that the engine may take for an answer
    #[arg(long, default_value_t = 60, value_name = "S", value_parser = whole::<u64>(1, 86_400))]
    timeout: u64,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let positions = read(&args.dataset)?;
    let interrupt = Interrupt::catch()?;
    let is_stopped = || interrupt.is_raised();
    let job = RelabelJob {
        engine: &|| args.engine.process(),
        options: &args.options,
        timeout: Duration::from_secs(args.timeout),
        nodes: args.nodes,
        engines: args.threads.into(),
        is_stopped: &is_stopped,
    };
    // Another program may have taken the place of the one that began the file.
    let engine = match job.start_engine(&is_stopped) {
        Err(_) if interrupt.is_raised() => return Ok(interrupt.status(CommandStatus::Passed)),
        engine => engine?.name().to_owned(),
    };
    let progress = progress::continued_counter(positions.len());
    let summary =
        relabel(&args.output, settings(args, engine, &positions), &job, &positions, progress)?;
    let (name, LabelCounts { searched, written }) = (args.output.display(), summary.counts);
    if args.json {
        let result = JsonLabels { counts: summary.counts, interrupted: interrupt.is_raised() };
        json::write(out, "lovec.label/1", &result)?;
        return Ok(interrupt.status(CommandStatus::Passed));
    }
    if summary.found.searched >= positions.len() as u64 && !positions.is_empty() {
        writeln!(out, "nothing to do: {name} has its positions")?;
    }
    writeln!(out, "{written} of {searched} positions written to {name}")?;
    if interrupt.is_raised() {
        writeln!(out, "interrupted; the same command continues")?;
    }
    Ok(interrupt.status(CommandStatus::Passed))
}

#[derive(Serialize)]
struct JsonLabels {
    #[serde(flatten)]
    counts: LabelCounts,
    interrupted: bool,
}

/// What decides the lines. `engine` is the engine's own name.
fn settings(args: &Args, engine: String, positions: &[PlayedPosition]) -> Map<String, Value> {
    let mut checksum = Crc::new();
    for (fen, result) in positions {
        checksum.update(format!("{fen} | {result:?}\n").as_bytes());
    }
    let options = args.options.iter().map(|(name, value)| format!("{name}={value}"));
    let recorded: [(&str, Value); 5] = [
        ("engine", engine.into()),
        ("engine-command", args.engine.to_string().into()),
        ("options", options.collect()),
        ("nodes", args.nodes.into()),
        ("dataset", format!("{} positions, CRC {:08x}", positions.len(), checksum.sum()).into()),
    ];
    recorded.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The positions of a dataset, and the results of their games.
fn read(dataset: &Path) -> Result<Vec<PlayedPosition>> {
    let mut samples = Vec::new();
    source::read_dataset(dataset, |source, lines| {
        let take = |sample| {
            samples.try_reserve(1)?;
            samples.push(sample);
            Ok(())
        };
        sample::read(source, |sample| (sample.position.fen(), sample.result), take, lines)
    })?;
    Ok(samples)
}
