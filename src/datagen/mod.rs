//! Self-play: positions of Lovec's own games, labelled for the tuner.
//!
//! A game begins with random moves ([`opening`]), goes on with both sides searching a
//! fixed number of nodes ([`player`]) and ends by the rules or by
//! [`adjudication`](crate::chess::adjudication). Some of its quiet positions become
//! samples ([`sample`]): lines of text with the score of the search and the result of the
//! game ([`game`]).
//!
//! Two rules matter. A game depends only on the options and its number, not on the
//! threads that share the games. And the file ([`Store`]) grows by whole games in the order
//! of their numbers: if the program is killed, the games written so far are safe, and the
//! same command continues after them.

mod counts;
mod game;
mod opening;
mod player;
mod sample;
mod signature;

use std::io;
use std::ops::Range;
use std::path::Path;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::chess::notation::openings::OpeningList;
use crate::datagen::game::play;
use crate::datagen::opening::Openings;
use crate::datagen::player::Player;
use crate::search::{STACK_BYTES, SearcherError, Stop};
use crate::util::store::{Store, StoreError, StoreSummary};
use crate::util::tasks::Tasks;

pub use counts::GameCounts;
pub use opening::NoOpening;
pub use signature::signature;

/// Plays until the file at `path` contains `games` games, existing ones included, or until
/// `stop` ends the run.
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
    games: u64,
    threads: usize,
    stop: &Stop,
    mut progress: impl FnMut(u64),
) -> Result<StoreSummary<GameCounts>, DatagenError> {
    let openings = options.openings.len();
    if options.random_plies == 0 && games > openings as u64 {
        return Err(DatagenError::Repeats { games, openings });
    }
    let recorded = options.to_json(signature::signature()?);
    let mut store = Store::<GameCounts>::find(path, recorded)?;
    let found = store.summary().found.games;
    progress(found);
    if found >= games {
        return Ok(store.summary());
    }
    store.open()?;
    play_all(options, found..games, threads, &mut store, stop, progress)?;
    Ok(store.summary())
}

/// Plays the games of these numbers, `threads` at a time or as many as the system has threads and
/// memory for, and stores them in order, those that are finished when `stop` ends the run.
/// `progress` is called with the number of finished games, existing ones included.
fn play_all(
    options: &DatagenOptions,
    games: Range<u64>,
    threads: usize,
    store: &mut Store<GameCounts>,
    stop: &Stop,
    mut progress: impl FnMut(u64),
) -> Result<(), DatagenError> {
    let control = stop.control();
    let openings = Openings::new(&options.openings, options.random_plies, options.seed);
    let mut counts = store.summary().counts;
    let games = Tasks {
        numbers: games,
        threads,
        name: "player",
        stack_bytes: STACK_BYTES,
        is_stopped: &|| control.is_stopped(),
    };
    let result = games.in_order(
        |number| Ok(Player::new(number, &control)?),
        |player, number| Ok(play(number, options, &openings, player)?),
        || control.stop(),
        |game| {
            counts.add(&game);
            store.add(&game.lines().collect::<String>(), counts)?;
            progress(counts.games);
            Ok(())
        },
    );
    match result {
        // The file has failed.
        Err(DatagenError::Store(_)) => {}
        // Without games, this still checks that the file exists.
        _ => store.flush()?,
    }
    result.map(drop)
}

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
    #[error("could not start a thread: {0}")]
    Thread(#[from] io::Error),
    #[error(transparent)]
    Opening(#[from] NoOpening),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What determines the games: the same options give the same games.
#[derive(Clone, Debug)]
pub struct DatagenOptions {
    /// The seed of all random numbers.
    pub seed: u64,
    /// Nodes to search for each move.
    pub nodes: u64,
    /// Random moves at the beginning; about half of the games have one more.
    pub random_plies: u32,
    /// Maximum number of positions to keep of a game.
    pub per_game: usize,
    /// The positions from which games begin, before the random moves.
    pub openings: OpeningList,
}

impl DatagenOptions {
    /// The options as the progress file records them, with the version and the
    /// [`signature`](mod@crate::datagen::signature) of the program.
    fn to_json(&self, signature: u32) -> Map<String, Value> {
        let recorded: [(&str, Value); 7] = [
            ("version", env!("CARGO_PKG_VERSION").into()),
            ("signature", format!("{signature:08x}").into()),
            ("seed", self.seed.into()),
            ("nodes", self.nodes.into()),
            ("random-plies", self.random_plies.into()),
            ("per-game", self.per_game.into()),
            ("openings", self.openings.name().into()),
        ];
        recorded.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
