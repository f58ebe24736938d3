//! `lovec egtb build`: solves endings.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

use crate::chess::State;
use crate::cli::outputs::OutputFolder;
use crate::cli::{CommandStatus, json, progress, whole};
use crate::tablebase::egtb::file::{self, FileError, FormatError};
use crate::tablebase::egtb::{Collection, DtmTable, Material, Statistics, build};

const EXAMPLES: &str = "\
The endings that captures and promotions lead to are built as well; a lone bishop or knight
is a draw and has no table. An existing intact table is kept, a damaged one rebuilt; a file of
another program, or of another version of the format, is refused.

Wins and losses are White's, the stronger side. Symmetric positions count once, with
either side to move. `mate` and `mated` are the longest mates that White and Black can
force, in moves; the FEN is a position with the longest mate for White.

Examples:
  lovec egtb build KQK KRK KPK -o tables
  lovec egtb build KBNvK KRvKN -o tables --json
  lovec egtb build --pieces 3 -o tables --force";

/// Build tables by retrograde analysis
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Endings to build
    #[arg(required_unless_present = "pieces", value_name = "NAME", value_parser = ending)]
    names: Vec<Material>,
    /// Build all endings of N pieces, 3 or 4, kings included
    #[arg(long, value_name = "N", value_parser = whole::<u32>(3, 4))]
    pieces: Option<u32>,
    /// The folder for the tables, created if missing
    #[arg(short, long, value_name = "DIR")]
    output: OutputFolder,
    /// Rebuild existing tables
    #[arg(long)]
    force: bool,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

/// Parses the name of an ending that has a table.
fn ending(name: &str) -> Result<Material> {
    let material: Material = name.parse()?;
    ensure!(!material.is_insufficient(), "a lone bishop or knight cannot mate and has no table");
    Ok(material)
}

/// A table and how it was made.
struct Made {
    table: DtmTable,
    bytes: u64,
    /// The time to build it; `None` for an existing table.
    time: Option<Duration>,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let directory: &Path = &args.output;
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot create the folder {}", directory.display()))?;
    let mut wanted = args.names.clone();
    wanted.extend(args.pieces.map(Material::all).unwrap_or_default());
    let order = Material::build_order(&wanted);
    // Checked now: building takes long, and its result must not be lost.
    let existing = order.iter().map(|material| existing(material, directory, args.force));
    let existing: Vec<Option<Made>> = existing.collect::<Result<_>>()?;

    let bar = progress::bar(order.len());
    let mut tables = Collection::empty();
    let mut rows = Vec::new();
    if !args.json {
        writeln!(out, "{}", heading())?;
    }
    for (material, existing) in order.iter().zip(existing) {
        bar.set_message(material.to_string());
        let made = match existing {
            Some(made) => made,
            None => make(material, directory, &tables)?,
        };
        if args.json {
            rows.push(JsonTable {
                name: made.table.material().to_string(),
                statistics: made.table.statistics(),
                bytes: made.bytes,
                milliseconds: made.time.map(|time| time.as_millis() as u64),
            });
        } else {
            bar.suspend(|| writeln!(out, "{}", row(&made)).and_then(|()| out.flush()))?;
        }
        tables.insert(made.table);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        let result = JsonTables { directory: directory.display().to_string(), tables: rows };
        json::write(out, "lovec.egtb-build/1", &result)?;
    }
    Ok(CommandStatus::Passed)
}

/// The table of an ending in a folder; none if there is none, it is damaged or to be replaced,
/// and one can be written.
fn existing(material: &Material, directory: &Path, force: bool) -> Result<Option<Made>> {
    let path = file::path_of(directory, material);
    let error = match (!force && path.exists()).then(|| file::read(&path)) {
        Some(Ok(table)) => {
            let bytes = fs::metadata(&path).map_or(0, |metadata| metadata.len());
            return Ok(Some(Made { table, bytes, time: None }));
        }
        Some(Err(error)) => Some(error),
        None => None,
    };
    file::prepare(directory, material)?;
    match error {
        None => {}
        // Damaged, but Lovec's own.
        Some(FileError::Format { error, .. })
            if !matches!(error, FormatError::Foreign | FormatError::Version(_)) =>
        {
            log::warn!("{}: {error}; rebuilding", path.display());
        }
        Some(error) => bail!("{error}; choose another folder, or --force to replace it"),
    }
    Ok(None)
}

/// Builds and writes a table.
fn make(material: &Material, directory: &Path, tables: &Collection) -> Result<Made> {
    let start = Instant::now();
    let table = build(material, tables)?;
    let time = Some(start.elapsed());
    let bytes = file::write(directory, &table)?;
    Ok(Made { table, bytes, time })
}

fn heading() -> String {
    format!(
        "{:<7} {:>10} {:>10} {:>10} {:>10} {:>4} {:>5} {:>9} {:>8}  longest mate",
        "ending", "positions", "won", "drawn", "lost", "mate", "mated", "bytes", "seconds"
    )
}

fn row(made: &Made) -> String {
    let Made { table, bytes, time } = made;
    let statistics = table.statistics();
    let time = time.map_or("kept".to_owned(), |time| format!("{:.2}", time.as_secs_f64()));
    let in_moves = |longest: &Option<(u8, State)>| {
        longest.map_or("-".to_owned(), |(plies, _)| plies.div_ceil(2).to_string())
    };
    let fen = statistics.longest_win.map_or("-".to_owned(), |(_, state)| state.fen());
    format!(
        "{:<7} {:>10} {:>10} {:>10} {:>10} {:>4} {:>5} {bytes:>9} {time:>8}  {fen}",
        table.material().to_string(),
        statistics.positions,
        statistics.wins,
        statistics.draws,
        statistics.losses,
        in_moves(&statistics.longest_win),
        in_moves(&statistics.longest_loss),
    )
}

#[derive(Serialize)]
struct JsonTables {
    directory: String,
    tables: Vec<JsonTable>,
}

#[derive(Serialize)]
struct JsonTable {
    name: String,
    #[serde(flatten)]
    statistics: Statistics,
    bytes: u64,
    /// `None` for an existing table.
    milliseconds: Option<u64>,
}
