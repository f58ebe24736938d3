//! `lovec eval`: explains the static evaluation.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use crate::chess::{Color, Position};
use crate::cli::json;
use crate::cli::position::PositionArgs;
use crate::cli::status::CommandStatus;
use crate::cli::style::{self, FAINT, paint};
use crate::eval::tapered::{FULL_FIFTY_MOVE_SCALE, FULL_PHASE, FULL_SCALE};
use crate::eval::{
    ExplainRow, Explanation, PieceValue, PieceValues, Score, Standing, Tapered, describe, explain,
};

const EXAMPLES: &str = "\
The tapered column adds up to the score. The search evaluates only quiet positions:
in check the score is shown, but not used. A finished game has a result, no score.

Examples:
  lovec eval
  lovec eval startpos moves e2e4 e7e5
  lovec eval --pgn games.pgn --game 3 --at 17b
  lovec eval \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\"
  lovec eval startpos --json";

/// Explain the static evaluation of a position, of the starting position if none is given
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let position = args.position.read()?;
    let explanation = explain(&position);
    if args.json {
        json::write(out, "lovec.eval/1", &JsonEval::new(&position, &explanation))?;
    } else {
        writeln!(out, "{}", text(&position, &explanation))?;
    }
    Ok(CommandStatus::Passed)
}

/// The description, with the score in its colour.
fn text(position: &Position, explanation: &Explanation) -> String {
    let score = explanation.white_score;
    let line = |line: &str| match line {
        _ if line.starts_with("Score (White)") => paint(style::of_score(score), line),
        _ if line.starts_with("Score (side to move)") => {
            paint(style::of_score(score * position.side_to_move().sign()), line)
        }
        _ if line.starts_with("  ") => paint(FAINT, line),
        _ => line.to_owned(),
    };
    describe(position).lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The evaluation as data. Values are centipawns from White's side. The `tapered` shares of the terms and `rounding` add up to `white_score`,
/// unless a known endgame decides it.
#[derive(Serialize)]
struct JsonEval<'a> {
    fen: String,
    standing: Standing,
    /// Of a finished game, which has no score.
    result: Option<&'static str>,
    side_to_move: Color,
    white_score: Option<Score>,
    score: Option<Score>,
    #[serde(flatten)]
    details: Option<JsonDetails<'a>>,
}

#[derive(Serialize)]
struct JsonDetails<'a> {
    terms: Vec<JsonTerm<'a>>,
    danger_units: &'a [ExplainRow],
    initiative_units: &'a [ExplainRow],
    rounding: f64,
    total: Tapered,
    phase: i32,
    full_phase: i32,
    scale: i32,
    full_scale: i32,
    fifty_move_scale: i32,
    full_fifty_move_scale: i32,
    known_endgame: Option<&'a str>,
    pieces: Vec<JsonPiece>,
}

#[derive(Serialize)]
struct JsonTerm<'a> {
    #[serde(flatten)]
    row: &'a ExplainRow,
    total: Tapered,
    tapered: f64,
}

#[derive(Serialize)]
struct JsonPiece {
    square: String,
    piece: char,
    value: Option<i32>,
}

impl<'a> JsonEval<'a> {
    fn new(position: &Position, explanation: &'a Explanation) -> Self {
        let is_over = explanation.standing.is_game_over();
        let score = (!is_over).then_some(explanation.white_score);
        Self {
            fen: position.fen(),
            standing: explanation.standing,
            result: explanation.result(),
            side_to_move: explanation.side_to_move,
            white_score: score,
            score: score.map(|score| score * explanation.side_to_move.sign()),
            details: (!is_over).then(|| JsonDetails::new(position, explanation)),
        }
    }
}

impl<'a> JsonDetails<'a> {
    fn new(position: &Position, explanation: &'a Explanation) -> Self {
        let term = |row: &'a ExplainRow| JsonTerm {
            row,
            total: row.total(),
            tapered: explanation.shown_share(row).centipawns(),
        };
        let piece = |piece: &PieceValue| JsonPiece {
            square: piece.square.to_string(),
            piece: piece.piece.letter(piece.color),
            value: piece.value,
        };
        Self {
            terms: explanation.rows.iter().map(term).collect(),
            danger_units: &explanation.danger,
            initiative_units: &explanation.initiative,
            rounding: explanation.rounding().centipawns(),
            total: explanation.total(),
            phase: explanation.factors.phase,
            full_phase: FULL_PHASE,
            scale: explanation.factors.scale,
            full_scale: FULL_SCALE,
            fifty_move_scale: explanation.factors.fifty_move_scale,
            full_fifty_move_scale: FULL_FIFTY_MOVE_SCALE,
            known_endgame: explanation.known_endgame,
            pieces: PieceValues::of(position).pieces.iter().map(piece).collect(),
        }
    }
}
