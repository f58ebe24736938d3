//! `lovec egtb verify`: checks table files against the rules of the game.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::json;

use crate::cli::json;
use crate::cli::progress;
use crate::cli::status::{CommandStatus, message};
use crate::cli::tables::open_folder;
use crate::tablebase::egtb::{collection, file, verify};

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
    let tables = open_folder(&args.directory);
    let mut failed = 0;
    let mut rows = Vec::new();
    for path in &files {
        let result = file::read(path).map_err(anyhow::Error::from).and_then(|table| {
            let name = table.material().to_string();
            let bar = progress::bar(table.len());
            bar.set_message(name.clone());
            let positions = verify(&table, &tables, |done| bar.inc(done as u64));
            bar.finish_and_clear();
            Ok((name, positions?))
        });
        failed += usize::from(result.is_err());
        if args.json {
            let file = path.display().to_string();
            rows.push(match result {
                Ok((name, positions)) => {
                    json!({ "file": file, "passed": true, "name": name, "positions": positions })
                }
                Err(error) => {
                    json!({ "file": file, "passed": false, "error": message(&error) })
                }
            });
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
        let value = json!({ "tables": rows, "passed": passed, "failed": failed });
        json::write(out, &value)?;
    } else {
        writeln!(out, "{passed} passed, {failed} failed")?;
    }
    Ok(if failed == 0 { CommandStatus::Passed } else { CommandStatus::Failed })
}
