//! `lovec lab list`: what there is.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};

use crate::cli::json;
use crate::cli::status::CommandStatus;
use crate::cli::style::{BEST, FAINT, paint};
use crate::lab::game::evaluation::EVALUATIONS;
use crate::lab::game::small::GAMES;
use crate::lab::registry::ALGORITHMS;
use crate::lab::settings::SettingInfo;
use crate::lab::switches::{SWITCHES, SwitchGroup};

/// List the algorithms with their settings, the switches of all, the evaluations and the games
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    if args.json {
        json::write(out, &to_json())?;
        return Ok(CommandStatus::Passed);
    }
    let mut last = "";
    for (section, info) in ALGORITHMS {
        if *section != last {
            writeln!(out, "{}", paint(FAINT, section))?;
            last = section;
        }
        writeln!(out, "  {} {}", paint(BEST, format!("{:<16}", info.name)), info.summary)?;
        print_settings(out, info.settings, 4)?;
    }
    writeln!(out, "{}", paint(FAINT, "switches, with the algorithms that heed them"))?;
    for SwitchGroup { name, algorithms, settings } in SWITCHES {
        writeln!(out, "  {}", paint(FAINT, format!("{name}: {algorithms}")))?;
        print_settings(out, settings, 4)?;
    }
    writeln!(out, "{}", paint(FAINT, "evaluations of chess, for --eval"))?;
    for (name, summary) in EVALUATIONS {
        writeln!(out, "  {name:<16} {summary}")?;
    }
    writeln!(out, "{}", paint(FAINT, "games other than chess, with moves after a slash"))?;
    for (text, summary) in GAMES {
        writeln!(out, "  {text}\n    {summary}")?;
    }
    Ok(CommandStatus::Passed)
}

fn print_settings(out: &mut impl Write, settings: &[SettingInfo], indent: usize) -> Result<()> {
    for setting in settings {
        let usage = format!(":{}", setting.usage());
        writeln!(out, "{:indent$}{usage}\n{:indent$}    {}", "", "", setting.summary)?;
    }
    Ok(())
}

fn to_json() -> Value {
    let settings = |settings: &[SettingInfo]| -> Vec<Value> {
        let setting = |it: &SettingInfo| json!({ "name": it.name, "usage": it.usage(), "summary": it.summary });
        settings.iter().map(setting).collect()
    };
    let algorithm = |(section, info): &(&str, crate::lab::algorithm::AlgorithmInfo)| {
        json!({
            "name": info.name,
            "section": section,
            "summary": info.summary,
            "settings": settings(info.settings),
        })
    };
    let group = |it: &SwitchGroup| json!({ "name": it.name, "algorithms": it.algorithms, "settings": settings(it.settings) });
    let evaluation = |(name, summary): &(&str, &str)| json!({ "name": name, "summary": summary });
    let game = |(text, summary): &(&str, &str)| json!({ "usage": text, "summary": summary });
    json!({
        "algorithms": ALGORITHMS.iter().map(algorithm).collect::<Vec<_>>(),
        "switches": SWITCHES.iter().map(group).collect::<Vec<_>>(),
        "evaluations": EVALUATIONS.iter().map(evaluation).collect::<Vec<_>>(),
        "games": GAMES.iter().map(game).collect::<Vec<_>>(),
    })
}
