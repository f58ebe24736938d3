//! `lovec perft`: counts sequences of moves.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;

use crate::chess::notation::written::WrittenMove;
use crate::chess::perft::{MAX_DEPTH, PerftOptions, perft_divide};
use crate::cli::{CommandStatus, Interrupt, PositionArgs, json, progress, whole};
use crate::util::speed::per_second;

const EXAMPLES: &str = "\
Ctrl-C ends the count and shows how many were counted.

Examples:
  lovec perft 6
  lovec perft 5 startpos moves e2e4 --divide
  lovec perft 5 --divide --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"
  lovec perft 7 --threads 8";

/// Count the sequences of DEPTH moves; the last line is `Nodes searched: <n>`
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// How many plies to play
    #[arg(value_parser = whole::<u32>(0, u64::from(MAX_DEPTH)))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Show the count behind each move
    #[arg(long)]
    divide: bool,
    /// Threads to count with
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u16>(1, 1024))]
    threads: u16,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let position = args.position.read()?;
    let interrupt = Interrupt::catch()?;
    let start = Instant::now();
    let (bar, counted) = (progress::bar(0), AtomicU64::new(0));
    let follow = |nodes: u64, parts: usize| {
        let nodes = counted.fetch_add(nodes, Ordering::Relaxed) + nodes;
        bar.set_length(parts as u64);
        bar.set_message(format!("{:.1} million nodes/s", per_second(nodes, start.elapsed()) / 1e6));
        bar.inc(1);
    };
    let options = PerftOptions {
        threads: args.threads.into(),
        abort: Some(interrupt.stop.flag()),
        progress: Some(&follow),
    };
    let counts = perft_divide(&position, args.depth, &options);
    let elapsed = start.elapsed();
    bar.finish_and_clear();
    let nodes = match &counts {
        None => counted.into_inner(),
        // There is one line of no moves.
        Some(_) if args.depth == 0 => 1,
        Some(counts) => counts.iter().map(|(_, nodes)| nodes).sum(),
    };
    let interrupted = counts.is_none();
    let shown = counts.filter(|_| args.divide);
    let move_count = |(m, nodes)| MoveCount { notation: WrittenMove::new(&position, m), nodes };
    let result = Count {
        fen: position.fen(),
        depth: args.depth,
        nodes,
        milliseconds: elapsed.as_millis() as u64,
        nps: per_second(nodes, elapsed) as u64,
        moves: shown.map(|counts| counts.into_iter().map(move_count).collect()),
        interrupted,
    };
    if args.json {
        json::write(out, "lovec.perft/1", &result)?;
    } else {
        result.write(elapsed, out)?;
    }
    Ok(interrupt.status(CommandStatus::Passed))
}

/// The result of a count.
#[derive(Serialize)]
struct Count {
    fen: String,
    depth: u32,
    nodes: u64,
    milliseconds: u64,
    nps: u64,
    /// The nodes of each move, if they are shown and complete.
    moves: Option<Vec<MoveCount>>,
    /// Whether `nodes` are only some of them.
    interrupted: bool,
}

#[derive(Serialize)]
struct MoveCount {
    #[serde(flatten)]
    notation: WrittenMove,
    nodes: u64,
}

impl Count {
    fn write(&self, elapsed: Duration, out: &mut dyn Write) -> Result<()> {
        for MoveCount { notation, nodes } in self.moves.iter().flatten() {
            writeln!(out, "{}: {nodes}", notation.uci)?;
        }
        let nodes = self.nodes;
        let millions = per_second(nodes, elapsed) / 1e6;
        writeln!(out, "Time: {:.3} s ({millions:.1} million nodes/s)", elapsed.as_secs_f64())?;
        if self.interrupted {
            writeln!(out, "interrupted; nodes counted so far: {nodes}")?;
        } else {
            writeln!(out, "Nodes searched: {nodes}")?;
        }
        Ok(())
    }
}
