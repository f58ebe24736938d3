//! The threads that play the games, and the thread that stores them in order.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crate::datagen::game::{Game, play};
use crate::datagen::opening::{NoOpening, Openings};
use crate::datagen::player::Player;
use crate::datagen::store::Store;
use crate::datagen::{DatagenError, DatagenOptions};
use crate::search::{Control, STACK_BYTES, SearcherError};
use crate::util::pool::InOrder;
use crate::util::thread::start_prepared;

/// Time between writes. Each write waits for the disk, and gzip compresses a single game
/// badly; but games that are not yet written are lost if the program is killed.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// The games to play.
pub(super) struct GameJob<'a> {
    pub options: &'a DatagenOptions,
    /// Their numbers, from the first that is not in the file.
    pub games: Range<u64>,
    /// Stops all games early.
    pub control: &'a Arc<Control>,
}

/// A game with its number, or why it could not be played.
type Report = (u64, Result<Game, NoOpening>);

/// Plays the games of a job, `threads` at a time or as many as the system has threads and
/// memory for, and stores them in order. `progress` is called with the number of finished
/// games, counted from game 0.
pub(super) fn play_all(
    job: &GameJob<'_>,
    threads: usize,
    store: &mut Store,
    progress: impl FnMut(u64),
) -> Result<(), DatagenError> {
    let openings = Openings::new(&job.options.openings, job.options.random_plies, job.options.seed);
    let next = AtomicU64::new(job.games.start);
    let games = job.games.end.saturating_sub(job.games.start);
    let players = threads.clamp(1, usize::try_from(games).unwrap_or(usize::MAX).max(1));
    thread::scope(|scope| {
        let (sender, inbox) = channel();
        for number in 0..players {
            match start(scope, job, &openings, &next, number, sender.clone()) {
                Ok(()) => {}
                Err(error) if number == 0 => return Err(error.into()),
                Err(error) => {
                    log::warn!("could not start {players} players; using {number}: {error}");
                    break;
                }
            }
        }
        // The channel closes when the last thread drops its sender.
        drop(sender);
        let result = collect(job, inbox, store, progress);
        // After an error the games still running are of no use.
        job.control.stop();
        result
    })
}

/// Starts the thread of a player, which plays one game after the other.
fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    job: &'scope GameJob<'_>,
    openings: &'scope Openings<'_>,
    next: &'scope AtomicU64,
    number: usize,
    sender: Sender<Report>,
) -> Result<(), SearcherError> {
    let prepare = move || Player::new(number, job.control);
    let work = move |mut player: Player| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= job.games.end {
                return;
            }
            let Some(game) = play(number, job.options, openings, &mut player).transpose() else {
                return;
            };
            if sender.send((number, game)).is_err() {
                return;
            }
        }
    };
    start_prepared(scope, &format!("player {number}"), STACK_BYTES, prepare, work)?;
    Ok(())
}

/// Stores games as they finish, until there are no more or one has failed.
fn collect(
    job: &GameJob<'_>,
    inbox: Receiver<Report>,
    store: &mut Store,
    mut progress: impl FnMut(u64),
) -> Result<(), DatagenError> {
    let mut queue = Queue::new(job.games.start, store);
    let mut finished = job.games.start;
    let mut result = Ok(());
    for (number, game) in inbox {
        match game {
            Ok(game) => queue.put(number, game)?,
            Err(error) => {
                result = Err(error.into());
                break;
            }
        }
        finished += 1;
        progress(finished);
    }
    queue.write()?;
    result
}

/// Finished games on their way to the store.
struct Queue<'a> {
    store: &'a mut Store,
    finished: InOrder<Game>,
    /// Games in order, ready to be written.
    ready: Vec<Game>,
    written: Instant,
}

impl<'a> Queue<'a> {
    fn new(first: u64, store: &'a mut Store) -> Self {
        let finished = InOrder::new(first);
        Self { store, finished, ready: Vec::new(), written: Instant::now() }
    }

    fn put(&mut self, number: u64, game: Game) -> Result<(), DatagenError> {
        self.finished.add(number, game);
        self.ready.extend(std::iter::from_fn(|| self.finished.pop()));
        if self.written.elapsed() >= WRITE_INTERVAL { self.write() } else { Ok(()) }
    }

    /// Writes the games that are ready. Without any, it still checks that the file exists.
    fn write(&mut self) -> Result<(), DatagenError> {
        self.store.append(&self.ready)?;
        self.ready.clear();
        self.written = Instant::now();
        Ok(())
    }
}
