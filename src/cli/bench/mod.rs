//! `lovec bench`: the speed of this build, and its signature.

mod statistics;

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use serde::Serialize;

use crate::cli::arguments::{HashArgs, ThreadArgs};
use crate::cli::bench::statistics::JsonRow;
use crate::cli::tables::TableArgs;
use crate::cli::{CommandStatus, Interrupt, json, progress, whole};
use crate::search::MAX_DEPTH;
use crate::suite::bench::{self, BenchConfig, BenchResult};

const EXAMPLES: &str = "\
Examples:
  lovec bench
  lovec bench 14 --hash 64
  lovec bench --threads 8
  lovec bench --json
  lovec bench --json --repeat 9";

/// Search fixed positions; the last line is `<nodes> nodes <nps> nps`
///
/// With one thread the number of nodes depends only on the depth and the hash size: it
/// is the same in every run and on every machine. Repeated runs are summed up by the median
/// of their times.
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
    /// How often to run it
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u16>(1, 10_000))]
    repeat: u16,
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
    let bar = progress::bar(bench::POSITIONS.len() * usize::from(args.repeat));
    let mut runs = Vec::new();
    let mut unfinished = None;
    while runs.len() < args.repeat.into() && unfinished.is_none() {
        match bench::run(&config, &interrupt.stop, || bar.inc(1))? {
            run if run.is_whole() => runs.push(run),
            stopped => unfinished = Some(stopped),
        }
    }
    bar.finish_and_clear();
    let result = summarise(args, &runs, unfinished)?;
    // fishtest reads these lines. Errors are ignored.
    let JsonBench { nodes, milliseconds, nps, .. } = result;
    let _ = write!(
        std::io::stderr(),
        "Total time (ms) : {milliseconds}\nNodes searched  : {nodes}\nNodes/second    : {nps}\n"
    );
    if args.json {
        json::write(out, "lovec.bench/1", &result)?;
    } else {
        write!(out, "{}", text(&result))?;
    }
    Ok(interrupt.status(CommandStatus::Passed))
}

/// The runs in a word. A run that was interrupted counts only if it is the first.
fn summarise(
    args: &Args,
    runs: &[BenchResult],
    unfinished: Option<BenchResult>,
) -> Result<JsonBench> {
    let mut times: Vec<Duration> = runs.iter().map(|run| run.elapsed).collect();
    times.sort_unstable();
    let [min, max] = [times.first(), times.last()].map(|time| time.copied().unwrap_or_default());
    let median = median(&times);
    let interrupted = unfinished.is_some();
    let result = match runs.first() {
        Some(run) => BenchResult { elapsed: median, ..run.clone() },
        None => unfinished.unwrap_or_default(),
    };
    if args.search.threads == 1 && runs.iter().any(|run| run.nodes != result.nodes) {
        let nodes: Vec<u64> = runs.iter().map(|run| run.nodes).collect();
        bail!("the runs have searched different numbers of nodes: {nodes:?}");
    }
    Ok(JsonBench {
        depth: args.depth,
        threads: args.search.threads,
        hash_mib: args.table.hash,
        positions: result.positions,
        runs: runs.len(),
        nodes: result.nodes,
        milliseconds: result.elapsed.as_millis() as u64,
        min_milliseconds: min.as_millis() as u64,
        max_milliseconds: max.as_millis() as u64,
        nps: result.nodes_per_second(),
        interrupted,
        statistics: statistics::rows(&result.statistics),
        last_line: result.to_string(),
    })
}

/// The median of sorted times, of an even number the mean of the middle two; 0 without any.
fn median(times: &[Duration]) -> Duration {
    match times.len() {
        0 => Duration::ZERO,
        count => (times[(count - 1) / 2] + times[count / 2]) / 2,
    }
}

fn text(result: &JsonBench) -> String {
    let JsonBench { positions, runs, last_line, .. } = result;
    let seconds = |milliseconds: u64| milliseconds as f64 / 1000.0;
    let line = match runs {
        0 => {
            let total = bench::POSITIONS.len();
            return format!("interrupted after {positions} of {total} positions: {last_line}\n");
        }
        1 => String::new(),
        _ => format!(
            "{runs} runs: median {:.3} s, from {:.3} s to {:.3} s\n",
            seconds(result.milliseconds),
            seconds(result.min_milliseconds),
            seconds(result.max_milliseconds)
        ),
    };
    format!("{}{line}{last_line}\n", statistics::text(&result.statistics))
}

#[derive(Serialize)]
struct JsonBench {
    depth: u8,
    threads: u16,
    hash_mib: u32,
    positions: usize,
    /// Complete runs.
    runs: usize,
    nodes: u64,
    /// The median of the runs.
    milliseconds: u64,
    min_milliseconds: u64,
    max_milliseconds: u64,
    /// By the median.
    nps: u64,
    interrupted: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    statistics: Vec<JsonRow>,
    #[serde(skip)]
    last_line: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_the_middle_or_the_mean_of_the_middle_two() {
        let median_of = |seconds: &[u64]| {
            let times: Vec<Duration> = seconds.iter().copied().map(Duration::from_secs).collect();
            median(&times).as_secs_f64()
        };
        assert_eq!(
            [&[][..], &[3], &[1, 4], &[1, 2, 9], &[1, 2, 5, 9]].map(median_of),
            [0.0, 3.0, 2.5, 2.0, 3.5]
        );
    }
}
