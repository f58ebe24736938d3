//! `lovec lab`: classic algorithms, side by side.

mod boards;
mod compare;
mod experiments;
mod fit;
mod hidden;
mod law;
mod limit;
mod list;
mod matches;
mod solve;
mod table;
mod uci;

use std::io::Write;

use anyhow::Result;

use crate::cli::CommandStatus;

/// Run classic search algorithms on the same positions, and compare them
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    List(list::Args),
    Law(law::Args),
    Compare(Box<compare::Args>),
    Match(Box<matches::Args>),
    Table(experiments::Args),
    Fit(fit::Args),
    Boards(boards::Args),
    Hidden(hidden::Args),
    Solve(Box<solve::Args>),
    Uci(uci::Args),
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    match &args.command {
        Command::List(args) => list::run(args, out),
        Command::Law(args) => law::run(args, out),
        Command::Compare(args) => compare::run(args, out),
        Command::Match(args) => matches::run(args, out),
        Command::Table(args) => experiments::run(args, out),
        Command::Fit(args) => fit::run(args, out),
        Command::Boards(args) => boards::run(args, out),
        Command::Hidden(args) => hidden::run(args, out),
        Command::Solve(args) => solve::run(args, out),
        Command::Uci(args) => uci::run(args),
    }
}
