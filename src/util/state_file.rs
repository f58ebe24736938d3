//! The state of a long run as a JSON file, from which the same command continues.
//!
//! The file is replaced atomically, so an interrupted run continues from its last state.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::util::input_file::read_text;
use crate::util::output_file;
use crate::util::reserved_file::{ReserveError, ReservedFile};

/// The file beside another that records the progress of a run.
pub fn progress_path(path: &Path) -> PathBuf {
    with_suffix(path, ".progress")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Why a file of a long run, or its state, cannot be read, used or written.
#[derive(Debug, Error)]
pub enum StateFileError {
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("another {command} writes to {}", .path.display())]
    Busy { command: &'static str, path: PathBuf },
    #[error("{} is damaged: {error}", .path.display())]
    Damaged { path: PathBuf, error: String },
    #[error(
        "{} was begun with {changed}; use the same options or choose another file",
        .path.display()
    )]
    Settings { path: PathBuf, changed: ChangedSetting },
}

/// A setting that is not the one with which a job began.
#[derive(Debug, Error)]
#[error("{name} {recorded}, not {wanted}")]
pub struct ChangedSetting {
    pub name: String,
    pub recorded: String,
    pub wanted: String,
}

/// Reserves a file that grows for this process, which executes `command`.
pub fn reserve(command: &'static str, path: &Path) -> Result<ReservedFile, StateFileError> {
    ReservedFile::open(path).map_err(|error| not_reserved(command, path, path, error))
}

/// Reserves a file that is replaced, by a file beside it.
pub fn lock(command: &'static str, path: &Path) -> Result<ReservedFile, StateFileError> {
    let lock = with_suffix(path, ".lock");
    ReservedFile::lock(&lock).map_err(|error| not_reserved(command, path, &lock, error))
}

fn not_reserved(
    command: &'static str,
    path: &Path,
    reserved: &Path,
    error: ReserveError,
) -> StateFileError {
    match error {
        ReserveError::Busy => StateFileError::Busy { command, path: path.to_owned() },
        ReserveError::Io(error) => StateFileError::not_written(reserved, error),
    }
}

impl StateFileError {
    pub fn not_written(path: &Path, error: impl Into<io::Error>) -> Self {
        Self::Write { path: path.to_owned(), error: error.into() }
    }

    pub fn damaged(path: &Path, error: impl ToString) -> Self {
        Self::Damaged { path: path.to_owned(), error: error.to_string() }
    }
}

/// Reads a state; `None` if there is no file.
pub fn read<T: DeserializeOwned>(path: &Path, max_bytes: u64) -> Result<Option<T>, StateFileError> {
    match read_text(path, max_bytes) {
        Ok(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| StateFileError::damaged(path, error)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StateFileError::Read { path: path.to_owned(), error }),
    }
}

/// Replaces the file by a state.
pub fn write(path: &Path, state: &impl Serialize) -> Result<(), StateFileError> {
    let text = serde_json::to_value(state).map(|state| format!("{state:#}\n"));
    text.map_err(io::Error::from)
        .and_then(|text| output_file::write(path, text.as_bytes()))
        .map_err(|error| StateFileError::not_written(path, error))
}

/// Checks that a state was begun with the same settings. `options` has pairs of a setting and
/// of what the error calls it instead: the options that decide it.
///
/// # Errors
///
/// With the first setting that differs.
pub fn check_settings<S: Serialize>(
    path: &Path,
    recorded: &S,
    wanted: &S,
    options: &[(&str, &str)],
) -> Result<(), StateFileError> {
    same_settings(recorded, wanted).map_err(|mut changed| {
        if let Some((_, option)) = options.iter().find(|(name, _)| *name == changed.name) {
            changed.name = (*option).to_owned();
        }
        StateFileError::Settings { path: path.to_owned(), changed }
    })
}

/// Compares the settings of a job with those with which it began.
///
/// # Errors
///
/// With the first setting that differs.
pub fn same_settings<S: Serialize>(recorded: &S, wanted: &S) -> Result<(), ChangedSetting> {
    let to_json = |settings| serde_json::to_value(settings).unwrap_or_default();
    let (recorded, wanted) = (to_json(recorded), to_json(wanted));
    let mut names =
        [&wanted, &recorded].into_iter().filter_map(Value::as_object).flat_map(Map::keys);
    let text = |settings: &Value, name: &str| {
        settings.get(name).map_or("unknown".to_owned(), Value::to_string)
    };
    match names.find(|&name| recorded.get(name) != wanted.get(name)) {
        None => Ok(()),
        Some(name) => Err(ChangedSetting {
            name: name.clone(),
            recorded: text(&recorded, name),
            wanted: text(&wanted, name),
        }),
    }
}
