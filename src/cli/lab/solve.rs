//! `lovec lab solve`: proofs of mates and of other results of games.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::ArgGroup;
use serde::Serialize;

use crate::chess::Position;
use crate::chess::notation::epd::Epd;
use crate::chess::notation::written::WrittenLine;
use crate::cli::lab::limit::LabLimitArgs;
use crate::cli::lab::table::written_line;
use crate::cli::position::PositionText;
use crate::cli::style::{BAD, FAINT, GOOD, paint};
use crate::cli::suite::{self, SuiteFile};
use crate::cli::{CommandStatus, Interrupt, json, padded, progress, whole};
use crate::lab::game::{AnyGame, Evaluation};
use crate::lab::measure::{RowResult, measure, plies_to_end};
use crate::lab::row::ALGORITHMS;
use crate::lab::{Proof, Row, StopReason};

const EXAMPLES: &str = "\
The goal is proved or disproved within the depth, or open if a limit ends the search. A
mate in N moves takes 2N-1 plies; one that is proved need not be the shortest. Repetition
and the fifty-move rule are no part of it, as in all problems of mates. In a tree a value
above 0 is a win. Without --nodes and --movetime a search may visit 1000000 nodes. Of a
suite the last line is `<file> <proved>/<total>`. Ctrl-C ends the run with the results so
far.

Examples:
  lovec lab solve '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -'
  lovec lab solve '7k/R7/8/8/8/8/8/1R5K b - -' --goal not-lose
  lovec lab solve --epd wac.epd --algo pn2 --nodes 50000
  lovec lab solve --game tictactoe --goal not-lose
  lovec lab solve --game connect4:5x4 --goal not-lose --depth 20 --nodes 10000000";

