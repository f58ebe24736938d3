use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::chess::notation::uci::ParseMoveError;

/// Why a run could not begin or go on.
#[derive(Debug, Error)]
pub enum SpsaError {
    #[error("cannot start a player: {0}")]
    Start(#[from] io::Error),
    #[error("a player has ended ({status}) after {command:?}")]
    Ended { status: String, command: String },
    #[error("a player answers {answer:?} to {command:?}")]
    Answer { answer: String, command: String },
    #[error("a player answers with an illegal move: {error}, after {position:?}")]
    IllegalMove { error: ParseMoveError, position: String },
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("{} is damaged: {error}", .path.display())]
    Damaged { path: PathBuf, error: String },
    #[error(
        "{} was begun with {name} {recorded}, not {wanted}; use the same options or choose \
         another file",
        .path.display()
    )]
    Settings { path: PathBuf, name: String, recorded: String, wanted: String },
    #[error(
        "{} was begun with other parameters, or with other values or ranges of them; use the \
         same options and build, or choose another file",
        .0.display()
    )]
    Parameters(PathBuf),
}
