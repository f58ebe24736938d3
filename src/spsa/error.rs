use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::chess::notation::uci::ParseMoveError;
use crate::util::state_file::StateFileError;

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
    #[error(transparent)]
    State(#[from] StateFileError),
    #[error(
        "{} was begun with other parameters, or with other values or ranges of them; use the \
         same options and build, or choose another file",
        .0.display()
    )]
    Parameters(PathBuf),
}
