//! `lovec bench`: the speed of this build, and its signature.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use clap::value_parser;

use crate::cli::limit::{mebibytes, threads};
use crate::cli::tables::TableArgs;
use crate::cli::{Verdict, progress};
use crate::search::{Control, MAX_DEPTH};
use crate::suite::bench::{self, Config};

const EXAMPLES: &str = "\
Examples:
  lovec bench
  lovec bench 14 --hash 64
  lovec bench --threads 8";

/// Search fixed positions; the last line is `<nodes> nodes <nps> nps`
///
/// With one thread the number of nodes depends on the depth and the hash size, but
/// on nothing else: it is the same in every run and on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// How deep to search
    #[arg(default_value_t = bench::DEPTH, value_parser = value_parser!(u8).range(1..=i64::from(MAX_DEPTH)))]
    depth: u8,
    /// How many threads search
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = threads())]
    threads: u16,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = bench::HASH_MIB, value_name = "MB", value_parser = mebibytes())]
    hash: u32,
    #[command(flatten)]
    tables: TableArgs,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Verdict> {
    let config = Config {
        depth: args.depth,
        threads: args.threads.into(),
        hash_mib: args.hash as usize,
        tables: args.tables.open()?,
    };
    let control = Control::new(Instant::now(), false);
    let bar = progress::bar(bench::POSITIONS.len());
    let measurement = bench::run(&config, &control, |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    let measurement = measurement?;
    // What fishtest reads. Whether anybody does must not matter here.
    let _ = write!(
        std::io::stderr(),
        "Total time (ms) : {}\nNodes searched  : {}\nNodes/second    : {}\n",
        measurement.elapsed.as_millis(),
        measurement.nodes,
        measurement.nodes_per_second()
    );
    writeln!(out, "{measurement}")?;
    Ok(Verdict::Passed)
}
