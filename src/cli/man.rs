//! `lovec man`: the manual as man pages.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Command;
use clap_mangen::Man;

use crate::cli::CommandStatus;
use crate::cli::outputs::OutputFolder;
use crate::engine::options::OPTIONS;
use crate::uci::option_line;
use crate::util::{input_file, output_file};

/// In every page.
const TITLE: &[u8] = b".TH LOVEC";

const MAX_PAGE_BYTES: u64 = 1 << 20;

/// In the page of `lovec`, below the options of UCI.
const SECTIONS: &str = "\
.SH EXIT STATUS
0 success, 1 a failed check, 2 an error, 130 after Ctrl\\-C, 143 after SIGTERM, 129 after SIGHUP
(on Linux, unless nohup has it ignored).
.SH ENVIRONMENT
.TP
.B RUST_LOG
What to log, also by module.
.TP
.B NO_COLOR
If set, no colours unless \\-\\-color asks for them.
.TP
.B CLICOLOR_FORCE
If set, colours also in files and pipes.
.TP
.B RAYON_NUM_THREADS
The greatest number of threads of tune, terms, wdl and egtb; by default one for each core.
";

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
        pages.iter().try_for_each(|page| out.write_all(page.text.as_bytes()))?;
        return Ok(CommandStatus::Passed);
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for Page { name, text } in pages {
        let path = folder.join(format!("{name}.1"));
        ensure_page_or_new(&path)?;
        output_file::write(&path, text.as_bytes())
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
    text: String,
}

/// Adds the pages of a command and its subcommands.
fn collect(command: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    // The full name is set by `build`.
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let version = env!("CARGO_PKG_VERSION");
    let man = Man::new(command.clone().version(version).long_version(None));
    let mut text = Vec::new();
    // By itself the footer would name the subcommand alone.
    man.title(name.to_uppercase()).source(format!("lovec {version}")).render(&mut text)?;
    let mut text = as_usual(&String::from_utf8_lossy(&text));
    if command.get_name() == name {
        text += &uci_options();
        text += SECTIONS;
    }
    pages.push(Page { name, text });
    command.get_subcommands().try_for_each(|below| collect(below, pages))
}

/// The page with the notes and examples of a help below headings of their own, the lines of
/// the examples as they are, and dots that every character set has. `\&` keeps them from being
/// a request of roff.
fn as_usual(page: &str) -> String {
    page.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n.nf\n")
        .replace(".SH EXTRA\n", ".SH NOTES\n")
        .replace("\n\nExamples:\n", "\n.SH EXAMPLES\n.nf\n")
        .replace('…', "\\&...")
}

fn uci_options() -> String {
    let lines: String = OPTIONS.iter().map(|option| format!("{}\n", option_line(option))).collect();
    format!(
        ".SH UCI OPTIONS\nAs in the answer to uci. The README in Lovec's sources and releases says \
         what each does.\n.PP\n.nf\n{lines}.fi\n"
    )
}