/// Prove or disprove that the side to move mates, or reaches another goal
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("given").args(["position", "fen", "epd", "game"]).required(true).multiple(true))]
pub struct Args {
    #[command(flatten)]
    position: PositionText,
    /// Solve all positions of a suite
    #[arg(long, value_name = "FILE", conflicts_with_all = PositionText::NAMES)]
    epd: Option<PathBuf>,
    /// A game other than chess
    #[arg(long, value_name = "GAME", conflicts_with_all = ["position", "fen", "epd"])]
    game: Option<String>,
    /// The algorithm with its settings: pn, pn2 or dfpn
    #[arg(long, value_name = "NAME[:SETTING]", default_value = "dfpn")]
    algo: String,
    /// What the side to move is to reach: a win, or that it does not lose
    #[arg(long, value_name = "GOAL", default_value = "win", value_parser = ["win", "not-lose"])]
    goal: String,
    /// The greatest depth of the proof in plies
    #[arg(long, default_value_t = 9, value_name = "D", value_parser = whole::<u32>(0, 100))]
    depth: u32,
    #[command(flatten)]
    limit: LabLimitArgs,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

/// The nodes of each search by default.
const DEFAULT_NODES: u64 = 1_000_000;

/// A game to solve.
struct Task {
    name: String,
    game: AnyGame,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let row = row(args)?;
    let SuiteFile { entries: mut tasks, is_whole } = tasks(args)?;
    let interrupt = Interrupt::catch()?;
    let limit = args.limit.limit(&interrupt, DEFAULT_NODES);
    let total = tasks.len();
    let bar = progress::bar(total);
    let (mut results, mut proved) = (Vec::new(), 0);
    for task in &mut tasks {
        bar.set_message(task.name.clone());
        let result = measure(&row, &mut task.game, args.depth, limit);
        bar.inc(1);
        if !args.json {
            bar.suspend(|| print(out, task, &result, args.limit))?;
        }
        if result.stopped == Some(StopReason::Interrupted) {
            break;
        }
        proved += usize::from(result.proof == Some(Proof::Proved));
        results.push(JsonSolution::new(task, result));
        if interrupt.is_raised() {
            break;
        }
    }
    bar.finish_and_clear();
    if args.json {
        let result = JsonSolutions {
            algorithm: row.name(),
            goal: &args.goal,
            depth: args.depth,
            proved,
            total: results.len(),
            results,
            interrupted: interrupt.is_raised(),
        };
        json::write(out, "lovec.lab-solve/1", &result)?;
        return Ok(interrupt.status(CommandStatus::of(is_whole)));
    }
    if results.len() < total {
        writeln!(out, "interrupted after {} of {} positions", results.len(), total)?;
    }
    if let Some(file) = &args.epd {
        writeln!(out, "{} {proved}/{}", file.display(), results.len())?;
    }
    Ok(interrupt.status(CommandStatus::of(is_whole)))
}

fn row(args: &Args) -> Result<Row> {
    let mut words = args.algo.split(':');
    let name = words.next().unwrap_or_default();
    let can_prove = ALGORITHMS.iter().any(|(section, it)| *section == "proving" && it.name == name);
    ensure!(can_prove, "{name:?} does not prove goals; pn, pn2 and dfpn do");
    let is_goal = |word: &str| word.starts_with("goal=") || word.starts_with("at-least=");
    ensure!(!words.any(is_goal), "--goal says what is to be proved, not a setting of --algo");
    Ok(Row::parse(&args.algo, &[&format!("goal={}", args.goal)])?)
}

fn tasks(args: &Args) -> Result<SuiteFile<Task>> {
    if let Some(text) = &args.game {
        return Ok(SuiteFile::one(Task { name: text.clone(), game: AnyGame::parse(text)? }));
    }
    let chess = |position: Position| AnyGame::chess(position, Evaluation::Material);
    let Some(file) = &args.epd else {
        let position = args.position.read("--epd")?;
        let name = position.fen();
        return Ok(SuiteFile::one(Task { name, game: chess(position) }));
    };
    let mut number = 0;
    // The solutions, which may be lengths of mates, are not asked for.
    let epds = suite::read(file, |_, line| line.parse().map(Epd::with_name_alone))?;
    epds.try_map(|epd| {
        number += 1;
        let name = epd.id().map_or_else(|| format!("#{number}"), str::to_owned);
        Ok(Task { name, game: chess(epd.position) })
    })
}

/// The plies until the game is won, at most, if a win is proved.
fn plies_to_win(result: &RowResult) -> Option<i32> {
    let is_proved = result.proof == Some(Proof::Proved);
    result.value.filter(|_| is_proved).and_then(plies_to_end).filter(|&plies| plies > 0)
}

fn print(
    out: &mut impl Write,
    task: &Task,
    result: &RowResult,
    limit: LabLimitArgs,
) -> std::io::Result<()> {
    let position = task.game.position();
    let verdict = match result.proof {
        Some(Proof::Proved) => paint(GOOD, "proved"),
        Some(Proof::Disproved) => paint(BAD, "disproved"),
        _ => paint(FAINT, "open"),
    };
    let found = match (plies_to_win(result), position, result.stopped) {
        (Some(plies), Some(_), _) => format!(", mate in {}", (plies + 1) / 2),
        (Some(plies), None, _) => format!(", win in {plies} plies"),
        (None, _, Some(reason)) => format!(", {}", limit.explain(reason)),
        _ => String::new(),
    };
    let nodes = result.counts.nodes;
    writeln!(out, "{} {verdict}{found}, {nodes} nodes", padded(&task.name, 10))?;
    if result.proof == Some(Proof::Proved) && !result.line.is_empty() {
        let line = match position {
            Some(position) => written_line(position, &result.line).numbered(position),
            None => result.line.join(" "),
        };
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonSolutions<'a> {
    algorithm: &'a str,
    goal: &'a str,
    depth: u32,
    proved: usize,
    total: usize,
    results: Vec<JsonSolution<'a>>,
    interrupted: bool,
}

#[derive(Serialize)]
struct JsonSolution<'a> {
    name: &'a str,
    fen: Option<String>,
    kind: &'static str,
    value: Option<i32>,
    plies_to_win: Option<i32>,
    /// The best line in chess.
    line: Option<WrittenLine>,
    /// The line of a game other than chess.
    moves: Option<Vec<String>>,
    nodes: u64,
    peak: u64,
    bytes: u64,
    milliseconds: u64,
    stopped: Option<String>,
}

impl<'a> JsonSolution<'a> {
    fn new(task: &'a Task, result: RowResult) -> Self {
        let position = task.game.position();
        Self {
            name: &task.name,
            fen: position.map(|position| position.fen()),
            kind: result.proof.map_or("open", Proof::word),
            value: result.value,
            plies_to_win: plies_to_win(&result),
            line: position.map(|start| written_line(start, &result.line)),
            moves: position.is_none().then_some(result.line),
            nodes: result.counts.nodes,
            peak: result.counts.peak,
            bytes: result.memory_peak,
            milliseconds: result.time.as_millis() as u64,
            stopped: result.stopped.map(|reason| reason.to_string()),
        }
    }
}
