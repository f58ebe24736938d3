use thiserror::Error;

use crate::datagen::opening::NoOpening;
use crate::datagen::store::StoreError;
use crate::search::SearcherError;

/// Why games could not be played or stored.
#[derive(Debug, Error)]
pub enum DatagenError {
    #[error(
        "without random moves, {openings} openings give {openings} different games, fewer than \
         the {games} requested"
    )]
    Repeats { games: u64, openings: usize },
    #[error(transparent)]
    Searcher(#[from] SearcherError),
    #[error(transparent)]
    Opening(#[from] NoOpening),
    #[error(transparent)]
    Store(#[from] StoreError),
}
