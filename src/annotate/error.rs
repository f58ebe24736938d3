//! Why games cannot be annotated.

use std::error::Error;
use std::io;

use thiserror::Error;

use crate::annotate::progress_file::ProgressError;
use crate::client::ClientError;
use crate::search::SearcherError;

/// Why games could not be searched.
#[derive(Debug, Error)]
pub enum AnnotateError {
    #[error(transparent)]
    Searcher(#[from] SearcherError),
    #[error(transparent)]
    Progress(#[from] ProgressError),
    #[error(transparent)]
    Engine(#[from] ClientError),
    /// The games cannot be read on.
    #[error(transparent)]
    Games(Box<dyn Error + Send + Sync>),
}

impl From<io::Error> for AnnotateError {
    fn from(error: io::Error) -> Self {
        SearcherError::from(error).into()
    }
}
