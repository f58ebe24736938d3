use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::client::ClientError;
use crate::util::state_file::StateFileError;

/// Why a run could not begin or go on.
#[derive(Debug, Error)]
pub enum SpsaError {
    #[error("cannot start a thread: {0}")]
    Start(#[from] io::Error),
    #[error("a player failed: {0}")]
    Player(#[from] ClientError),
    #[error(transparent)]
    State(#[from] StateFileError),
    #[error(
        "{} was begun with other parameters, or with other ranges or steps of them; use the \
         same options, and a build with the same declarations, or choose another file",
        .0.display()
    )]
    Parameters(PathBuf),
}
