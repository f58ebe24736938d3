//! `lovec speedtest`: the speed by the number of threads.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use crate::cli::arguments::{HashArgs, threads};
use crate::cli::{CommandStatus, Interrupt, json, progress, whole};
use crate::suite::speedtest::{self, SpeedtestConfig, SpeedtestRow};
use crate::util::thread::cores;

const EXAMPLES: &str = "\
A bar is as long as the speed; dots extend it to the speed of ideal scaling.

Examples:
  lovec speedtest
  lovec speedtest --threads 64 --hash 16384 --seconds 60
  lovec speedtest --threads 8 --json";

/// The length of the longest bar, in characters.
const WIDTH: usize = 40;

/// Measure the speed with 1, 2, 4 … N threads
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Maximum number of threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads())]
    threads: Option<u16>,
    #[command(flatten)]
    table: HashArgs<256>,
    /// Seconds for each number of threads
    #[arg(long, default_value_t = 10, value_name = "S", value_parser = whole::<u32>(1, 86_400))]
    seconds: u32,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let cores = cores();
    let config = SpeedtestConfig {
        threads: speedtest::doubling(args.threads.map_or(cores, usize::from)),
        hash_mib: args.table.hash as usize,
        time: Duration::from_secs(args.seconds.into()),
    };
    let interrupt = Interrupt::catch()?;
    let progress = progress::counter(config.searches());
    let rows = speedtest::run(&config, &interrupt.stop, progress)?;
    if args.json {
        let interrupted = interrupt.is_raised();
        let rows = json_rows(&rows);
        let result = JsonSpeedtest { cores, hash_mib: args.table.hash, rows, interrupted };
        json::write(out, "lovec.speedtest/1", &result)?;
    } else {
        let (hash, seconds) = (args.table.hash, args.seconds);
        writeln!(out, "{cores} cores, {hash} MiB of hash, {seconds} s for each number of threads")?;
        write!(out, "{}", table(&rows))?;
        if interrupt.is_raised() {
            writeln!(out, "interrupted; the rows measured so far are shown")?;
        }
    }
    Ok(interrupt.status(CommandStatus::Passed))
}

/// One row for each number of threads, with its bar.
fn table(rows: &[SpeedtestRow]) -> String {
    let mut text = format!(
        "{:>7} {:>12} {:>8} {:>10} {:>8}\n",
        "threads", "nodes/s", "scaling", "per thread", "hashfull"
    );
    let Some(base) = rows.first() else { return text };
    let ideal = |row: &SpeedtestRow| row.threads as f64 / base.threads as f64;
    let longest = rows.iter().map(|row| ideal(row).max(row.scaling(base))).fold(1.0, f64::max);
    for row in rows {
        let _ = writeln!(
            text,
            "{:>7} {:>12.0} {:>8.2} {:>8.0} % {:>8}  {}",
            row.threads,
            row.nodes_per_second(),
            row.scaling(base),
            100.0 * row.efficiency(base),
            row.hashfull,
            bar(row.scaling(base) / longest, ideal(row) / longest)
        );
    }
    text
}

/// A bar of the length `reached`, and dots from there to `possible`, both as shares of
/// the longest bar.
fn bar(reached: f64, possible: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (reached * (8 * WIDTH) as f64).round() as usize;
    let (whole, part) = (eighths / 8, EIGHTHS[eighths % 8]);
    let used = whole + usize::from(!part.is_empty());
    let dots = ((possible * WIDTH as f64).round() as usize).saturating_sub(used);
    format!("{}{part}{}", "█".repeat(whole), "·".repeat(dots))
}

#[derive(Serialize)]
struct JsonSpeedtest {
    cores: usize,
    hash_mib: u32,
    rows: Vec<JsonRow>,
    interrupted: bool,
}

#[derive(Serialize)]
struct JsonRow {
    threads: usize,
    nodes: u64,
    milliseconds: u64,
    nps: u64,
    scaling: f64,
    efficiency: f64,
    hashfull: u32,
}

fn json_rows(rows: &[SpeedtestRow]) -> Vec<JsonRow> {
    let row = |row: &SpeedtestRow| JsonRow {
        threads: row.threads,
        nodes: row.nodes,
        milliseconds: row.elapsed.as_millis() as u64,
        nps: row.nodes_per_second() as u64,
        scaling: row.scaling(&rows[0]),
        efficiency: row.efficiency(&rows[0]),
        hashfull: row.hashfull,
    };
    rows.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(threads: usize, nodes: u64) -> SpeedtestRow {
        SpeedtestRow { threads, nodes, elapsed: Duration::from_secs(1), hashfull: 100 }
    }

    #[test]
    fn a_bar_shows_the_speed_and_the_missing_part() {
        assert_eq!(bar(1.0, 1.0), "█".repeat(WIDTH));
        assert_eq!(bar(0.5, 1.0), "█".repeat(WIDTH / 2) + &"·".repeat(WIDTH / 2));
        assert_eq!(bar(0.0, 0.1), "·".repeat(WIDTH / 10));
        assert_eq!(bar(1.0 / WIDTH as f64 * 1.5, 0.0), "█▌");
    }

    #[test]
    fn the_table_and_the_rows_in_json_compare_with_the_first_row() {
        let rows = [row(1, 1_000), row(2, 1_900)];
        let text = table(&rows);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].contains(" 1.00 ") && lines[1].contains(" 100 % "));
        assert!(lines[2].contains(" 1.90 ") && lines[2].contains(" 95 % "));
        assert!(lines[2].ends_with("█··"), "{}", lines[2]);
        let second = &json_rows(&rows)[1];
        assert_eq!((second.threads, second.scaling, second.efficiency), (2, 1.9, 0.95));
    }
}
