//! `lovec lab uci`: a row as a UCI engine.

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::chess::DrawKind;
use crate::cli::arguments::MAX_MEBIBYTES;
use crate::cli::lab::limit::read_evaluation;
use crate::cli::{CommandStatus, whole};
use crate::engine::OtherSearch;
use crate::eval::wdl::{MODEL, material};
use crate::eval::{Score, WinDrawLoss};
use crate::lab::player::{Choice, MAX_DEPTH, RowPlayer};
use crate::lab::{Limit, Row};
use crate::search::{Bound, Budget, Limits, Report, Reporter, SearchRequest, SearchResult, Timer};
use crate::uci;

const EXAMPLES: &str = "\
An algorithm that searches to a depth is deepened until a limit ends it; an algorithm that
keeps a tree grows it until the limit. The options of UCI are the options of `lovec` that do
not belong to its search; tables, orders and the like are settings of the algorithm.

Examples:
  lovec lab uci ab:order=tt+mvv+killers:table=1000000:leaf=captures
  lovec lab uci minimax --eval material";

/// The options of UCI that a row has.
const OPTIONS: &[&str] = &[
    "Move Overhead",
    "Ponder",
    "UCI_Chess960",
    "UCI_ShowWDL",
    "UCI_AnalyseMode",
    "OwnBook",
    "BookFile",
    "Best Book Move",
    "Debug Log File",
];

/// Play with an algorithm, driven by a chess program
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The algorithm with its settings
    #[arg(value_name = "NAME[:SETTING]")]
    row: String,
    /// The evaluation: lovec, material, mop-up, another one of `lovec lab list`, or a file of
    /// weights
    #[arg(long, value_name = "EVAL", default_value = "lovec")]
    eval: String,
    /// Memory that a search may keep, in MiB
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = whole::<u32>(1, MAX_MEBIBYTES))]
    memory: u32,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let row = Row::parse(&args.row, &RowPlayer::COMMON)?;
    let is_lovec = args.row.split(':').next() == Some("lovec");
    ensure!(!is_lovec, "`lovec` without a command plays with this search");
    let player = RowPlayer::new(row, read_evaluation(&args.eval)?);
    let memory = u64::from(args.memory) << 20;
    let timer = Timer::new()?;
    let name = format!("lab {}", player.row.name());
    let mut lab_player = LabPlayer { player, memory, timer };
    let search = move || {
        Box::new(move |request: SearchRequest, reporter: &mut dyn Reporter| {
            lab_player.search(&request, reporter)
        }) as OtherSearch
    };
    uci::run_other(&name, OPTIONS, search)?;
    Ok(CommandStatus::Passed)
}

/// Plays with a row on the engine thread. A table that is kept stays from game to game.
struct LabPlayer {
    player: RowPlayer,
    /// The bytes that a search may keep.
    memory: u64,
    timer: Timer,
}

impl LabPlayer {
    fn search(&mut self, request: &SearchRequest, reporter: &mut dyn Reporter) -> SearchResult {
        let SearchRequest { position, limits, options, control } = request;
        let start = control.start();
        let budget = Budget::new(limits, options.move_overhead).filter(|_| !limits.infinite);
        if let Some(budget) = budget {
            self.timer.watch(control, budget.hard);
        }
        let limit = Limit {
            nodes: limits.nodes.unwrap_or(u64::MAX),
            // The timer or the user ends a search without a limit of its own.
            time: limits.depth.is_none().then_some(Duration::MAX),
            memory: self.memory,
            stop: Some(control.flag()),
            job: None,
        };
        let moves = limits.search_moves.as_deref();
        // The next iteration takes longer than all before it.
        let soft_limit = budget.and_then(|budget| budget.soft).map(|soft| soft / 2);
        let material = material(position);
        let mut report = |choice: &Choice| {
            let mut after = position.clone();
            after.make(choice.best);
            let score = Score::new(choice.value);
            let wdl = match DrawKind::of(&after) {
                Some(_) => WinDrawLoss::DRAWN,
                None => MODEL.wdl(score, material),
            };
            reporter.report(&Report {
                depth: choice.depth.clamp(1, u32::from(u8::MAX)) as u8,
                seldepth: choice.deepest.max(choice.depth).max(1) as usize,
                multipv: 1,
                score,
                wdl,
                bound: Bound::Exact,
                nodes: choice.counts.all_nodes(),
                table_hits: 0,
                elapsed: start.elapsed(),
                hashfull: 0,
                pv: &choice.line,
            });
        };
        let choice = self.player.choose(position, moves, depth(limits), limit, &mut |choice| {
            report(choice);
            !control.soft_limit_reached(soft_limit)
        });
        if let Some(choice) = choice.as_ref().filter(|choice| !choice.has_answer()) {
            report(choice);
        }
        control.wait_until_released(limits.infinite);
        let Some(choice) = choice else {
            let score = if position.in_check() { Score::mated_in(0) } else { Score::DRAW };
            reporter.report(&Report::game_over(score, start.elapsed()));
            return SearchResult { best: None, ponder: None, score, nodes: 0, depth: 0 };
        };
        SearchResult {
            best: Some(choice.best),
            ponder: choice.line.get(1).copied(),
            score: Score::new(choice.value),
            nodes: choice.counts.all_nodes(),
            depth: choice.depth.min(u32::from(u8::MAX)) as u8,
        }
    }
}

/// The depth to search to. A mate in some moves needs twice as many plies.
fn depth(limits: &Limits) -> u32 {
    let mate = limits.mate.map(|moves| 2 * u32::from(moves));
    limits.depth.map(u32::from).or(mate).unwrap_or(MAX_DEPTH)
}
