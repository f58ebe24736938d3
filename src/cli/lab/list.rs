//! `lovec lab list`: what there is.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use crate::cli::style::{BEST, FAINT, paint};
use crate::cli::{CommandStatus, json};
use crate::lab::SettingInfo;
use crate::lab::algorithm::AlgorithmInfo;
use crate::lab::game::any::GAMES;
use crate::lab::game::evaluation::EVALUATIONS;
use crate::lab::row::ALGORITHMS;
use crate::lab::search::switches::{SWITCHES, SwitchGroup};

/// List the algorithms with their settings, the switches of all, the evaluations and the games
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    if args.json {
        let named = |name, summary| JsonNamed { name, summary };
        let algorithms = ALGORITHMS.iter().map(|(section, info)| JsonAlgorithm { section, info });
        let lab = JsonLab {
            algorithms: algorithms.collect(),
            switches: &SWITCHES,
            evaluations: EVALUATIONS.iter().map(|it| named(it.0, it.1)).collect(),
            games: GAMES.iter().map(|it| named(it.0, it.1)).collect(),
        };
        json::write(out, "lovec.lab-list/1", &lab)?;
        return Ok(CommandStatus::Passed);
    }
    let mut last = "";
    for (section, info) in ALGORITHMS {
        if *section != last {
            writeln!(out, "{}", paint(FAINT, section))?;
            last = section;
        }
        writeln!(out, "  {} {}", paint(BEST, format!("{:<16}", info.name)), info.summary)?;
        print_settings(out, info.settings)?;
    }
    writeln!(out, "{}", paint(FAINT, "switches, with the algorithms that heed them"))?;
    for SwitchGroup { name, algorithms, settings } in SWITCHES {
        writeln!(out, "  {}", paint(FAINT, format!("{name}: {algorithms}")))?;
        print_settings(out, settings)?;
    }
    writeln!(out, "{}", paint(FAINT, "evaluations of chess, for --eval"))?;
    for (name, summary, _) in &EVALUATIONS {
        writeln!(out, "  {name:<16} {summary}")?;
    }
    writeln!(out, "{}", paint(FAINT, "games other than chess, with moves after a slash"))?;
    for (text, summary) in GAMES {
        writeln!(out, "  {text}\n    {summary}")?;
    }
    Ok(CommandStatus::Passed)
}

fn print_settings(out: &mut impl Write, settings: &[SettingInfo]) -> Result<()> {
    for setting in settings {
        let default = setting.default().map(|it| format!(" (default {it})"));
        let (usage, default) = (setting.usage(), default.unwrap_or_default());
        writeln!(out, "    :{usage}{default}\n        {}", setting.summary)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonLab {
    algorithms: Vec<JsonAlgorithm>,
    switches: &'static [SwitchGroup],
    evaluations: Vec<JsonNamed>,
    games: Vec<JsonNamed>,
}

#[derive(Serialize)]
struct JsonAlgorithm {
    section: &'static str,
    #[serde(flatten)]
    info: &'static AlgorithmInfo,
}

#[derive(Serialize)]
struct JsonNamed {
    name: &'static str,
    summary: &'static str,
}
