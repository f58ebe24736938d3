//! `lovec lab law`: checks the laws of the algorithms.

use std::io::Write;

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::cli::style::{BAD, GOOD, paint};
use crate::cli::{CommandStatus, Interrupt, json, progress};
use crate::lab::Law;
use crate::lab::laws::{LawFault, LawResult, check, laws, samples};
use crate::util::likeness::hint;

const EXAMPLES: &str = "\
The samples are a thousand synthetic trees, tic-tac-toe, Connect-4 on small boards, Los
Alamos chess and thirty chess positions. A broken law is shown with the first sample that breaks it.

Examples:
  lovec lab law
  lovec lab law soft-bounds minimal-tree";

/// Check the laws of the algorithms; the last line is `<passed> passed, <failed> failed`
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Laws to check [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    for name in &args.names {
        ensure!(
            laws().any(|law| law.name == name),
            "{name:?} is no law{}; `lovec lab law` checks all",
            hint(name, laws().map(|law| law.name))
        );
    }
    let is_chosen =
        |law: &&Law| args.names.is_empty() || args.names.iter().any(|it| it == law.name);
    let chosen: Vec<&Law> = laws().filter(is_chosen).collect();
    let samples = samples();
    let interrupt = Interrupt::catch()?;
    let bar = progress::bar(chosen.len());
    let mut results: Vec<LawResult> = Vec::new();
    for law in chosen {
        bar.set_message(law.name);
        let result = check(law, &samples, || interrupt.is_raised());
        if interrupt.is_raised() {
            break;
        }
        bar.inc(1);
        if !args.json {
            bar.suspend(|| print(out, &result))?;
        }
        results.push(result);
    }
    bar.finish_and_clear();
    let failed = results.iter().filter(|result| result.fault.is_some()).count();
    if args.json {
        let (passed, interrupted) = (results.len() - failed, interrupt.is_raised());
        let result = JsonLaws { laws: results, passed, failed, interrupted };
        json::write(out, "lovec.lab-law/1", &result)?;
    } else {
        if interrupt.is_raised() {
            writeln!(out, "interrupted")?;
        }
        writeln!(out, "{} passed, {failed} failed", results.len() - failed)?;
    }
    Ok(interrupt.status(CommandStatus::of(failed == 0)))
}

fn print(out: &mut impl Write, result: &LawResult) -> std::io::Result<()> {
    let LawResult { law, samples, fault } = result;
    match fault {
        None => writeln!(out, "{} {:<28} {samples:>5} samples", paint(GOOD, "passed"), law.name)?,
        Some(_) => writeln!(out, "{} {}", paint(BAD, "failed"), law.name)?,
    }
    writeln!(out, "       {}", law.text)?;
    if let Some(LawFault { sample, text }) = fault {
        writeln!(out, "       {sample}\n       {text}")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonLaws {
    laws: Vec<LawResult>,
    passed: usize,
    failed: usize,
    interrupted: bool,
}
