//! `lovec lab table`: reported figures beside measured ones.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Error, Result, bail, ensure};
use serde::Serialize;

use crate::chess::notation::epd::Epd;
use crate::cli::arguments::even_games;
use crate::cli::style::{BAD, BEST, FAINT, GOOD, paint};
use crate::cli::{CommandStatus, Interrupt, aligned, json, progress, suite, whole};
use crate::lab::StopReason;
use crate::lab::experiment::{EXPERIMENTS, Experiment, ExperimentSize, Findings};

const EXAMPLES: &str = "\
Without a name all tables are listed. The reported programs had other evaluations and other
positions, so what should agree is not the numbers but their shape, which is checked. The
defaults take from seconds to a few minutes; `--full` has the sizes of the documents, which
take up to some hours, and measures the time too.

Examples:
  lovec lab table
  lovec lab table T1
  lovec lab table T3 --depth 5 --positions 30
  lovec lab table T10 --games 100 --json
  lovec lab table T8 --full --epd ecm.epd --positions 879";

/// Repeat experiments of the literature: reported figures beside measured ones
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The tables, T1 and so on, or `all`
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
    /// The sizes of the documents
    #[arg(long, requires = "tables")]
    full: bool,
    /// Positions with a best move to search in the place of Win at Chess
    #[arg(long, requires = "tables", value_name = "FILE")]
    epd: Option<PathBuf>,
    /// The greatest depth
    #[arg(long, value_name = "D", requires = "tables", value_parser = whole::<u32>(1, 30))]
    depth: Option<u32>,
    /// How many positions to search
    #[arg(long, value_name = "N", requires = "tables", value_parser = whole::<u32>(1, 10_000))]
    positions: Option<u32>,
    /// Nodes that a search with a limit of nodes may visit
    #[arg(long, value_name = "N", requires = "tables", value_parser = whole::<u64>(1, u64::MAX))]
    nodes: Option<u64>,
    /// Games of each match, an even number
    #[arg(long, value_name = "N", requires = "tables", value_parser = even_games(500))]
    games: Option<u64>,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let chosen = chosen(args)?;
    if chosen.is_empty() {
        return list(args, out);
    }
    for (option, is_given) in [
        ("depth", args.depth.is_some()),
        ("positions", args.positions.is_some()),
        ("nodes", args.nodes.is_some()),
        ("games", args.games.is_some()),
        ("epd", args.epd.is_some()),
    ] {
        let is_heeded = chosen.iter().any(|experiment| experiment.sizes.contains(&option));
        ensure!(!is_given || is_heeded, "--{option} does nothing in {}", args.tables.join(", "));
    }
    let read_epd = |line: &str| {
        let epd: Epd = line.parse()?;
        epd.best_moves().map(|_| epd)
    };
    let suite = args.epd.as_ref().map(|file| suite::read(file, |_, line| read_epd(line)));
    let suite = suite.transpose()?;
    let is_whole = suite.as_ref().is_none_or(|suite| suite.is_whole);
    let interrupt = Interrupt::catch()?;
    let size = ExperimentSize {
        depth: args.depth,
        positions: args.positions.map(|count| count as usize),
        nodes: args.nodes,
        games: args.games,
        epd: suite.map(|suite| suite.entries),
        is_full: args.full,
    };
    let mut tables = Vec::new();
    for experiment in chosen {
        let spinner = progress::spinner();
        let progress = |step: &str| {
            spinner.set_message(format!("{} {step}", experiment.name));
            spinner.tick();
        };
        let (findings, result) = experiment.run(&size, &interrupt.stop, &progress);
        spinner.finish_and_clear();
        if args.json {
            tables.push(JsonExperiment { experiment, findings });
        } else {
            print(out, experiment, &findings)?;
        }
        match result {
            Ok(()) => {}
            Err(error) if error.downcast_ref() == Some(&StopReason::Interrupted) => break,
            Err(error) => return Err(Error::from_boxed(error)),
        }
    }
    if args.json {
        let interrupted = interrupt.is_raised();
        json::write(out, "lovec.lab-table/1", &JsonExperiments { tables, interrupted })?;
    } else if interrupt.is_raised() {
        writeln!(out, "interrupted")?;
    }
    Ok(interrupt.status(CommandStatus::of(is_whole)))
}

fn chosen(args: &Args) -> Result<Vec<&'static Experiment>> {
    let mut chosen = Vec::new();
    for name in &args.tables {
        let before = chosen.len();
        let is_chosen = |it: &&Experiment| name == "all" || it.name.eq_ignore_ascii_case(name);
        chosen.extend(EXPERIMENTS.iter().filter(is_chosen));
        if chosen.len() == before {
            bail!("{name:?} is no table; `lovec lab table` lists all");
        }
    }
    Ok(chosen)
}

fn list(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    if args.json {
        let not_run = |experiment| JsonExperiment { experiment, findings: Findings::default() };
        let tables = EXPERIMENTS.iter().map(not_run).collect();
        json::write(out, "lovec.lab-table/1", &JsonExperiments { tables, interrupted: false })?;
        return Ok(CommandStatus::Passed);
    }
    for experiment in EXPERIMENTS {
        let Experiment { name, title, reported, measured, .. } = experiment;
        writeln!(out, "{} {title}", paint(BEST, format!("{name:<4}")))?;
        writeln!(
            out,
            "     {}\n     {}",
            paint(FAINT, format!("reported: {reported}")),
            paint(FAINT, format!("measured: {measured}"))
        )?;
    }
    Ok(CommandStatus::Passed)
}

fn print(out: &mut impl Write, experiment: &Experiment, findings: &Findings) -> Result<()> {
    let Experiment { name, title, reported, measured, .. } = experiment;
    writeln!(out, "{}", paint(BEST, format!("{name}: {title}")))?;
    writeln!(out, "reported: {reported}\nmeasured: {measured}\n")?;
    for table in &findings.tables {
        let head: Vec<&str> = table.head.iter().map(String::as_str).collect();
        writeln!(out, "{}", aligned(&head, &table.rows, &text_columns(&table.rows)))?;
    }
    for shape in &findings.shapes {
        match shape.holds {
            true => writeln!(out, "{} {}", paint(GOOD, "holds:         "), shape.text)?,
            false => writeln!(out, "{} {}", paint(BAD, "does not hold: "), shape.text)?,
        }
    }
    writeln!(out)?;
    Ok(())
}

/// The columns in which some field does not begin as a number.
fn text_columns(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let is_text = |field: &String| {
        field.starts_with(|first: char| !first.is_ascii_digit() && !"+-".contains(first))
    };
    let has_text = |&column: &usize| rows.iter().any(|row| row.get(column).is_some_and(is_text));
    (0..columns).filter(has_text).collect()
}

#[derive(Serialize)]
struct JsonExperiments {
    tables: Vec<JsonExperiment>,
    interrupted: bool,
}

#[derive(Serialize)]
struct JsonExperiment {
    #[serde(flatten)]
    experiment: &'static Experiment,
    #[serde(flatten)]
    findings: Findings,
}
