//! `lovec eval`: why a position is worth what it is.

use std::io::Write;

use anyhow::Result;

use crate::cli::{Verdict, position};
use crate::eval::{Worth, explain};

const EXAMPLES: &str = "\
Examples:
  lovec eval
  lovec eval \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\"
  lovec eval startpos --json";

/// Explain the static evaluation of a position
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The position
    #[arg(default_value = "startpos", num_args = 1..)]
    fen: Vec<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Verdict> {
    let position = position::parse(&args.fen)?;
    let explanation = explain(&position);
    let worth = Worth::of(&position);
    if args.json {
        let mut json = explanation.to_json();
        json["men"] = worth.to_json();
        writeln!(out, "{json:#}")?;
    } else {
        writeln!(out, "{explanation}\n\n{worth}")?;
    }
    Ok(Verdict::Passed)
}
