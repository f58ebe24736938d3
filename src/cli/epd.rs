//! `lovec epd`: test suites.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;

use crate::chess::notation::epd::Epd;
use crate::chess::notation::written::WrittenMove;
use crate::cli::arguments::{HashArgs, LimitArgs, ParallelArgs};
use crate::cli::style::{BAD, GOOD, paint};
use crate::cli::suite::{self, SuiteFile};
use crate::cli::{CommandStatus, Interrupt, json, padded, progress, whole};
use crate::eval::Score;
use crate::suite::epd::{Attempt, EpdTask, attempt_all};

const EXAMPLES: &str = "\
A position is solved when the final move is one of its best moves (bm), not one to
avoid (am), or the one with most points (c0 \"f5=10, Be5+=2\"); or when the search
announces a mate in at most N moves, where the suite has dm N or bm #N. Positions are shown
in order as they are searched. Ctrl-C ends the run with the sum so far.

Examples:
  lovec epd wac.epd
  lovec epd wac.epd bt2630.epd --movetime 5000 --threads 8 --hash 64
  lovec epd wac.epd --depth 10 --min-solved 290
  lovec epd wac.epd --nodes 100000 --json";

const DEFAULT_MS: u64 = 1_000;

/// Solve test suites; the last line of each is `<file> <solved>/<total>`
///
/// With several files the last line is `total <solved>/<total>`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Suites to solve
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs<DEFAULT_MS, 0>,
    #[command(flatten)]
    jobs: ParallelArgs,
    #[command(flatten)]
    table: HashArgs<16>,
    /// Exit with status 1 if fewer positions are solved in all
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, u64::from(u32::MAX)))]
    min_solved: Option<u32>,
    /// Write a line of JSON for each file, and one for the total of several
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let suites = args.files.iter().map(|file| read(file)).collect::<Result<Vec<_>>>()?;
    let are_whole = suites.iter().all(|suite| suite.is_whole);
    let least = args.min_solved.map_or(0, |least| least as usize);
    let interrupt = Interrupt::catch()?;
    let mut total = JsonSuite::default();
    for (file, SuiteFile { entries: tasks, .. }) in args.files.iter().zip(&suites) {
        if interrupt.is_raised() {
            break;
        }
        let results = solve(args, tasks, &interrupt, out)?;
        let sum = JsonSuite::new(file, results, interrupt.is_raised());
        if args.json {
            json::write_line(out, "lovec.epd/1", &sum)?;
        } else {
            sum.print(tasks.len(), out)?;
        }
        total.add(&sum);
    }
    if suites.len() > 1 {
        if args.json {
            json::write_line(out, "lovec.epd/1", &total)?;
        } else {
            writeln!(out, "total {}/{}", total.solved, total.total)?;
        }
    }
    Ok(interrupt.status(CommandStatus::of(are_whole && total.solved >= least)))
}

/// Searches positions, and shows each as it is done.
fn solve(
    args: &Args,
    tasks: &[EpdTask],
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<Vec<JsonResult>> {
    let limits = args.limit.limits();
    let bar = progress::bar(tasks.len());
    let mut results = Vec::new();
    let mut written = Ok(());
    let done = |index: usize, attempt| {
        let result = JsonResult::new(index, &tasks[index], &attempt);
        bar.inc(1);
        if written.is_ok() && !args.json {
            written = bar.suspend(|| writeln!(out, "{}", describe(&result)));
            if written.is_err() {
                interrupt.stop.stop();
            }
        }
        results.push(result);
    };
    let (threads, hash) = (args.jobs.threads.into(), args.table.hash as usize);
    attempt_all(tasks, &limits, threads, hash, &interrupt.stop, done)?;
    written?;
    Ok(results)
}

/// The positions of a suite that have a solution.
fn read(file: &Path) -> Result<SuiteFile<EpdTask>> {
    let name = file.display();
    let SuiteFile { entries, is_whole } = suite::read(file, |number, line| {
        Ok((number, line.parse::<Epd>().and_then(EpdTask::try_from)?))
    })?;
    let mut tasks = Vec::new();
    for (number, task) in entries {
        if task.has_solution() {
            tasks.push(task);
        } else {
            log::warn!("{name}, line {number}: no solution is given; skipped");
        }
    }
    if tasks.is_empty() {
        bail!("{name} has no position with a solution (bm, am, dm or points in c0)");
    }
    Ok(SuiteFile { entries: tasks, is_whole })
}

/// The name of a position, or its number in the suite, and what became of it.
fn describe(result: &JsonResult) -> String {
    let verdict = match result.milliseconds_to_solution {
        Some(time) => paint(GOOD, format!("solved in {:.2} s", time as f64 / 1000.0)),
        None => paint(BAD, "not solved"),
    };
    let JsonResult { number, id, best_move, .. } = result;
    let name = id.clone().unwrap_or_else(|| format!("#{number}"));
    let chosen = best_move.as_ref().map_or("-", |it| &it.san);
    format!("{} {chosen:<8} {verdict}", padded(&name, 24))
}

/// A suite, or, without a file, the total of several.
#[derive(Default, Serialize)]
struct JsonSuite {
    file: Option<String>,
    solved: usize,
    total: usize,
    points: u32,
    max_points: u32,
    results: Vec<JsonResult>,
    interrupted: bool,
}

#[derive(Serialize)]
struct JsonResult {
    /// In the suite, from 1.
    number: usize,
    id: Option<String>,
    fen: String,
    best_move: Option<WrittenMove>,
    score: Score,
    solved: bool,
    points: u32,
    max_points: u32,
    depth: u8,
    nodes: u64,
    milliseconds_to_solution: Option<u64>,
}

impl JsonSuite {
    fn new(file: &Path, results: Vec<JsonResult>, interrupted: bool) -> Self {
        Self {
            file: Some(file.display().to_string()),
            solved: results.iter().filter(|it| it.solved).count(),
            total: results.len(),
            points: results.iter().map(|it| it.points).sum(),
            max_points: results.iter().map(|it| it.max_points).sum(),
            results,
            interrupted,
        }
    }

    fn add(&mut self, other: &Self) {
        self.solved += other.solved;
        self.total += other.total;
        self.points += other.points;
        self.max_points += other.max_points;
        self.interrupted |= other.interrupted;
    }

    /// The last lines of a suite with this many positions.
    fn print(&self, positions: usize, out: &mut impl Write) -> Result<()> {
        let Self { file, solved, total, points, max_points, .. } = self;
        if *max_points > 0 {
            writeln!(out, "points {points}/{max_points}")?;
        }
        if *total < positions {
            writeln!(out, "interrupted after {total} of {positions} positions")?;
        }
        writeln!(out, "{} {solved}/{total}", file.as_deref().unwrap_or_default())?;
        Ok(())
    }
}

impl JsonResult {
    fn new(index: usize, task: &EpdTask, attempt: &Attempt) -> Self {
        let &Attempt { chosen, score, time_to_solution, nodes, depth } = attempt;
        let position = &task.epd.position;
        Self {
            number: index + 1,
            id: task.epd.id().map(str::to_owned),
            fen: position.fen(),
            best_move: chosen.map(|m| WrittenMove::new(position, m)),
            score,
            solved: time_to_solution.is_some(),
            points: chosen.map_or(0, |m| task.points_of(m)),
            max_points: task.max_points(),
            depth,
            nodes,
            milliseconds_to_solution: time_to_solution.map(|time| time.as_millis() as u64),
        }
    }
}
