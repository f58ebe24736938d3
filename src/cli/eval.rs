//! `lovec eval`: why a position is worth what it is.

use std::io::Write;

use anyhow::Result;

use crate::chess::Position;
use crate::cli::position::PositionArgs;
use crate::cli::status::CommandStatus;
use crate::cli::style::{self, FAINT, paint};
use crate::eval::{Explanation, PieceValues, describe, explain};

const EXAMPLES: &str = "\
The tapered column adds up to the score. The search evaluates only quiet positions:
in check the score is shown, but not used. A finished game has a result, no score.

Examples:
  lovec eval
  lovec eval startpos moves e2e4 e7e5
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
        let mut json = explanation.to_json();
        json["fen"] = position.fen().into();
        if !explanation.standing.is_game_over() {
            json["pieces"] = PieceValues::of(&position).to_json();
        }
        writeln!(out, "{json:#}")?;
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
