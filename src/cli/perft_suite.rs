//! `lovec perft-suite`: checks the move generator on known positions.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;

use crate::chess::notation::epd::PerftEntry;
use crate::cli::style::{BAD, GOOD, paint};
use crate::cli::suite::{self, SuiteFile};
use crate::cli::{CommandStatus, Interrupt, json, progress, whole};
use crate::suite::perft::{Mismatch, check};

const EXAMPLES: &str = "\
Each line of a suite is a FEN and its counts: `FEN ;D1 20 ;D2 400 …`

Examples:
  lovec perft-suite standard.epd
  lovec perft-suite standard.epd chess960.epd --max-nodes 1000000";

/// Check perft counts; the last line is `<passed> passed, <failed> failed`
///
/// Stops at the first wrong count with status 1. With several files each has a line
/// `<file> <passed>/<total>`, with `-` if it was not begun.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Suites to check
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Skip depths with more nodes than this
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    max_nodes: Option<u64>,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

/// A file and the number of its positions that have passed, if its check has begun.
#[derive(Serialize)]
struct Suite {
    file: String,
    #[serde(skip)]
    entries: Vec<PerftEntry>,
    passed: Option<usize>,
    total: usize,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let max_nodes = args.max_nodes.unwrap_or(u64::MAX);
    let (mut suites, mut are_whole) = (Vec::new(), true);
    for file in &args.files {
        let SuiteFile { entries, is_whole } = read(file, max_nodes)?;
        are_whole &= is_whole;
        let (file, total) = (file.display().to_string(), entries.len());
        suites.push(Suite { file, entries, passed: None, total });
    }
    let interrupt = Interrupt::catch()?;
    let bar = progress::bar(suites.iter().map(|suite| suite.total).sum());
    let mut mismatch = None;
    'checking: for suite in &mut suites {
        let passed = suite.passed.insert(0);
        for entry in &suite.entries {
            let result = check(entry, max_nodes, Some(interrupt.stop.flag()));
            if interrupt.is_raised() {
                break 'checking;
            }
            if let Err(found) = result {
                mismatch = Some(found);
                break 'checking;
            }
            *passed += 1;
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let result = JsonPerftSuites {
        passed: suites.iter().filter_map(|suite| suite.passed).sum(),
        failed: usize::from(mismatch.is_some()),
        files: suites,
        mismatch,
        interrupted: interrupt.is_raised(),
    };
    if args.json {
        json::write(out, "lovec.perft-suite/1", &result)?;
    } else {
        result.print(out)?;
    }
    Ok(interrupt.status(CommandStatus::of(are_whole && result.failed == 0)))
}

/// The positions of a suite; at least one count must be within `max_nodes`.
fn read(file: &Path, max_nodes: u64) -> Result<SuiteFile<PerftEntry>> {
    let suite = suite::read(file, |_, line| line.parse::<PerftEntry>())?;
    let mut counts = suite.entries.iter().flat_map(|entry| &entry.counts);
    if !counts.any(|(_, nodes)| *nodes <= max_nodes) {
        bail!("{} has no count of at most {max_nodes} nodes", file.display());
    }
    Ok(suite)
}

#[derive(Serialize)]
struct JsonPerftSuites {
    files: Vec<Suite>,
    passed: usize,
    failed: usize,
    mismatch: Option<Mismatch>,
    interrupted: bool,
}

impl JsonPerftSuites {
    fn print(&self, out: &mut impl Write) -> Result<()> {
        let Self { files, passed, failed, mismatch, interrupted } = self;
        if let Some(Mismatch { fen, depth, expected, got }) = mismatch {
            writeln!(out, "position: {fen}")?;
            writeln!(out, "depth:    {depth}")?;
            writeln!(out, "expected: {expected}")?;
            writeln!(out, "got:      {}", paint(BAD, got))?;
        }
        if files.len() > 1 {
            for Suite { file, passed, total, .. } in files {
                let passed = passed.map_or_else(|| "-".to_owned(), |passed| passed.to_string());
                writeln!(out, "{file} {passed}/{total}")?;
            }
        }
        if *interrupted {
            let total: usize = files.iter().map(|suite| suite.total).sum();
            writeln!(out, "interrupted after {passed} of {total} positions")?;
        }
        let style = if *failed > 0 { BAD } else { GOOD };
        writeln!(out, "{}", paint(style, format_args!("{passed} passed, {failed} failed")))?;
        Ok(())
    }
}
