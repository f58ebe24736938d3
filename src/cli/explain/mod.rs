//! `lovec explain`: why a move is good or bad.

mod json;
mod text;

use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::ArgGroup;

use crate::chess::Move;
use crate::chess::notation::san;
use crate::cli::arguments::{HashArgs, LimitArgs, named};
use crate::cli::board::Board;
use crate::cli::explain::text::Words;
use crate::cli::interrupt::Interrupt;
use crate::cli::position::PositionArgs;
use crate::cli::progress;
use crate::cli::status::CommandStatus;
use crate::cli::tables::TableArgs;
use crate::insight::Examiner;
use crate::insight::mark::PlayerLevel;
use crate::insight::reasons::reasons;
use crate::insight::study::Study;

const EXAMPLES: &str = "\
The position, the position after the move and the one after a pass are searched, a fault
again for longer: four times the nodes or time, or two more plies. Points are hundredths
of the expected score: half a game is 50. Each sentence is a fact about the lines shown,
which a board can confirm; what the search sees beyond the terms of the evaluation is called
search. Ctrl-C ends the searches; the lines found by then are shown, without a verdict.

Of a game in PGN the move at --at, or the last one, is explained, or --move in its place.

Examples:
  lovec explain startpos
  lovec explain startpos g4
  lovec explain \"r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4\" Nxe5
  lovec explain startpos moves e2e4 e7e5 --move Ke2
  lovec explain --pgn games.pgn --game 3 --at 17b
  lovec explain startpos --nodes 2000000 --json";

const DEFAULT_NODES: u64 = 500_000;

/// Explain the best move of a position, or a given one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("given").args(PositionArgs::NAMES).required(true).multiple(true))]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The move to explain, in SAN or UCI notation; it may also follow the position
    #[arg(long = "move", value_name = "MOVE", allow_hyphen_values = true)]
    played: Option<String>,
    #[command(flatten)]
    limit: LimitArgs<0, DEFAULT_NODES>,
    /// Whose move it is: what a score is worth, and what a fault is
    #[arg(long, default_value = "club", value_parser = named(&PlayerLevel::ALL, PlayerLevel::name))]
    level: PlayerLevel,
    /// How much to say
    #[arg(long, value_enum, default_value_t = Words::Coach)]
    words: Words,
    /// How to draw the board
    #[arg(long, value_enum, default_value_t = Board::Unicode)]
    board: Board,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
    #[command(flatten)]
    table: HashArgs<64>,
    #[command(flatten)]
    tables: TableArgs,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let (position, after_position) = args.position.read_with_move()?;
    let played: Option<Move> = match (&args.played, after_position) {
        (Some(_), Some(_)) if !args.position.is_of_game() => {
            bail!("two moves are given, one with --move and one after the position")
        }
        (Some(text), _) => Some(san::parse_numbered(&position, text)?),
        (None, after_position) => after_position,
    };
    if position.legal_moves().is_empty() || position.is_draw(0) {
        bail!("the game is over in this position, so that there is no move to explain");
    }
    let interrupt = Interrupt::catch()?;
    let stop = Arc::clone(&interrupt.stop);
    let mut examiner = Examiner::new(args.table.hash as usize, args.tables.open()?, stop)?;
    let (limits, level) = (args.limit.limits(), args.level);
    let search = || Study::new(&mut examiner, &position, played, &limits, level);
    let study = progress::while_waiting("searching; Ctrl-C stops", None, search);
    // Searches that were stopped do not compare moves fairly.
    let is_whole = !interrupt.is_raised();
    let reasons = is_whole.then(|| reasons(&study));
    if args.json {
        json::write(out, &study, reasons.as_ref())?;
    } else {
        write!(out, "{}", text::explanation(&study, reasons.as_ref(), args))?;
    }
    Ok(interrupt.status(CommandStatus::Passed))
}
