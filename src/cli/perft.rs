//! `lovec perft`: counts sequences of moves.

use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use crate::chess::notation::written::WrittenMove;
use crate::chess::perft::{MAX_DEPTH, PerftOptions, PerftPart, perft_divide};
use crate::chess::{Move, Position};
use crate::cli::arguments::MAX_MEBIBYTES;
use crate::cli::{CommandStatus, Interrupt, PositionArgs, json, progress, whole};
use crate::util::memory;
use crate::util::speed::per_second;
use crate::util::sync::lock;

const EXAMPLES: &str = "\
Ctrl-C ends the count and shows the moves counted so far.

Examples:
  lovec perft 6
  lovec perft 5 startpos moves e2e4 --divide
  lovec perft 5 --divide --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"
  lovec perft 8 --threads 8 --hash 1024";

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
    /// Size of the table of counts in MiB; 0 for none
    #[arg(long, default_value_t = 0, value_name = "MIB", value_parser = whole::<u32>(0, MAX_MEBIBYTES))]
    hash: u32,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let position = args.position.read()?;
    memory::ensure(u64::from(args.hash) << 20).context("no memory for the table of counts")?;
    let interrupt = Interrupt::catch()?;
    let start = Instant::now();
    let follower = Follower::new(&position);
    let options = PerftOptions {
        threads: args.threads.into(),
        hash_mib: args.hash as usize,
        abort: Some(interrupt.stop.flag()),
        progress: Some(&|part| follower.follow(part, start.elapsed())),
    };
    let counts = perft_divide(&position, args.depth, &options);
    let elapsed = start.elapsed();
    let (counted, interrupted) = match counts {
        Some(counts) => (counts, false),
        None => (follower.complete(), true),
    };
    follower.bar.finish_and_clear();
    let sum = total(counted.iter().map(|&(_, nodes)| nodes));
    ensure!(sum < u64::MAX, "there are more positions than a number of 64 bits can count");
    // There is one line of no moves.
    let nodes = if args.depth == 0 { 1 } else { sum };
    let move_count = |(m, nodes)| MoveCount { notation: WrittenMove::new(&position, m), nodes };
    let result = Count {
        fen: position.fen(),
        depth: args.depth,
        nodes,
        milliseconds: elapsed.as_millis() as u64,
        nps: per_second(nodes, elapsed) as u64,
        moves: args.divide.then(|| counted.into_iter().map(move_count).collect()),
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
    /// The nodes of each move, if they are shown.
    moves: Option<Vec<MoveCount>>,
    /// Whether only some of the moves are counted.
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
            writeln!(out, "interrupted; nodes behind the moves that are counted: {nodes}")?;
        } else {
            writeln!(out, "Nodes searched: {nodes}")?;
        }
        Ok(())
    }
}

/// The sum, at most the greatest number.
fn total(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

/// Follows a count, for the progress bar and for partial results after an interrupt.
struct Follower {
    bar: progress::ProgressLine,
    moves: Vec<Move>,
    /// For each move the number of parts still to be counted, unknown before the first
    /// one, and the nodes of the others.
    parts: Mutex<Vec<(Option<usize>, u64)>>,
}

impl Follower {
    fn new(position: &Position) -> Self {
        let moves: Vec<Move> = position.legal_moves().into_iter().collect();
        let parts = Mutex::new(vec![(None, 0); moves.len()]);
        Self { bar: progress::bar(0), moves, parts }
    }

    fn follow(&self, part: PerftPart, elapsed: Duration) {
        let mut parts = lock(&self.parts);
        if let Some((left, nodes)) = parts.get_mut(part.index) {
            *left = Some(left.unwrap_or(part.of_move) - 1);
            *nodes = nodes.saturating_add(part.nodes);
        }
        if !self.bar.is_hidden() {
            let nodes = total(parts.iter().map(|&(_, nodes)| nodes));
            self.bar.set_length(part.of_all as u64);
            self.bar
                .set_message(format!("{:.1} million nodes/s", per_second(nodes, elapsed) / 1e6));
            self.bar.inc(1);
        }
    }

    /// The moves with all parts counted.
    fn complete(&self) -> Vec<(Move, u64)> {
        let parts = lock(&self.parts);
        let moves = self.moves.iter().zip(parts.iter());
        moves
            .filter(|(_, (left, _))| *left == Some(0))
            .map(|(m, (_, nodes))| (*m, *nodes))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_count_has_the_complete_moves() {
        let position = Position::startpos();
        let follower = Follower::new(&position);
        let part = |index, nodes| PerftPart { index, nodes, of_move: 2, of_all: 40 };
        for part in [part(0, 10), part(3, 5), part(0, 20), part(2, 7)] {
            follower.follow(part, Duration::ZERO);
        }
        assert_eq!(follower.complete(), [(follower.moves[0], 30)]);
    }
}
