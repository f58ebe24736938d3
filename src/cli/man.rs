//! `lovec man`: the manual as man pages.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Command;
use clap_mangen::Man;

use crate::cli::CommandStatus;
use crate::cli::outputs::OutputFolder;
use crate::util::{input_file, output_file};

/// In every page.
const TITLE: &[u8] = b".TH LOVEC";

const MAX_PAGE_BYTES: u64 = 1 << 20;

const EXAMPLES: &str = "\
Examples:
  lovec man | man -l -
  lovec man --output-dir ~/.local/share/man/man1";

/// Write the manual in roff, a page for each command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A folder for the pages, lovec.1 and one for each command [default: all to the
    /// standard output]
    #[arg(long, value_name = "DIR")]
    output_dir: Option<OutputFolder>,
}

pub(super) fn run(args: &Args, command: Command, out: &mut impl Write) -> Result<CommandStatus> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    collect(&command, &mut pages)?;
    let Some(folder) = args.output_dir.as_deref() else {
        pages.iter().try_for_each(|page| out.write_all(&page.text))?;
        return Ok(CommandStatus::Passed);
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for Page { name, text } in pages {
        let path = folder.join(format!("{name}.1"));
        ensure_page_or_new(&path)?;
        output_file::write(&path, &text)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(CommandStatus::Passed)
}

/// Checks that a file that would be replaced is a page of an earlier version.
fn ensure_page_or_new(path: &Path) -> Result<()> {
    if !path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    match input_file::read(path, MAX_PAGE_BYTES) {
        Ok(text) if text.is_empty() || text.windows(TITLE.len()).any(|part| part == TITLE) => {
            Ok(())
        }
        _ => bail!("{} exists and is no page of Lovec; choose another folder", path.display()),
    }
}

/// The page of one command.
struct Page {
    /// The command and its parents, joined by hyphens.
    name: String,
    text: Vec<u8>,
}

/// Adds the pages of a command and its subcommands.
fn collect(command: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    // The full name is set by `build`.
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let version = env!("CARGO_PKG_VERSION");
    let man = Man::new(command.clone().version(version).long_version(None));
    let mut text = Vec::new();
    man.title(name.to_uppercase()).render(&mut text)?;
    pages.push(Page { name, text });
    command.get_subcommands().try_for_each(|below| collect(below, pages))
}
