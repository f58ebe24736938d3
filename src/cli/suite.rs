//! Files with a position on each line, or such a text from the standard input.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::chess::notation::epd::{self, Epd, EpdError};
use crate::chess::notation::openings::OpeningList;
use crate::cli::{source, status};
use crate::suite::epd::EpdTask;
use crate::util::input_file::{MAX_TEXT_BYTES, read_lines_from};

/// The lines of a suite that could be read.
#[derive(Debug)]
pub(super) struct SuiteFile<T> {
    /// At least one.
    pub entries: Vec<T>,
    /// Whether all lines could be read.
    pub is_whole: bool,
}

impl<T> SuiteFile<T> {
    /// What is given otherwise than by a file.
    pub fn one(entry: T) -> Self {
        Self { entries: vec![entry], is_whole: true }
    }

    pub fn try_map<U>(self, make: impl FnMut(T) -> Result<U>) -> Result<SuiteFile<U>> {
        let entries = self.entries.into_iter().map(make).collect::<Result<_>>()?;
        Ok(SuiteFile { entries, is_whole: self.is_whole })
    }
}

/// Lines of a suite that are named if they cannot be read; a file that is no suite has many.
const NAMED_LINES: usize = 5;

/// Reads a suite; `entry` is given a line and its number. The first lines that cannot be read
/// are named in errors, and the others remain.
pub(super) fn read<T>(
    file: &Path,
    entry: impl Fn(usize, &str) -> Result<T, EpdError>,
) -> Result<SuiteFile<T>> {
    let name = file.display();
    let text = text(file)?;
    let (mut entries, mut unread) = (Vec::new(), 0);
    for (number, line) in epd::lines(&text) {
        match entry(number, line).with_context(|| format!("{name}, line {number}")) {
            Ok(entry) => entries.push(entry),
            Err(error) => {
                unread += 1;
                if unread <= NAMED_LINES {
                    log::error!("{}; the line is left out", status::message(&error));
                }
            }
        }
    }
    if unread > NAMED_LINES {
        log::error!(
            "{name} has {unread} lines that cannot be read; the first {NAMED_LINES} are named"
        );
    }
    ensure!(!entries.is_empty(), "{name} has no positions");
    Ok(SuiteFile { entries, is_whole: unread == 0 })
}

/// Reads the positions of a test suite, with their solutions if they have any.
pub(super) fn read_tasks(file: &Path) -> Result<SuiteFile<EpdTask>> {
    read(file, |_, line| line.parse::<Epd>().and_then(EpdTask::try_from))
}

/// Reads the openings of games.
pub(super) fn read_openings(file: &Path) -> Result<OpeningList> {
    text(file)?.parse().with_context(|| file.display().to_string())
}

fn text(file: &Path) -> Result<String> {
    let source = source::open(file)?;
    read_lines_from(source, MAX_TEXT_BYTES)
        .with_context(|| format!("cannot read {}", file.display()))
}
