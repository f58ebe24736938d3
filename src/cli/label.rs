//! `lovec label`: new scores for labelled positions, from another engine.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::cli::arguments::name_and_value;
use crate::cli::outputs::{ForceArg, OutputPath, not_written};
use crate::cli::suite::warn_if_empty;
use crate::cli::{CommandStatus, Interrupt, json, progress, source, whole};
use crate::client::EngineCommand;
use crate::tuner::relabel::{BLOCK, RelabelJob, relabel};
use crate::tuner::sample;
use crate::util::gzip;
use crate::util::shard::Shard;

const EXAMPLES: &str = "\
A line FEN | centipawns | result gets the score of a search by the engine, and keeps the
result of the game. Positions that are over, or in which the engine sees a mate, are left
out. The scores do not depend on the number of processes. The file is written at the end;
after Ctrl-C it has the lines so far, if there are any. The other positions then go to
another file, with the same scores, as by
`tail -n +1921 train.txt | lovec label - -o rest.txt …` if the first 1920 lines are done.

Examples:
  lovec label train.txt.gz -o labelled.txt.gz --engine stockfish --threads 8
  lovec label train.txt.gz -o labelled.txt.gz --engine stockfish --nodes 5000 --option Hash=32
  lovec label train.txt.gz -o part-2.txt --engine ./other --shard 2/4";

/// Score labelled positions again, by another engine
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Labelled positions, in a file as `lovec tune` reads it
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
    /// Where to write them, through gzip if the name ends in .gz
    #[arg(short, long, value_name = "FILE")]
    output: OutputPath,
    #[command(flatten)]
    force: ForceArg,
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
    /// The K-th of N parts of the positions only; the files of all parts, joined in order,
    /// are the file of all positions
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    shard: Shard,
    /// Seconds that the engine may take for an answer
    #[arg(long, default_value_t = 60, value_name = "S", value_parser = whole::<u64>(1, 86_400))]
    timeout: u64,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let name = args.output.display();
    let output = args.output.prepare(args.force)?;
    let (fens, results) = read(args)?;
    let interrupt = Interrupt::catch()?;
    let job = RelabelJob {
        engine: &|| args.engine.process(),
        options: &args.options,
        timeout: Duration::from_secs(args.timeout),
        nodes: args.nodes,
        engines: args.threads.into(),
        is_stopped: &|| interrupt.is_raised(),
    };
    let (scores, finished) = relabel(&job, &fens, progress::counter(fens.len()));
    let searched = scores.len();
    let lines: Vec<String> = scores
        .into_iter()
        .zip(fens.iter().zip(results))
        .filter_map(|(score, (fen, result))| Some(format!("{fen} | {} | {result:?}\n", score?)))
        .collect();
    let interrupted = interrupt.is_raised();
    let mut failure = finished.err();
    if let Some(error) = failure.take_if(|_| lines.is_empty()) {
        return Err(error.into());
    }
    let is_written = !interrupted || !lines.is_empty();
    if is_written {
        let text = lines.concat().into_bytes();
        let is_compressed = gzip::is_compressed(&args.output);
        let bytes = if is_compressed { gzip::compressed(&text) } else { Ok(text) };
        output.write(bytes.with_context(|| not_written(&args.output))?)?;
    }
    if args.json {
        let result = JsonLabels { searched, written: lines.len(), interrupted };
        json::write(out, "lovec.label/1", &result)?;
    } else if is_written {
        writeln!(out, "{} of {searched} positions written to {name}", lines.len())?;
        if interrupted {
            let all = fens.len();
            writeln!(
                out,
                "interrupted after {searched} of {all} positions; label the others into another file"
            )?;
        }
    } else {
        writeln!(out, "interrupted before the first positions; {name} is not written")?;
    }
    // What was searched before an engine failed is not lost.
    failure.map_or(Ok(interrupt.status(CommandStatus::Passed)), |error| Err(error.into()))
}

/// How many positions were searched and written.
#[derive(Serialize)]
struct JsonLabels {
    searched: usize,
    written: usize,
    interrupted: bool,
}

/// The positions of this part, and the results of their games.
fn read(args: &Args) -> Result<(Vec<String>, Vec<f32>)> {
    let mut samples = Vec::new();
    source::read_dataset(&args.dataset, |source, lines| {
        let take = |sample| {
            samples.try_reserve(1)?;
            samples.push(sample);
            Ok(())
        };
        sample::read(source, |sample| (sample.position.fen(), sample.result), take, lines)
    })?;
    // A part consists of whole blocks, so that its scores are the ones of the whole.
    let blocks: Vec<_> = samples.chunks(BLOCK).collect();
    warn_if_empty(args.shard, blocks.len(), "blocks of positions");
    Ok(args.shard.part(&blocks).iter().flat_map(|block| block.iter().cloned()).unzip())
}
