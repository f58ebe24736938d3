//! `lovec syzygy`: verifies the checksums of Syzygy tables.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Subcommand;
use serde::Serialize;

use crate::cli::{CommandStatus, json, progress};
use crate::tablebase::checksum::{ChecksumError, verify};
use crate::tablebase::syzygy::table_files;

const EXAMPLES: &str = "\
Each table (.rtbw, .rtbz) ends with a checksum of everything before it. A truncated or
changed file fails.

Examples:
  lovec syzygy verify tables
  lovec syzygy verify tables/3-4-5 tables/6 --json";

/// Check Syzygy tables
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Verify(VerifyArgs),
}

/// Check the checksums of tables; the last line is `<passed> passed, <failed> failed`
///
/// Exits with status 1 if any failed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
struct VerifyArgs {
    /// The folders of the tables
    #[arg(required = true, value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    match &args.command {
        Command::Verify(args) => run_verify(args, out),
    }
}

fn run_verify(args: &VerifyArgs, out: &mut impl Write) -> Result<CommandStatus> {
    let mut files = Vec::new();
    for directory in &args.directories {
        let found = table_files(directory)?;
        if found.is_empty() {
            bail!("there are no Syzygy tables in {}", directory.display());
        }
        files.extend(found);
    }
    let bar = progress::bytes(&files);
    let mut failed = 0;
    let mut rows = Vec::new();
    for path in &files {
        let result = verify(path, |bytes| bar.inc(bytes));
        failed += usize::from(result.is_err());
        if args.json {
            let error = result.as_ref().err().map(ToString::to_string);
            let file = path.display().to_string();
            rows.push(JsonChecked { file, bytes: result.ok(), error });
        } else {
            let line = row(path, &result);
            bar.suspend(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
        }
    }
    bar.finish_and_clear();
    let passed = files.len() - failed;
    if args.json {
        let result = JsonVerification { tables: rows, passed, failed };
        json::write(out, "lovec.syzygy-verify/1", &result)?;
    } else {
        writeln!(out, "{passed} passed, {failed} failed")?;
    }
    Ok(CommandStatus::of(failed == 0))
}

fn row(path: &Path, result: &Result<u64, ChecksumError>) -> String {
    match result {
        Ok(bytes) => format!("{}: {bytes} bytes", path.display()),
        Err(error) => format!("{}: {error}", path.display()),
    }
}

#[derive(Serialize)]
struct JsonVerification {
    tables: Vec<JsonChecked>,
    passed: usize,
    failed: usize,
}

#[derive(Serialize)]
struct JsonChecked {
    file: String,
    bytes: Option<u64>,
    /// `None` if it has passed.
    error: Option<String>,
}
