//! `lovec bench`: the speed of this build, and its signature.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;

use crate::cli::interrupt::Interrupt;
use crate::cli::json;
use crate::cli::limit::{mebibytes, threads};
use crate::cli::number::whole;
use crate::cli::progress;
use crate::cli::status::CommandStatus;
use crate::cli::tables::TableArgs;
use crate::search::MAX_DEPTH;
use crate::suite::bench::{self, BenchConfig, BenchError, Measurement};

const EXAMPLES: &str = "\
Examples:
  lovec bench
  lovec bench 14 --hash 64
  lovec bench --threads 8
  lovec bench --json";

/// Search fixed positions; the last line is `<nodes> nodes <nps> nps`
///
/// With one thread the number of nodes depends only on the depth and the hash size: it
/// is the same in every run and on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// How deep to search
    #[arg(default_value_t = bench::DEPTH, allow_negative_numbers = true, value_parser = whole::<u8>(1, u64::from(MAX_DEPTH)))]
    depth: u8,
    /// How many threads search
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true, value_parser = threads())]
    threads: u16,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = bench::HASH_MIB, value_name = "MB", allow_negative_numbers = true, value_parser = mebibytes())]
    hash: u32,
    #[command(flatten)]
    tables: TableArgs,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let config = BenchConfig {
        depth: args.depth,
        threads: args.threads.into(),
        hash_mib: args.hash as usize,
        tables: args.tables.open()?,
    };
    let interrupt = Interrupt::catch()?;
    let control = interrupt.stop.control(Instant::now());
    let bar = progress::bar(bench::POSITIONS.len());
    let (mut positions, mut so_far) = (0, Measurement::default());
    let result = bench::run(&config, &control, |done, measurement| {
        bar.set_position(done as u64);
        (positions, so_far) = (done, measurement);
    });
    bar.finish_and_clear();
    let (measurement, interrupted) = match result {
        Err(BenchError::Stopped) => (so_far, true),
        result => (result?, false),
    };
    let milliseconds = measurement.elapsed.as_millis() as u64;
    let Measurement { nodes, .. } = measurement;
    let nps = measurement.nodes_per_second();
    // fishtest reads these lines. Errors are ignored.
    let _ = write!(
        std::io::stderr(),
        "Total time (ms) : {milliseconds}\nNodes searched  : {nodes}\nNodes/second    : {nps}\n"
    );
    if args.json {
        let result = JsonBench {
            depth: args.depth,
            threads: args.threads,
            hash_mib: args.hash,
            positions,
            nodes,
            milliseconds,
            nps,
            interrupted,
        };
        json::write(out, &result)?;
    } else if interrupted {
        let total = bench::POSITIONS.len();
        writeln!(out, "interrupted after {positions} of {total} positions: {measurement}")?;
    } else {
        writeln!(out, "{measurement}")?;
    }
    Ok(interrupt.status(CommandStatus::Passed))
}

#[derive(Serialize)]
struct JsonBench {
    depth: u8,
    threads: u16,
    hash_mib: u32,
    positions: usize,
    nodes: u64,
    milliseconds: u64,
    nps: u64,
    interrupted: bool,
}
