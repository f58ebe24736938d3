//! Self-play: positions of Lovec's own games, labelled for the tuner.
//!
//! A game begins with random moves ([`opening`]), goes on with both sides searching a
//! fixed number of nodes ([`player`]) and ends by the rules or by
//! [`adjudication`](crate::chess::adjudication). Some of its quiet positions become
//! samples ([`sample`]): lines of text with the score of the search and the result of the
//! game ([`game`]).
//!
//! Two rules matter. A game depends only on the options and its number, not on the
//! threads that share the games ([`workers`]). And the file ([`store`]) grows by whole
//! games in the order of their numbers, while a progress file ([`progress_file`]) records
//! how much of it is valid: if the program is killed, the games written so far are safe,
//! and the same command continues after them.

mod error;
mod game;
mod opening;
mod options;
mod player;
mod progress_file;
mod result;
mod sample;
mod signature;
mod store;
mod workers;

use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use crate::datagen::store::ReservedStore;
use crate::datagen::workers::GameJob;
use crate::search::Control;

pub use error::DatagenError;
pub use opening::NoOpening;
pub use options::DatagenOptions;
pub use progress_file::GameCounts;
pub use signature::signature;
pub use store::StoreError;

/// The state of a file after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Games in the file before the run.
    pub found: u64,
    /// All games in the file.
    pub counts: GameCounts,
}

/// Plays until the file at `path` contains the games with these numbers, existing ones
/// included; the first number is recorded with the options.
/// Plays `threads` games at a time, fewer if the system has no threads or memory for
/// them. `progress` is called with the number of finished games, existing ones included.
///
/// # Errors
///
/// Before the first game and without changes, if the file cannot be written, was not
/// written by datagen, or was written with other options. Later, if there is no opening to
/// play, no memory, no thread or no space; finished games are then kept in order.
pub fn run(
    path: &Path,
    options: &DatagenOptions,
    games: Range<u64>,
    threads: usize,
    mut progress: impl FnMut(u64),
) -> Result<Summary, DatagenError> {
    let openings = options.openings.len();
    if options.random_plies == 0 && games.end > openings as u64 {
        return Err(DatagenError::Repeats { games: games.end, openings });
    }
    let recorded = options.to_json(signature::signature()?, games.start);
    let reserved = ReservedStore::find(path, recorded)?;
    let found = reserved.counts().games();
    progress(found);
    let next = games.start.saturating_add(found);
    // Without any games there is a file, too.
    if next >= games.end && !games.is_empty() {
        return Ok(Summary { found, counts: *reserved.counts() });
    }
    let control = Control::new(Instant::now(), false);
    let mut store = reserved.open()?;
    let job = GameJob { options, games: next..games.end, control: &control };
    let report = |finished: u64| progress(finished - games.start);
    workers::play_all(&job, threads, &mut store, report)?;
    Ok(Summary { found, counts: *store.counts() })
}
