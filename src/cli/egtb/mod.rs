//! `lovec egtb`: builds, probes and verifies Lovec's own endgame tables.

mod build;
mod probe;
mod verify;

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;

use crate::cli::CommandStatus;

const EXAMPLES: &str = "\
An ending is named by White's pieces and then Black's, each side from its king:
KQvK or KQK, KRvKP or KRKP, in letters of either case. A table is a file in a
folder, such as KRvKP.ltb, and holds distances to mate.

Examples:
  lovec egtb build KQKR KBNK -o tables
  lovec egtb build --pieces 4 -o tables
  lovec egtb probe \"8/8/8/8/8/4k3/4p3/4K1R1 w - - 0 1\" --dir tables
  lovec egtb verify tables";

/// Build, probe and verify endgame tables of up to four pieces
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Args),
    Probe(probe::Args),
    Verify(verify::Args),
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    match &args.command {
        Command::Build(args) => build::run(args, out),
        Command::Probe(args) => probe::run(args, out),
        Command::Verify(args) => verify::run(args, out),
    }
}
