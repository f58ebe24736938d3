//! `lovec egtb verify`: checks table files against the rules of the game.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use serde::Serialize;

use crate::cli::status::message;
use crate::cli::{CommandStatus, json, progress};
use crate::tablebase::egtb::{Collection, DtmTable, FileError, collection, file, verify};

const EXAMPLES: &str = "\
The checksum of each file must be correct, and the result of each position must follow
from the results of its moves.

Examples:
  lovec egtb verify tables";

/// Check the tables of a folder; the last line is `<passed> passed, <failed> failed`
///
/// Exits with status 1 if any failed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folder of the tables
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let files = collection::table_files(&args.directory)?;
    if files.is_empty() {
        bail!("there are no tables in {}", args.directory.display());
    }
    let read: Vec<Result<Arc<DtmTable>, FileError>> =
        files.iter().map(|path| file::read(path).map(Arc::new)).collect();
    let mut tables = Collection::embedded();
    read.iter().flatten().for_each(|table| tables.insert(Arc::clone(table)));
    let mut failed = 0;
    let mut rows = Vec::new();
    for (path, table) in files.iter().zip(read) {
        let result = check(table, &tables);
        failed += usize::from(result.is_err());
        if args.json {
            let error = result.as_ref().err().map(message);
            let (name, positions) = result.ok().unzip();
            rows.push(JsonVerified { file: path.display().to_string(), name, positions, error });
            continue;
        }
        match result {
            Ok((name, positions)) => writeln!(out, "{name:<7} {positions:>10} positions")?,
            Err(error) => writeln!(out, "{}", message(&error))?,
        }
        out.flush()?;
    }
    let passed = files.len() - failed;
    if args.json {
        let result = JsonEgtbVerification { tables: rows, passed, failed };
        json::write(out, "lovec.egtb-verify/1", &result)?;
    } else {
        writeln!(out, "{passed} passed, {failed} failed")?;
    }
    Ok(CommandStatus::of(failed == 0))
}

/// The name and the number of positions of a table that passes.
fn check(table: Result<Arc<DtmTable>, FileError>, tables: &Collection) -> Result<(String, u64)> {
    let table = table?;
    let name = table.material().to_string();
    let bar = progress::bar(table.len());
    bar.set_message(name.clone());
    let positions = verify(&table, tables, |done| bar.inc(done as u64))?;
    Ok((name, positions))
}

#[derive(Serialize)]
struct JsonEgtbVerification {
    tables: Vec<JsonVerified>,
    passed: usize,
    failed: usize,
}

#[derive(Serialize)]
struct JsonVerified {
    file: String,
    name: Option<String>,
    positions: Option<u64>,
    /// `None` if it has passed.
    error: Option<String>,
}
