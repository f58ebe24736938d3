//! `lovec completions`: completion of commands and options in a shell.

use std::io::Write;

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

use crate::cli::CommandStatus;

const EXAMPLES: &str = "\
Examples:
  lovec completions bash >~/.local/share/bash-completion/completions/lovec
  lovec completions zsh >~/.zfunc/_lovec
  lovec completions fish >~/.config/fish/completions/lovec.fish";

/// Write a script that completes commands and options in a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(
    args: &Args,
    mut command: Command,
    out: &mut impl Write,
) -> Result<CommandStatus> {
    let name = command.get_name().to_owned();
    // The generator panics if it cannot write; a buffer never fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    out.write_all(&script)?;
    Ok(CommandStatus::Passed)
}
