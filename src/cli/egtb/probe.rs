//! `lovec egtb probe`: the result of a position and of its moves by the tables.

use std::cmp::Reverse;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ArgGroup;
use serde::Serialize;

use crate::chess::notation::written::WrittenMove;
use crate::chess::{Move, Position};
use crate::cli::tables::open_files;
use crate::cli::{CommandStatus, PositionArgs, json};
use crate::tablebase::egtb::collection::table_files;
use crate::tablebase::egtb::{Collection, DtmValue, MAX_PIECES, Material};

const EXAMPLES: &str = "\
Moves are listed best first, with the result for the side to move. Without a folder the
built-in tables are used: king and pawn, rook or queen against king.

Examples:
  lovec egtb probe \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"
  lovec egtb probe 8/8/8/8/8/4k3/4p3/4K1R1 w - - 0 1 --dir tables --json";

/// Show the result of a position and of each move
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("given").args(PositionArgs::NAMES).required(true).multiple(true))]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// A folder of tables
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let position = args.position.read()?;
    let files = args.dir.as_ref().map_or(Ok(Vec::new()), |dir| table_files(dir))?;
    let tables = open_files(&files);
    let Some(outcome) = tables.value(&position) else {
        bail!(why_unknown(&position, &tables, args.dir.as_deref()));
    };
    let moves = moves_of(&position, &tables);
    if args.json {
        let json_move = |&(m, value): &(Move, Option<DtmValue>)| JsonMove {
            notation: WrittenMove::new(&position, m),
            value: value.into(),
        };
        let moves = moves.iter().map(json_move).collect();
        let value = Some(outcome).into();
        let probe = JsonProbe { fen: position.fen(), value, moves };
        json::write(out, "lovec.egtb-probe/1", &probe)?;
        return Ok(CommandStatus::Passed);
    }
    writeln!(out, "{position}")?;
    writeln!(out, "outcome: {}", describe(Some(outcome)))?;
    for (m, outcome) in moves {
        let WrittenMove { san, .. } = WrittenMove::new(&position, m);
        writeln!(out, "{san:>9}  {}", describe(outcome))?;
    }
    Ok(CommandStatus::Passed)
}

/// Why no table has a position, and which command builds it.
fn why_unknown(position: &Position, tables: &Collection, folder: Option<&Path>) -> String {
    let fen = position.fen();
    if !position.castling().is_empty() {
        return format!("no table has {fen}: tables are for positions without castling rights");
    }
    let pieces = position.occupied().len();
    if pieces > MAX_PIECES {
        return format!("no table has {fen}: tables have up to {MAX_PIECES} pieces, not {pieces}");
    }
    let Some(missing) = missing(position, tables) else { return format!("no table has {fen}") };
    let build = |folder: &str| format!("lovec egtb build {missing} -o {folder}");
    match folder {
        Some(folder) => {
            let folder = folder.display().to_string();
            format!("no table for {missing} in {folder}; build it with: {}", build(&folder))
        }
        None => format!(
            "no table for {missing}; build it with: {}, and name its folder: --dir tables",
            build("tables")
        ),
    }
}

/// The missing table: of the position or, where a pawn may be captured en passant, of a
/// move.
fn missing(position: &Position, tables: &Collection) -> Option<Material> {
    let is_missing =
        |material: &Material| !material.is_insufficient() && tables.table(material).is_none();
    let after = |m| Material::of(&position.after(m));
    let own = Material::of(position);
    own.into_iter().chain(position.legal_moves().into_iter().filter_map(after)).find(is_missing)
}

/// The legal moves with their results for the mover, best first and unknown last.
fn moves_of(position: &Position, tables: &Collection) -> Vec<(Move, Option<DtmValue>)> {
    let mut moves: Vec<(Move, Option<DtmValue>)> = position
        .legal_moves()
        .into_iter()
        .map(|m| (m, tables.value(&position.after(m)).map(DtmValue::for_mover)))
        .collect();
    moves.sort_by_key(|(_, outcome)| Reverse(outcome.map(DtmValue::preference)));
    moves
}

fn describe(outcome: Option<DtmValue>) -> String {
    match outcome {
        Some(DtmValue::Win(plies)) => format!("win, mate in {}", plies.div_ceil(2)),
        Some(DtmValue::Draw) => "draw".to_owned(),
        Some(DtmValue::Loss(0)) => "checkmate".to_owned(),
        Some(DtmValue::Loss(plies)) => format!("loss, mated in {}", plies.div_ceil(2)),
        None => "unknown".to_owned(),
    }
}

#[derive(Serialize)]
struct JsonProbe {
    fen: String,
    #[serde(flatten)]
    value: JsonValue,
    moves: Vec<JsonMove>,
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(flatten)]
    notation: WrittenMove,
    #[serde(flatten)]
    value: JsonValue,
}

#[derive(Serialize)]
struct JsonValue {
    outcome: &'static str,
    plies: Option<u8>,
}

impl From<Option<DtmValue>> for JsonValue {
    fn from(value: Option<DtmValue>) -> Self {
        let (outcome, plies) = match value {
            Some(DtmValue::Win(plies)) => ("win", Some(plies)),
            Some(DtmValue::Draw) => ("draw", None),
            Some(DtmValue::Loss(plies)) => ("loss", Some(plies)),
            None => ("unknown", None),
        };
        Self { outcome, plies }
    }
}
