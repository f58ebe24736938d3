//! `lovec spsa`: tunes the parameters of the search by games.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::builder::PossibleValuesParser;

use crate::cli::arguments::{HashArgs, MAX_MILLISECONDS, even_games};
use crate::cli::outputs::ContinuedPath;
use crate::cli::{CommandStatus, Interrupt, json, progress, suite, whole};
use crate::search::params::{PARAMETERS, Parameter};
use crate::spsa::{self, MoveLimit, SpsaBuild, SpsaJob, SpsaSettings, SpsaState};
use crate::suite::bench::RECORDED_NODES;

const EXAMPLES: &str = "\
A pair of games from one opening is played between two processes of this program, whose
parameters are all shifted, each up in one process and down in the other. The result
moves the parameters towards the better side. The table shows for each parameter its
start, its value now, its mean in the last third of the games, which is the result, and
the Elo difference between a value above and one below with its 95 % error, from the same
games once there are 20 pairs.

The state is written about every second and at the end. The same command continues from
it after an interruption of any kind, also on a newer build.

Examples:
  lovec spsa --openings openings.epd --state all.json --concurrency 8
  lovec spsa --openings openings.epd --state lmr.json --parameter lmr_base lmr_slope
  lovec spsa --openings openings.epd --state clock.json --tc 3+0.03 --parameter time_optimum
  lovec spsa --openings openings.epd --state effects.json --effects-only";

/// Tune the parameters of the search by games
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Starting positions, a FEN or an EPD on each line
    #[arg(long, value_name = "FILE")]
    openings: PathBuf,
    /// The file of the state; a run continues if it exists
    #[arg(long, value_name = "FILE")]
    state: ContinuedPath,
    /// Parameters to tune [default: all, without --tc all but the ones of the clock]
    #[arg(long = "parameter", value_name = "NAME", num_args = 1.., hide_possible_values = true,
          value_parser = PossibleValuesParser::new(PARAMETERS.iter().map(|parameter| parameter.name)))]
    parameters: Vec<String>,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 40_000, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    nodes: u64,
    /// Seconds for the game and for each move, instead of nodes
    #[arg(long, value_name = "BASE+INC", conflicts_with = "nodes", value_parser = time_control)]
    tc: Option<MoveLimit>,
    /// Total number of games, including the ones that the state counts; an even number
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = even_games(u64::from(u32::MAX)))]
    games: u64,
    /// Pairs of games to play at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u16>(1, 1024))]
    concurrency: u16,
    #[command(flatten)]
    table: HashArgs<16>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Leave the values alone and estimate the effect of a step up and down: a factorial
    /// experiment
    #[arg(long)]
    effects_only: bool,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

/// Reads seconds for the game and for each move, as in `3+0.03`.
fn time_control(text: &str) -> Result<MoveLimit, String> {
    let milliseconds = |text: &str| {
        let value = (text.parse::<f64>().ok()? * 1000.0).round();
        (0.0..=MAX_MILLISECONDS as f64).contains(&value).then_some(value as u64)
    };
    let clock = text.split_once('+').and_then(|(base, increment)| {
        Some((milliseconds(base).filter(|&base| base > 0)?, milliseconds(increment)?))
    });
    match clock {
        Some((base, increment)) => Ok(MoveLimit::Clock { base, increment }),
        None => Err("seconds for the game and for each move are expected, as in 3+0.03".into()),
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let openings = suite::read_openings(&args.openings)?;
    let parameters = parameters(args)?;
    let program = std::env::current_exe().context("cannot find this program")?;
    let interrupt = Interrupt::catch()?;
    let is_stopped = || interrupt.is_raised();
    let job = SpsaJob {
        player: &|| Command::new(&program),
        state: &args.state,
        settings: SpsaSettings {
            openings: openings.name(),
            limit: args.tc.unwrap_or(MoveLimit::Nodes(args.nodes)),
            games: args.games,
            hash: args.table.hash,
            seed: args.seed,
            effects_only: args.effects_only,
        },
        build: SpsaBuild {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            bench: RECORDED_NODES.to_owned(),
            since: 0,
        },
        parameters: &parameters,
        openings: &openings,
        concurrency: args.concurrency.into(),
        is_stopped: &is_stopped,
    };
    let state = spsa::run(&job, progress::continued_counter(args.games as usize))?;
    if args.json {
        json::write(out, "lovec.spsa/1", &state.to_json()?)?;
    } else {
        write!(out, "{}", table(&state))?;
        if interrupt.is_raised() {
            writeln!(out, "interrupted; the same command continues")?;
        }
    }
    Ok(interrupt.status(CommandStatus::Passed))
}

/// The chosen parameters, in the order of their declaration.
fn parameters(args: &Args) -> Result<Vec<&'static Parameter>> {
    let is_chosen = |parameter: &&Parameter| match &args.parameters[..] {
        [] => args.tc.is_some() || !parameter.needs_clock(),
        names => names.iter().any(|name| name == parameter.name),
    };
    let chosen: Vec<&Parameter> = PARAMETERS.iter().filter(is_chosen).collect();
    if let Some(idle) = chosen.iter().find(|it| args.tc.is_none() && it.needs_clock()) {
        bail!("{} has no effect on games with a number of nodes; use --tc", idle.name);
    }
    Ok(chosen)
}

/// A row for each parameter.
fn table(state: &SpsaState) -> String {
    let mut text = format!(
        "{:<24} {:>6} {:>9} {:>9} {:>7} {:>14}  Elo of more against less\n",
        "parameter", "start", "now", "mean", "rounded", "range"
    );
    for parameter in &state.parameters {
        let (name, start, value) = (&parameter.name, parameter.start, parameter.value);
        let range = format!("{} … {}", parameter.min, parameter.max);
        let elo = state.estimate(parameter).map_or_else(
            || "-".to_owned(),
            |estimate| format!("{:+.1} ± {:.1}", estimate.elo, estimate.error),
        );
        let (mean, rounded) = (parameter.mean(), parameter.rounded());
        let _ = writeln!(
            text,
            "{name:<24} {start:>6} {value:>9.2} {mean:>9.2} {rounded:>7} {range:>14}  {elo}"
        );
    }
    let _ = writeln!(text, "{} of {} games", state.games(), state.settings.games);
    text
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Spsa {
        #[command(flatten)]
        args: Args,
    }

    fn chosen(options: &str) -> Result<Vec<&'static str>> {
        let line = format!("spsa --openings a --state b {options}");
        let args = Spsa::try_parse_from(line.split_whitespace())?.args;
        Ok(parameters(&args)?.iter().map(|parameter| parameter.name).collect())
    }

    #[test]
    fn parameters_of_the_clock_need_a_clock() {
        assert!(chosen("").unwrap().iter().all(|name| !name.starts_with("time")));
        assert_eq!(chosen("--tc 3+0.03").unwrap().len(), PARAMETERS.len());
        let two = chosen("--parameter rfp_margin rfp_depth --games 40").unwrap();
        assert_eq!(two, ["rfp_depth", "rfp_margin"]);
        for wrong in [
            "--parameter time_optimum",
            "--parameter absent",
            "--parameter",
            "--tc 3+0.03 --nodes 5",
            "--tc 3",
            "--tc 0+1",
            "--tc 3+NaN",
            "--games 1",
        ] {
            assert!(chosen(wrong).is_err(), "{wrong}");
        }
    }
}
