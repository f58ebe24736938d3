//! The threads that play the games, and the thread that stores them in order.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::datagen::game::play;
use crate::datagen::opening::Openings;
use crate::datagen::player::Player;
use crate::datagen::store::Store;
use crate::datagen::{DatagenError, DatagenOptions};
use crate::search::{STACK_BYTES, Stop};
use crate::util::tasks::Tasks;

/// Time between writes. Each write waits for the disk, and gzip compresses a single game
/// badly; but games that are not yet written are lost if the program is killed.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// Plays the games of these numbers, `threads` at a time or as many as the system has threads and
/// memory for, and stores them in order, those that are finished when `stop` ends the run.
/// `progress` is called with the number of finished games.
pub(super) fn play_all(
    options: &DatagenOptions,
    games: Range<u64>,
    threads: usize,
    store: &mut Store,
    stop: &Stop,
    mut progress: impl FnMut(u64),
) -> Result<(), DatagenError> {
    let control = stop.control();
    let openings = Openings::new(&options.openings, options.random_plies, options.seed);
    let mut finished = 0;
    let games = Tasks {
        numbers: games,
        threads,
        name: "player",
        stack_bytes: STACK_BYTES,
        is_stopped: &|| control.is_stopped(),
    };
    let mut ready = Vec::new();
    let mut written = Instant::now();
    let result = games.in_order(
        |number| Ok(Player::new(number, &control)?),
        |player, number| Ok(play(number, options, &openings, player)?),
        || control.stop(),
        |game| {
            ready.push(game);
            if written.elapsed() >= WRITE_INTERVAL {
                store.append(&ready)?;
                ready.clear();
                written = Instant::now();
            }
            finished += 1;
            progress(finished);
            Ok(())
        },
    );
    match result {
        // The file has failed.
        Err(DatagenError::Store(_)) => {}
        // Without games, this still checks that the file exists.
        _ => store.append(&ready)?,
    }
    result.map(drop)
}
