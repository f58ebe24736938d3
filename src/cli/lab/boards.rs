//! `lovec lab boards`: representations of the board, counted and timed.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use crate::cli::{CommandStatus, Interrupt, PositionArgs, aligned, json, progress, whole};
use crate::lab::board::{BOARDS, BoardCount, BoardInfo, MAX_PERFT_DEPTH};
use crate::util::speed::per_second;

const EXAMPLES: &str = "\
The exit status is 1 if two of them count differently. Where moves are known to be legal,
the moves of the last ply are counted and not made.

Examples:
  lovec lab boards
  lovec lab boards --depth 3 --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"";

/// Count positions on bitboards and on boards of cells, and compare their speed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// How many plies to play
    #[arg(long, default_value_t = 4, value_name = "D", value_parser = whole::<u32>(0, u64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let position = args.position.read()?;
    let interrupt = Interrupt::catch()?;
    let bar = progress::bar(BOARDS.len());
    let mut counts = Vec::new();
    for board in BOARDS {
        bar.set_message(format!("{} {} {}", board.name, board.generator, board.undo));
        let Some(count) = board.measure(&position, args.depth, interrupt.stop.flag())? else {
            break;
        };
        counts.push((*board, count));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        let board = |&(info, ref count): &(BoardInfo, BoardCount)| JsonBoard {
            info,
            nodes: count.nodes,
            milliseconds: count.time.as_millis() as u64,
            nps: per_second(count.nodes, count.time) as u64,
        };
        let boards = counts.iter().map(board).collect();
        let interrupted = interrupt.is_raised();
        let result = JsonBoards { fen: position.fen(), depth: args.depth, boards, interrupted };
        json::write(out, "lovec.lab-boards/1", &result)?;
    } else {
        write!(out, "{}", text(&counts))?;
        if interrupt.is_raised() {
            writeln!(out, "interrupted")?;
        }
    }
    let is_equal = counts.windows(2).all(|pair| pair[0].1.nodes == pair[1].1.nodes);
    Ok(interrupt.status(CommandStatus::of(is_equal)))
}

fn text(counts: &[(BoardInfo, BoardCount)]) -> String {
    let head = ["board", "generator", "undo", "positions", "ms", "million/s"];
    let row = |(board, count): &(BoardInfo, BoardCount)| {
        vec![
            board.name.to_owned(),
            board.generator.to_owned(),
            board.undo.to_owned(),
            count.nodes.to_string(),
            format!("{:.1}", count.time.as_secs_f64() * 1000.0),
            format!("{:.2}", per_second(count.nodes, count.time) / 1e6),
        ]
    };
    aligned(&head, &counts.iter().map(row).collect::<Vec<_>>(), &[0, 1, 2])
}

#[derive(Serialize)]
struct JsonBoards {
    fen: String,
    depth: u32,
    boards: Vec<JsonBoard>,
    interrupted: bool,
}

#[derive(Serialize)]
struct JsonBoard {
    #[serde(flatten)]
    info: BoardInfo,
    nodes: u64,
    milliseconds: u64,
    nps: u64,
}
