//! `lovec epd`: test suites.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::chess::notation::epd::Epd;
use crate::chess::notation::san;
use crate::cli::arguments::whole;
use crate::cli::arguments::{HashArgs, LimitArgs, ParallelArgs};
use crate::cli::interrupt::Interrupt;
use crate::cli::json;
use crate::cli::progress;
use crate::cli::shard::warn_if_empty;
use crate::cli::status::CommandStatus;
use crate::cli::style::{BAD, GOOD, paint};
use crate::cli::suite::{self, SuiteFile};
use crate::suite::epd::{Attempt, EpdTask, attempt_all};
use crate::util::foreign_text::visible;
use crate::util::shard::Shard;

const EXAMPLES: &str = "\
A position is solved when the final move is one of its best moves (bm), not one to
avoid (am), or the one with most points (c0 \"f5=10, Be5+=2\"). Positions are shown in
order as they are searched. Ctrl-C ends the run with the sum so far.

Examples:
  lovec epd wac.epd
  lovec epd wac.epd bt2630.epd --movetime 5000 --threads 8 --hash 64
  lovec epd wac.epd --depth 10 --min-solved 290
  lovec epd wac.epd --nodes 100000 --json
  lovec epd wac.epd --nodes 100000 --shard 2/4";

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
    /// Solve the K-th of N parts of each suite only, and write a line for each position,
    /// without times and sums: the lines of all parts, joined in order, are the lines of 1/1
    #[arg(long, value_name = "K/N", conflicts_with = "min_solved")]
    shard: Option<Shard>,
    /// Exit with status 1 if fewer positions are solved in all
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(1, u64::from(u32::MAX)))]
    min_solved: Option<u32>,
    /// Write a line of JSON for each file, and one for the total of several
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let (mut suites, mut are_whole) = (Vec::new(), true);
    for file in &args.files {
        let suite = read(file)?;
        are_whole &= suite.is_whole;
        suites.push((file, suite.entries));
    }
    let least = args.min_solved.map_or(0, |least| least as usize);
    let interrupt = Interrupt::catch()?;
    if let Some(shard) = args.shard {
        run_shard(args, &suites, shard, &interrupt, out)?;
        return Ok(interrupt.status(suite::status(are_whole)));
    }
    let (mut all_solved, mut all_tried) = (0, 0);
    for (file, tasks) in &suites {
        if interrupt.is_raised() {
            break;
        }
        let show = |index: usize, task: &EpdTask, attempt: &Attempt| {
            (!args.json).then(|| describe(index, task, attempt))
        };
        let results = solve(args, tasks, &interrupt, show, out)?;
        if args.json {
            let mut json = to_json(file, &results);
            json["interrupted"] = interrupt.is_raised().into();
            writeln!(out, "{}", json::line(&json))?;
        } else {
            print_sum(file, tasks, &results, out)?;
        }
        all_solved += solved(&results);
        all_tried += results.len();
    }
    if suites.len() > 1 {
        if args.json {
            let json = json!({ "file": null, "solved": all_solved, "total": all_tried });
            writeln!(out, "{}", json::line(&json))?;
        } else {
            writeln!(out, "total {all_solved}/{all_tried}")?;
        }
    }
    Ok(interrupt.status(suite::status(are_whole && all_solved >= least)))
}

/// Solves one part of each suite.
fn run_shard(
    args: &Args,
    suites: &[(&PathBuf, Vec<EpdTask>)],
    shard: Shard,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> Result<()> {
    for (file, tasks) in suites {
        warn_if_empty(shard, tasks.len(), "positions");
        let first = shard.range(tasks.len() as u64).start as usize;
        let show = |index: usize, task: &EpdTask, attempt: &Attempt| {
            let index = first + index;
            Some(match args.json {
                true => json::line(&shard_json(file, index, task, attempt)),
                false => describe_without_time(index, task, attempt),
            })
        };
        solve(args, shard.part(tasks), interrupt, show, out)?;
    }
    Ok(())
}

/// The index of a task in its suite, the task and its result.
type Solution<'a> = (usize, &'a EpdTask, Attempt);

