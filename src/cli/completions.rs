//! `lovec completions`: completion of commands and options in a shell.

use std::io::Write;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::{Cli, Verdict};

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

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Verdict> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    // The generator panics where it cannot write, which a buffer rules out.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    out.write_all(&script)?;
    Ok(Verdict::Passed)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_shell_completes_every_command() {
        for shell in Shell::value_variants() {
            let mut out = Vec::new();
            run(&Args { shell: *shell }, &mut out).unwrap();
            let script = String::from_utf8(out).unwrap();
            for command in Cli::command().get_subcommands() {
                let name = command.get_name();
                assert!(script.contains(name), "{shell} does not complete {name}");
            }
        }
    }
}
