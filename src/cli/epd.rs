//! `lovec epd`: test suites.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::value_parser;
use serde_json::{Value, json};

use crate::chess::notation::epd::{self, Epd};
use crate::chess::notation::san;
use crate::cli::limit::{LimitArgs, mebibytes};
use crate::cli::{Verdict, progress};
use crate::suite::epd::{Attempt, Task, attempt_all};

const EXAMPLES: &str = "\
A position is solved when the move finally chosen is one of its best moves (bm),
none of those to avoid (am), or the one with most points (c0 \"f5=10, Be5+=2\").

Examples:
  lovec epd wac.epd
  lovec epd wac.epd bt2630.epd --movetime 5000 --threads 8 --hash 64
  lovec epd wac.epd --nodes 100000 --json";

const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Solve test suites; the last line of each is `<file> <solved>/<total>`
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Suites to solve
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Positions to search side by side, each on a thread of its own
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the transposition table of each thread in MiB
    #[arg(long, default_value_t = 16, value_name = "MB", value_parser = mebibytes())]
    hash: u32,
    /// Write a line of JSON for each file
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Verdict> {
    let suites: Vec<(&PathBuf, Vec<Task>)> =
        args.files.iter().map(|file| Ok((file, read(file)?))).collect::<Result<_>>()?;
    let limits = args.limit.limits(DEFAULT_TIME);
    let threads = args.threads.into();
    for (file, tasks) in suites {
        let bar = progress::bar(tasks.len());
        let attempts = attempt_all(&tasks, &limits, threads, args.hash as usize, || bar.inc(1));
        bar.finish_and_clear();
        let results: Vec<(Task, Attempt)> = tasks.into_iter().zip(attempts?).collect();
        if args.json {
            writeln!(out, "{}", to_json(file, &results))?;
        } else {
            print(file, &results, out)?;
        }
    }
    Ok(Verdict::Passed)
}

/// The positions of a suite that have a solution.
fn read(file: &Path) -> Result<Vec<Task>> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    let mut tasks = Vec::new();
    for (number, line) in epd::lines(&text) {
        let task = line
            .parse::<Epd>()
            .and_then(Task::try_from)
            .with_context(|| format!("{name}, line {number}"))?;
        if task.has_solution() {
            tasks.push(task);
        } else {
            log::warn!("{name}, line {number}: no solution is given; left out");
        }
    }
    Ok(tasks)
}

fn print(file: &Path, results: &[(Task, Attempt)], out: &mut impl Write) -> Result<()> {
    for (index, (task, attempt)) in results.iter().enumerate() {
        let verdict = match attempt.time_to_solution {
            Some(time) => format!("solved in {:.2} s", time.as_secs_f64()),
            None => "not solved".to_owned(),
        };
        writeln!(out, "{:<24} {:<8} {verdict}", name(task, index), chosen(task, attempt))?;
    }
    let (points, max_points) = points(results);
    if max_points > 0 {
        writeln!(out, "points {points}/{max_points}")?;
    }
    writeln!(out, "{} {}/{}", file.display(), solved(results), results.len())?;
    Ok(())
}

fn to_json(file: &Path, results: &[(Task, Attempt)]) -> Value {
    let position = |(index, (task, attempt)): (usize, &(Task, Attempt))| {
        let milliseconds = attempt.time_to_solution.map(|time| time.as_millis() as u64);
        json!({
            "id": name(task, index),
            "fen": task.epd.position.fen(),
            "chosen": chosen(task, attempt),
            "solved": attempt.solved,
            "milliseconds_to_solution": milliseconds,
            "points": attempt.points,
            "max_points": task.max_points(),
            "depth": attempt.depth,
            "nodes": attempt.nodes,
        })
    };
    let (points, max_points) = points(results);
    json!({
        "file": file.display().to_string(),
        "solved": solved(results),
        "total": results.len(),
        "points": points,
        "max_points": max_points,
        "positions": results.iter().enumerate().map(position).collect::<Vec<_>>(),
    })
}

fn solved(results: &[(Task, Attempt)]) -> usize {
    results.iter().filter(|(_, attempt)| attempt.solved).count()
}

fn points(results: &[(Task, Attempt)]) -> (u32, u32) {
    results.iter().fold((0, 0), |(points, max), (task, attempt)| {
        (points + attempt.points, max + task.max_points())
    })
}

/// The name of a position, or its number in the suite.
fn name(task: &Task, index: usize) -> String {
    task.epd.id().map_or_else(|| format!("#{}", index + 1), str::to_owned)
}

fn chosen(task: &Task, attempt: &Attempt) -> String {
    attempt.chosen.map_or_else(|| "-".to_owned(), |mv| san::format(&task.epd.position, mv))
}