/// Searches positions, and writes what `show` makes of each as it is done.
fn solve<'a>(
    args: &Args,
    tasks: &'a [EpdTask],
    interrupt: &Interrupt,
    show: impl Fn(usize, &EpdTask, &Attempt) -> Option<String>,
    out: &mut impl Write,
) -> Result<Vec<Solution<'a>>> {
    let limits = args.limit.limits();
    let bar = progress::bar(tasks.len());
    let mut results = Vec::new();
    let mut written = Ok(());
    let done = |index, attempt| {
        let task: &EpdTask = &tasks[index];
        bar.inc(1);
        if let Some(line) = show(index, task, &attempt)
            && written.is_ok()
        {
            written = bar.suspend(|| writeln!(out, "{line}"));
            if written.is_err() {
                interrupt.stop.stop();
            }
        }
        results.push((index, task, attempt));
    };
    let (threads, hash) = (args.jobs.threads.into(), args.table.hash as usize);
    let attempted = attempt_all(tasks, &limits, threads, hash, &interrupt.stop, done);
    bar.finish_and_clear();
    attempted?;
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
        bail!("{name} has no position with a solution (bm, am or points in c0)");
    }
    Ok(SuiteFile { entries: tasks, is_whole })
}

fn describe(index: usize, task: &EpdTask, attempt: &Attempt) -> String {
    let verdict = match attempt.time_to_solution {
        Some(time) => paint(GOOD, format!("solved in {:.2} s", time.as_secs_f64())),
        None => paint(BAD, "not solved"),
    };
    line(index, task, attempt, &verdict)
}

fn describe_without_time(index: usize, task: &EpdTask, attempt: &Attempt) -> String {
    line(index, task, attempt, if attempt.solved { "solved" } else { "not solved" })
}

fn line(index: usize, task: &EpdTask, attempt: &Attempt, verdict: &str) -> String {
    let name = name(task, index);
    format!("{:<24} {:<8} {verdict}", visible(&name), chosen(task, attempt))
}

/// A position of one part of a suite.
fn shard_json(file: &Path, index: usize, task: &EpdTask, attempt: &Attempt) -> Value {
    let mut json = position_json(index, task, attempt);
    json["file"] = file.display().to_string().into();
    json["number"] = (index + 1).into();
    json
}

/// A position without times.
fn position_json(index: usize, task: &EpdTask, attempt: &Attempt) -> Value {
    json!({
        "id": name(task, index),
        "fen": task.epd.position.fen(),
        "chosen": chosen(task, attempt),
        "solved": attempt.solved,
        "points": attempt.points,
        "max_points": task.max_points(),
        "depth": attempt.depth,
        "nodes": attempt.nodes,
    })
}

fn print_sum(
    file: &Path,
    tasks: &[EpdTask],
    results: &[Solution<'_>],
    out: &mut impl Write,
) -> Result<()> {
    let (points, max_points) = points(results);
    if max_points > 0 {
        writeln!(out, "points {points}/{max_points}")?;
    }
    if results.len() < tasks.len() {
        writeln!(out, "interrupted after {} of {} positions", results.len(), tasks.len())?;
    }
    writeln!(out, "{} {}/{}", file.display(), solved(results), results.len())?;
    Ok(())
}

fn to_json(file: &Path, results: &[Solution<'_>]) -> Value {
    let position = |(index, task, attempt): &Solution<'_>| {
        let milliseconds = attempt.time_to_solution.map(|time| time.as_millis() as u64);
        let mut json = position_json(*index, task, attempt);
        json["milliseconds_to_solution"] = milliseconds.into();
        json
    };
    let (points, max_points) = points(results);
    json!({
        "file": file.display().to_string(),
        "solved": solved(results),
        "total": results.len(),
        "points": points,
        "max_points": max_points,
        "positions": results.iter().map(position).collect::<Vec<_>>(),
    })
}

fn solved(results: &[Solution<'_>]) -> usize {
    results.iter().filter(|(_, _, attempt)| attempt.solved).count()
}

fn points(results: &[Solution<'_>]) -> (u32, u32) {
    results.iter().fold((0, 0), |(points, max), (_, task, attempt)| {
        (points + attempt.points, max + task.max_points())
    })
}

/// The name of a position, or its number in the suite.
fn name(task: &EpdTask, index: usize) -> String {
    task.epd.id().map_or_else(|| format!("#{}", index + 1), str::to_owned)
}

fn chosen(task: &EpdTask, attempt: &Attempt) -> String {
    attempt.chosen.map_or_else(|| "-".to_owned(), |m| san::format(&task.epd.position, m))
}
