//! `lovec egtb verify`: table files against the rules of the game.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::cli::egtb::open;
use crate::cli::{Verdict, progress};
use crate::tablebase::egtb::{collection, file, verify};

const EXAMPLES: &str = "\
The checksum of each file has to be right, and the outcome of each position has
to be the one that follows from those a move away.

Examples:
  lovec egtb verify tables";

/// Check the tables of a folder; the last line is `<passed> passed, <failed> failed`
///
/// Ends with status 1 if any failed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folder of the tables
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Verdict> {
    let files = collection::table_files(&args.directory)?;
    if files.is_empty() {
        bail!("there are no tables in {}", args.directory.display());
    }
    let tables = open(&args.directory);
    let mut failed = 0;
    for path in &files {
        let result = file::read(path).map_err(anyhow::Error::from).and_then(|table| {
            let bar = progress::bar(table.len());
            bar.set_message(table.material().to_string());
            let positions = verify(&table, &tables, |done| bar.inc(done as u64));
            bar.finish_and_clear();
            Ok(format!("{:<7} {:>10} positions", table.material().to_string(), positions?))
        });
        match result {
            Ok(line) => writeln!(out, "{line}")?,
            Err(error) => {
                failed += 1;
                writeln!(out, "{error:#}")?;
            }
        }
        out.flush()?;
    }
    writeln!(out, "{} passed, {failed} failed", files.len() - failed)?;
    Ok(if failed == 0 { Verdict::Passed } else { Verdict::Failed })
}
