//! The progress file next to the annotated games.
//!
//! The first line holds the settings on which the searches depend; each further line is a
//! search ([`SearchRecord`]). Lines are only appended. If the program is killed, the last
//! line may be incomplete: it is cut off, and that position is searched again.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::annotate::search_record::{EarlierSearches, SearchRecord};
use crate::util::reserved_file::ReservedFile;
use crate::util::state_file::{self, ChangedSetting, StateFileError, same_settings};

/// What the first line says the file is.
const SCHEMA: &str = "lovec.annotate-progress/1";

/// The longest line in bytes.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// Time between waits for the disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// Why a progress file cannot be used.
#[derive(Debug, Error)]
pub enum ProgressError {
    #[error(transparent)]
    File(#[from] StateFileError),
    #[error(
        "{} was not written by annotate; choose another file for the games, or remove it",
        .0.display()
    )]
    Foreign(PathBuf),
    #[error("{} is damaged in line {line}; with --force all is searched again", .path.display())]
    Damaged { path: PathBuf, line: u64 },
    #[error(
        "{} was begun with {changed}; use the same options, or --force to search all again",
        .path.display()
    )]
    Settings { path: PathBuf, changed: ChangedSetting },
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    schema: String,
    settings: Map<String, Value>,
}

/// A progress file, reserved for this process.
#[derive(Debug)]
pub struct SearchProgress {
    path: PathBuf,
    file: ReservedFile,
    /// Whether it holds any search.
    has_searches: bool,
    synced: Instant,
}

impl SearchProgress {
    /// Opens the progress file at `path` or begins one. Returns the searches that it holds. A
    /// run that is `forced` empties a file of other settings, or a damaged one.
    ///
    /// # Errors
    ///
    /// If the file cannot be used, was begun with other settings, or is damaged. A file that
    /// is no progress file of annotate is an error also if the run is forced.
    pub fn open(
        path: &Path,
        settings: &Map<String, Value>,
        forced: bool,
    ) -> Result<(Self, EarlierSearches), ProgressError> {
        let mut file = state_file::reserve("annotate", path)?;
        let (valid, earlier) = match read(path, file.file(), settings) {
            Err(ProgressError::Damaged { path, line: 1 }) => {
                return Err(ProgressError::Foreign(path));
            }
            Err(ProgressError::Settings { .. } | ProgressError::Damaged { .. }) if forced => {
                (0, EarlierSearches::default())
            }
            read => read?,
        };
        let has_searches = earlier.count() > 0;
        let synced = Instant::now();
        let mut progress = Self { path: path.to_owned(), file, has_searches, synced };
        progress.file.cut_to(valid).map_err(|error| progress.not_written(error))?;
        if valid == 0 {
            let header = Header { schema: SCHEMA.to_owned(), settings: settings.clone() };
            if let Err(error) = progress.write_line(&header) {
                // A part of it would be the file of another program.
                let _ = progress.file.cut_to(0);
                return Err(error);
            }
        }
        progress.file.keep();
        Ok((progress, earlier))
    }

    /// Appends a search.
    pub fn append(&mut self, record: &SearchRecord) -> Result<(), ProgressError> {
        self.write_line(record)?;
        self.has_searches = true;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.synced = Instant::now();
            self.file.file().sync_data().map_err(|error| self.not_written(error))?;
        }
        Ok(())
    }

    /// Whether there is anything to go on from.
    pub fn has_searches(&self) -> bool {
        self.has_searches
    }

    /// Removes the file.
    pub fn remove(self) -> Result<(), ProgressError> {
        let Self { path, file, .. } = self;
        Ok(file.remove().map_err(|error| StateFileError::not_written(&path, error))?)
    }

    /// Writes a line with one call, so that a kill leaves at most one line incomplete.
    fn write_line(&mut self, line: &impl Serialize) -> Result<(), ProgressError> {
        let text = serde_json::to_string(line).map_err(|error| self.not_written(error.into()))?;
        let written = self.file.file().write_all(format!("{text}\n").as_bytes());
        written.map_err(|error| self.not_written(error))
    }

    fn not_written(&self, error: io::Error) -> ProgressError {
        StateFileError::not_written(&self.path, error).into()
    }
}

/// Reads the complete lines; returns their length in bytes.
fn read(
    path: &Path,
    file: &mut impl Read,
    settings: &Map<String, Value>,
) -> Result<(u64, EarlierSearches), ProgressError> {
    let mut source = BufReader::new(file);
    let mut earlier = EarlierSearches::default();
    let (mut valid, mut bytes) = (0, Vec::new());
    for line in 1.. {
        bytes.clear();
        let read = (&mut source).take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes);
        let length = read.map_err(|error| StateFileError::Read { path: path.to_owned(), error })?;
        let damaged = || ProgressError::Damaged { path: path.to_owned(), line };
        if !bytes.ends_with(b"\n") {
            if length as u64 == MAX_LINE_BYTES || line == 1 && length > 0 {
                return Err(damaged());
            }
            break;
        }
        if line == 1 {
            let header = serde_json::from_slice::<Header>(&bytes).ok();
            let header = header.filter(|it| it.schema == SCHEMA).ok_or_else(damaged)?;
            same_settings(&header.settings, settings)
                .map_err(|changed| ProgressError::Settings { path: path.to_owned(), changed })?;
        } else {
            earlier.add(serde_json::from_slice(&bytes).map_err(|_| damaged())?);
        }
        valid += length as u64;
    }
    Ok((valid, earlier))
}
