//! `lovec bench`: the speed of this build, and its signature.

mod statistics;

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use crate::cli::arguments::{HashArgs, ThreadArgs};
use crate::cli::bench::statistics::JsonRow;
use crate::cli::tables::TableArgs;
use crate::cli::{CommandStatus, Interrupt, json, progress, whole};
use crate::search::MAX_DEPTH;
use crate::suite::bench::{self, BenchConfig};

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
    #[arg(default_value_t = bench::DEPTH, value_parser = whole::<u8>(1, u64::from(MAX_DEPTH)))]
    depth: u8,
    #[command(flatten)]
    search: ThreadArgs,
    #[command(flatten)]
    table: HashArgs<{ bench::HASH_MIB }>,
    #[command(flatten)]
    tables: TableArgs,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let config = BenchConfig {
        depth: args.depth,
        threads: args.search.threads.into(),
        hash_mib: args.table.hash as usize,
        tables: args.tables.open()?,
    };
    let interrupt = Interrupt::catch()?;
    let bar = progress::bar(bench::POSITIONS.len());
    let result = bench::run(&config, &interrupt.stop, || bar.inc(1))?;
    bar.finish_and_clear();
    // fishtest reads these lines. Errors are ignored.
    let (nodes, nps) = (result.nodes, result.nodes_per_second());
    let milliseconds = result.elapsed.as_millis() as u64;
    let _ = write!(
        std::io::stderr(),
        "Total time (ms) : {milliseconds}\nNodes searched  : {nodes}\nNodes/second    : {nps}\n"
    );
    if args.json {
        let result = JsonBench {
            depth: args.depth,
            threads: args.search.threads,
            hash_mib: args.table.hash,
            positions: result.positions,
            nodes,
            milliseconds,
            nps,
            interrupted: !result.is_whole(),
            statistics: statistics::rows(&result.statistics),
        };
        json::write(out, "lovec.bench/2", &result)?;
    } else if result.is_whole() {
        writeln!(out, "{}{result}", statistics::text(&statistics::rows(&result.statistics)))?;
    } else {
        let (positions, total) = (result.positions, bench::POSITIONS.len());
        writeln!(out, "interrupted after {positions} of {total} positions: {result}")?;
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    statistics: Vec<JsonRow>,
}
