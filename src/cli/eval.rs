//! `lovec eval`: explains the static evaluation.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use crate::chess::{Color, File, Position, Rank, Square};
use crate::cli::outputs::{ForceArg, OutputPath};
use crate::cli::style::{self, FAINT, paint};
use crate::cli::{CommandStatus, PositionArgs, aligned, json};
use crate::eval::tapered::FULL_PHASE;
use crate::eval::{
    Accumulator, ExplainRow, Explanation, PieceValue, PieceValues, Score, Standing, Tapered,
    describe, explain,
};
use crate::lab::game::Evaluation;
use crate::lab::game::thesis::{THESES, ThesisTerm};
use crate::page::board::BoardPicture;

const EXAMPLES: &str = "\
The tapered column adds up to the score. The search evaluates only quiet positions:
in check the score is shown, but not used. A finished game has a result, no score.

Examples:
  lovec eval
  lovec eval startpos moves e2e4 e7e5
  lovec eval --pgn games.pgn --game 3 --at 17b
  lovec eval \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\"
  lovec eval startpos --json
  lovec eval --map
  lovec eval --map --svg map.svg
  lovec eval --thesis czech";

/// Explain the static evaluation of a position, of the starting position if none is given
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
    /// Show how many pieces of White and of Black attack each square, or defend what is there
    #[arg(long, conflicts_with_all = ["json", "thesis"])]
    map: bool,
    /// Draw the map as a picture instead
    #[arg(long, value_name = "FILE", requires = "map")]
    svg: Option<OutputPath>,
    #[command(flatten)]
    force: ForceArg,
    /// Show the terms of an evaluation of the laboratory, in centipawns
    #[arg(long, value_name = "NAME", conflicts_with = "json", value_parser = THESES.map(|it| it.0))]
    thesis: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let position = args.position.read()?;
    if args.map {
        match &args.svg {
            Some(path) => path.prepare(args.force)?.write(attack_picture(&position))?,
            None => write!(out, "{}", attack_map(&position))?,
        }
        return Ok(CommandStatus::Passed);
    }
    if let Some((name, terms)) = THESES.into_iter().find(|it| args.thesis.as_deref() == Some(it.0))
    {
        write!(out, "{}", term_table(&position, name, terms)?)?;
        return Ok(CommandStatus::Passed);
    }
    let explanation = explain(&position);
    if args.json {
        json::write(out, "lovec.eval/1", &JsonEval::new(&position, &explanation))?;
    } else {
        writeln!(out, "{}", text(&position, &explanation))?;
    }
    Ok(CommandStatus::Passed)
}

/// The numbers of White's and Black's pieces that attack a square or defend what is there. As a
/// rule of counting pins do not matter, nor what stands behind another piece.
fn attacks_on(position: &Position, square: Square) -> [u32; 2] {
    let attackers = position.attackers_to(square, position.occupied());
    Color::each(|color| (attackers & position.color(color)).len())
}

/// The board in colours, with the numbers of attackers on each square.
fn attack_picture(position: &Position) -> String {
    let board = BoardPicture { state: position, seen_by: Color::White, arrows: Vec::new() };
    board.map_svg(|square| attacks_on(position, square)).to_string()
}

/// The board with what stands on each square, and the numbers of attackers.
fn attack_map(position: &Position) -> String {
    let cell = |square: Square| {
        let [white, black] = attacks_on(position, square);
        let piece = position.piece_on(square).zip(position.color_on(square));
        format!("{} {white}/{black}", piece.map_or('.', |(piece, color)| piece.letter(color)))
    };
    let mut text = String::new();
    for rank in (0..8).map(Rank::new).rev() {
        let cells = (0..8).map(|file| cell(Square::at(File::new(file), rank)));
        text += &format!("{}  {}\n", rank.index() + 1, cells.collect::<Vec<_>>().join("  "));
    }
    let files = (0..8).map(|file| format!("{:<5}", File::new(file).letter()));
    text + format!("   {}", files.collect::<Vec<_>>().join("  ")).trim_end() + "\n"
}

/// What each term gives White and Black, and the value for White.
fn term_table(position: &Position, name: &str, terms: &[ThesisTerm]) -> Result<String> {
    let accumulator = Accumulator::from_state(position);
    let centipawns = |share: i32| f64::from(share) / f64::from(FULL_PHASE);
    let mut lines = Vec::new();
    for term in terms {
        let [white, black] = term.shares(position, accumulator.phase());
        let numbers = [white, black, white - black].map(|it| format!("{:.1}", centipawns(it)));
        lines.push([vec![term.name.to_owned()], numbers.to_vec()].concat());
    }
    let evaluation = Evaluation::named(name).unwrap_or(Evaluation::Material);
    let value = evaluation.value(position, &accumulator) * position.side_to_move().sign();
    let rest = [String::new(), String::new(), format!("{value}")];
    lines.push([vec!["evaluation for White".to_owned()], rest.to_vec()].concat());
    Ok(aligned(&["term", "White", "Black", "total"], &lines, &[0]))
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

/// The evaluation as data. Values are centipawns from White's side. The `tapered` shares of the
/// terms and `rounding` add up to `white_score`, unless a known endgame decides it.
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
    scale: i32,
    fifty_move_scale: i32,
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
            scale: explanation.factors.scale,
            fifty_move_scale: explanation.factors.fifty_move_scale,
            known_endgame: explanation.known_endgame,
            pieces: PieceValues::of(position).pieces.iter().map(piece).collect(),
        }
    }
}
