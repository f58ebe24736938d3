//! Commands other than `go` that take long: they run on the engine thread, and `stop`
//! ends them.

use std::sync::Arc;

use crate::chess::notation::uci::format_move;
use crate::chess::perft::{PerftOptions, perft_divide};
use crate::chess::{Move, Position};
use crate::insight::mark::PlayerLevel;
use crate::insight::study::Study;
use crate::insight::{Examiner, summary};
use crate::search::{Limits, Stop, Tables};
use crate::suite::bench;
use crate::uci::output::Output;
use crate::uci::response::info_string;

/// Counts the leaves of the tree after each move.
pub(super) fn perft(
    position: Arc<Position>,
    depth: u32,
    chess960: bool,
    output: Output,
) -> impl FnOnce(&Arc<Stop>) + Send + 'static {
    move |stop| {
        let options = PerftOptions { abort: Some(stop.flag()), ..PerftOptions::default() };
        let Some(counts) = perft_divide(&position, depth, &options) else {
            return output.answer(info_string("perft stopped"));
        };
        let mut total = 0;
        for (m, nodes) in &counts {
            output.answer(format_args!("{}: {nodes}", format_move(*m, chess960)));
            total += nodes;
        }
        // The root itself.
        let total = if depth == 0 { 1 } else { total };
        output.answer(format_args!("Nodes searched: {total}"));
    }
}

/// Searches the positions of `lovec bench`.
pub(super) fn bench(depth: Option<u8>, output: Output) -> impl FnOnce(&Arc<Stop>) + Send + 'static {
    move |stop| {
        let config =
            bench::BenchConfig { depth: depth.unwrap_or(bench::DEPTH), ..Default::default() };
        match bench::run(&config, stop, || {}) {
            Ok(result) if result.is_whole() => output.answer(result),
            Ok(_) => output.answer(info_string("bench: stopped")),
            Err(error) => output.answer(info_string(format_args!("bench: {error}"))),
        }
    }
}

/// The nodes of each search of an explanation.
const EXPLAIN_NODES: u64 = 500_000;
/// The transposition table of an explanation, in MiB.
const EXPLAIN_HASH_MIB: usize = 16;

/// Explains the best move of a position, or the given one.
pub(super) fn explain(
    position: Arc<Position>,
    played: Option<Move>,
    output: Output,
) -> impl FnOnce(&Arc<Stop>) + Send + 'static {
    move |stop| {
        let stop = Arc::clone(stop);
        let mut examiner = match Examiner::new(EXPLAIN_HASH_MIB, Tables::default(), stop) {
            Ok(examiner) => examiner,
            Err(error) => return output.answer(info_string(format_args!("explain: {error}"))),
        };
        if position.legal_moves().is_empty() || position.is_draw(0) {
            return output.answer("The game is over.");
        }
        let limits = Limits { nodes: Some(EXPLAIN_NODES), ..Limits::default() };
        let study = Study::new(&mut examiner, &position, played, &limits, PlayerLevel::default());
        output.answer(summary(&study).join("\n"));
    }
}
