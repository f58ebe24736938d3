//! `lovec perft-suite`: proves the move generator on known positions.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::chess::notation::epd::{self, PerftEntry};
use crate::cli::{Verdict, progress};
use crate::suite::perft::{Mismatch, check};

const EXAMPLES: &str = "\
Each line of a suite is a FEN and its counts: `FEN ;D1 20 ;D2 400 …`

Examples:
  lovec perft-suite standard.epd
  lovec perft-suite standard.epd chess960.epd --max-nodes 1000000";

/// Check perft counts; the last line is `<passed> passed, <failed> failed`
///
/// Stops at the first count that is wrong and ends with status 1.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Suites to check
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Leave out depths with more nodes than this
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Verdict> {
    let mut entries = Vec::new();
    for file in &args.files {
        entries.extend(read(file)?);
    }
    let max_nodes = args.max_nodes.unwrap_or(u64::MAX);
    let bar = progress::bar(entries.len());
    for (passed, entry) in entries.iter().enumerate() {
        if let Err(mismatch) = check(entry, max_nodes) {
            bar.finish_and_clear();
            report(&mismatch, passed, out)?;
            return Ok(Verdict::Failed);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    writeln!(out, "{} passed, 0 failed", entries.len())?;
    Ok(Verdict::Passed)
}

fn read(file: &Path) -> Result<Vec<PerftEntry>> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    epd::lines(&text)
        .map(|(number, line)| line.parse().with_context(|| format!("{name}, line {number}")))
        .collect()
}

fn report(mismatch: &Mismatch, passed: usize, out: &mut impl Write) -> Result<()> {
    let Mismatch { fen, depth, expected, got } = mismatch;
    writeln!(out, "position: {fen}")?;
    writeln!(out, "depth:    {depth}")?;
    writeln!(out, "expected: {expected}")?;
    writeln!(out, "got:      {got}")?;
    writeln!(out, "{passed} passed, 1 failed")?;
    Ok(())
}
