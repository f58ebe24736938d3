//! Self-play: positions of Lovec's own games, labelled for the tuner.
//!
//! A game begins with moves that nobody chose ([`opening`]), goes on with two
//! sides that search a fixed number of nodes ([`player`]) and ends by the rules or
//! by a judge who sees that it is decided ([`result`]). Some of its quiet
//! positions become samples ([`sample`]), lines of text with the score of the
//! search and the result of the game ([`game`]).
//!
//! Two laws hold it together. A game depends on the options and its number and
//! on nothing else, so that the threads which share the games ([`workers`]) do not
//! show. And the file ([`store`]) grows by whole games in the order of their
//! numbers, with a ledger beside it that says how much of it counts ([`progress_file`]):
//! whatever kills the program, and whenever, the games written so far are safe,
//! and the same command goes on behind them.

mod game;
mod opening;
mod player;
mod progress_file;
mod result;
mod sample;
mod signature;
mod store;
mod workers;

use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::datagen::store::ReservedStore;
use crate::datagen::workers::GameJob;
use crate::search::{Control, SearcherError};

pub use opening::{NoOpening, OpeningError, OpeningList};
pub use progress_file::{GameCounts, ProgressError};
pub use store::StoreError;

/// What decides the games: the same options give the same games.
#[derive(Clone, Debug)]
pub struct DatagenOptions {
    /// Where all random numbers begin.
    pub seed: u64,
    /// Nodes to search for each move.
    pub nodes: u64,
    /// Random moves at the beginning; every other game has one more.
    pub random_plies: u32,
    /// Positions to keep of a game, at most.
    pub per_game: usize,
    /// Where games begin before the random moves.
    pub book: OpeningList,
}

impl DatagenOptions {
    /// The options as the ledger keeps them, under the names of the options, with what
    /// tells apart programs that play differently.
    fn to_json(&self, signature: u32) -> Map<String, Value> {
        [
            ("version", json!(env!("CARGO_PKG_VERSION"))),
            ("signature", json!(format!("{signature:08x}"))),
            ("seed", json!(self.seed)),
            ("nodes", json!(self.nodes)),
            ("random-plies", json!(self.random_plies)),
            ("per-game", json!(self.per_game)),
            ("book", json!(self.book.name())),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
    }

    /// Without random moves an opening gives one game and no more.
    fn check_variety(&self, games: u64) -> Result<(), DatagenError> {
        let openings = self.book.len();
        if self.random_plies == 0 && games > openings as u64 {
            return Err(DatagenError::Repeats { games, openings });
        }
        Ok(())
    }
}

/// Why games could not be played or kept.
#[derive(Debug, Error)]
pub enum DatagenError {
    #[error(
        "{games} games cannot all differ: without random moves there are {openings} openings \
         and no more"
    )]
    Repeats { games: u64, openings: usize },
    #[error(transparent)]
    Searcher(#[from] SearcherError),
    #[error(transparent)]
    Opening(#[from] NoOpening),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a file has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Games that were there before.
    pub found: u64,
    /// All games that are there now.
    pub counts: GameCounts,
}

/// Plays until the file at `path` holds so many games, `threads` at a time or as many
/// as the system has threads and memory for; games that it holds already count. `progress` hears how many games are
/// finished, those included.
///
/// # Errors
///
/// When the file cannot be written, or belongs to somebody else or to other
/// options, before the first game and with nothing changed; when there is no
/// opening to play, no memory, no thread, or no space left, with all games kept
/// that were finished in order before.
pub fn run(
    path: &Path,
    options: &DatagenOptions,
    games: u64,
    threads: usize,
    mut progress: impl FnMut(u64),
) -> Result<Summary, DatagenError> {
    options.check_variety(games)?;
    let record = ReservedStore::find(path, options.to_json(signature::signature()?))?;
    let found = record.counts().games();
    progress(found);
    if found >= games {
        return Ok(Summary { found, counts: *record.counts() });
    }
    let control = Control::new(Instant::now(), false);
    let mut store = record.open()?;
    let job = GameJob { options, games: found..games, control: &control };
    workers::play_all(&job, threads, &mut store, progress)?;
    Ok(Summary { found, counts: *store.counts() })
}
