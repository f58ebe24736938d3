//! `lovec perft`: counts positions.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::value_parser;

use crate::chess::notation::uci::format_move;
use crate::chess::perft::{PerftOptions, perft, perft_divide};
use crate::cli::{Verdict, position};
use crate::util::memory;

const EXAMPLES: &str = "\
Examples:
  lovec perft 6
  lovec perft 5 --divide --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"
  lovec perft 8 --threads 8 --hash 1024";

/// Count the positions DEPTH plies away; the last line is `Nodes searched: <n>`
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// How many plies to play
    #[arg(value_parser = value_parser!(u32).range(..=32))]
    depth: u32,
    /// Where to start
    #[arg(long, default_value = "startpos")]
    fen: String,
    /// Show the count behind each move
    #[arg(long)]
    divide: bool,
    /// Threads to count with
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the table of counts in MiB; 0 for none
    #[arg(long, default_value_t = 0, value_name = "MB", value_parser = value_parser!(u32).range(..=1_048_576))]
    hash: u32,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Verdict> {
    let position = position::parse(std::slice::from_ref(&args.fen))?;
    memory::ensure(u64::from(args.hash) << 20).context("no memory for the table of counts")?;
    let options = PerftOptions {
        threads: args.threads.into(),
        hash_mib: args.hash as usize,
        ..PerftOptions::default()
    };
    let start = Instant::now();
    let nodes = if args.divide && args.depth > 0 {
        let counts = perft_divide(&position, args.depth, &options).context("interrupted")?;
        let chess960 = position.is_chess960();
        for (mv, nodes) in &counts {
            writeln!(out, "{}: {nodes}", format_move(*mv, chess960))?;
        }
        counts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        perft(&position, args.depth, &options).context("interrupted")?
    };
    let seconds = start.elapsed().as_secs_f64();
    let millions = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "Time: {seconds:.3} s ({millions:.1} million nodes/s)")?;
    writeln!(out, "Nodes searched: {nodes}")?;
    Ok(Verdict::Passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(depth: u32, divide: bool) -> String {
        let args = Args { depth, fen: "startpos".to_owned(), divide, threads: 1, hash: 0 };
        let mut out = Vec::new();
        assert_eq!(run(&args, &mut out).unwrap(), Verdict::Passed);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_last_line_is_the_sum() {
        assert!(output(3, false).ends_with("\nNodes searched: 8902\n"));
        assert!(output(0, true).ends_with("\nNodes searched: 1\n"));
    }

    #[test]
    fn divided_counts_come_first() {
        let text = output(3, true);
        assert!(text.lines().any(|line| line == "e2e4: 600"), "{text}");
        assert!(text.ends_with("\nNodes searched: 8902\n"));
    }
}
