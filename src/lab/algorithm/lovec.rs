//! The playing search, for comparison. It uses its own table, order and pruning: the
//! switches of a row do not change it.

use std::sync::Arc;
use std::time::Instant;

use crate::chess::Move;
use crate::chess::notation::uci::format_move;
use crate::lab::algorithm::{Algorithm, AlgorithmInfo, Drivers};
use crate::lab::game::GameTree;
use crate::lab::law::{Law, ensure};
use crate::lab::limit::StopReason;
use crate::lab::search::{Answer, Proof, Search};
use crate::lab::settings::{GivenSettings, SettingInfo};
use crate::lab::watch::Watch;
use crate::search::{Control, Limits, MAX_DEPTH, Report, Reporter, SearchOptions, Searcher};

#[derive(Clone, Copy, Debug)]
pub struct Lovec {
    hash_mib: usize,
    selective: bool,
}

const HASH: SettingInfo =
    SettingInfo::number("hash", [1, 65_536], 16, "the size of its table in MiB");
const FULL_WIDTH: SettingInfo = SettingInfo::flag("full", "without pruning and reductions");

impl Algorithm for Lovec {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "lovec",
        summary: "the search that Lovec plays with; chess only",
        settings: &[HASH, FULL_WIDTH],
        drivers: Drivers::None,
    };

    fn new(given: &GivenSettings) -> Self {
        Self { hash_mib: given.number(&HASH) as usize, selective: !given.has(&FULL_WIDTH) }
    }

    fn search<G: GameTree, W: Watch>(
        &self,
        s: &mut Search<'_, G, W>,
    ) -> Result<Answer<G::Move>, StopReason> {
        const NO_CHESS: StopReason = StopReason::Unsuitable("lovec plays chess only");
        let position = s.game.position().ok_or(NO_CHESS)?.clone();
        s.limit.allocate(self.hash_mib << 20)?;
        let mut searcher = Searcher::new(self.hash_mib).map_err(|_| StopReason::Memory)?;
        let limits = Limits {
            depth: Some(s.depth.clamp(1, MAX_DEPTH.into()) as u8),
            nodes: Some(s.limit.nodes_left()),
            movetime: s.limit.time_left(),
            ..Limits::default()
        };
        let options = SearchOptions { selective: self.selective, ..SearchOptions::default() };
        let start = Instant::now();
        let control = Control::new(start, false);
        let is_stopped = || s.limit.is_interrupted();
        let mut best_line = BestLine { line: Vec::new(), control: &control, is_stopped };
        let result = searcher.search(&position, &limits, &options, &control, start, &mut best_line);
        let line = best_line.line;
        s.watch.counted(result.nodes);
        s.watch.pass();
        let moves = line.iter().map(|&m| format_move(m, position.is_chess960()));
        let texts: Vec<String> = moves.collect();
        Ok(Answer {
            value: result.score.cp(),
            line: find_line(s.game, &texts),
            proof: Proof::Estimate,
        })
    }
}

/// The moves that the texts name, one after the other.
fn find_line<G: GameTree>(game: &mut G, texts: &[String]) -> Vec<G::Move> {
    let mut line = Vec::new();
    for text in texts {
        let Some(m) = game.find(text) else { break };
        game.play(m);
        line.push(m);
    }
    line.iter().for_each(|_| game.undo());
    line
}

/// Keeps the best line, and stops the search after an interrupt.
struct BestLine<'a, F> {
    line: Vec<Move>,
    control: &'a Arc<Control>,
    is_stopped: F,
}

impl<F: Fn() -> bool> BestLine<'_, F> {
    fn stop_if_interrupted(&self) {
        if (self.is_stopped)() {
            self.control.stop();
        }
    }
}

impl<F: Fn() -> bool> Reporter for BestLine<'_, F> {
    fn report(&mut self, report: &Report<'_>) {
        if report.is_final() {
            self.line = report.pv.to_vec();
        }
        self.stop_if_interrupted();
    }

    fn current_move(&mut self, _: u8, _: Move, _: usize) {
        self.stop_if_interrupted();
    }
}

pub const LAWS: [Law; 1] = [Law {
    name: "lovec-counts-its-nodes",
    text: "the playing search visits nodes, and has no passes but one",
    applies: |sample| sample.is_chess() && sample.size() > 1,
    check: |sample| {
        let counts = sample.run("lovec:hash=1")?.counts;
        ensure(counts.nodes > 0 && counts.passes == 1, || format!("{counts:?}"))
    },
}];
