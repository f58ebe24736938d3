//! The threads that play the games, and the thread that stores them in order.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::datagen::game::play;
use crate::datagen::opening::Openings;
use crate::datagen::player::Player;
use crate::datagen::store::Store;
use crate::datagen::{DatagenError, DatagenOptions};
use crate::search::{Control, STACK_BYTES};
use crate::util::tasks::Tasks;

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

/// Plays the games of a job, `threads` at a time or as many as the system has threads and
/// memory for, and stores them in order. `progress` is called with the number of finished
/// games, counted from game 0.
pub(super) fn play_all(
    job: &GameJob<'_>,
    threads: usize,
    store: &mut Store,
    mut progress: impl FnMut(u64),
) -> Result<(), DatagenError> {
    let openings = Openings::new(&job.options.openings, job.options.random_plies, job.options.seed);
    let games = Tasks {
        numbers: job.games.clone(),
        threads,
        name: "player",
        stack_bytes: STACK_BYTES,
        is_stopped: &|| job.control.is_stopped(),
    };
    let mut ready = Vec::new();
    let mut finished = job.games.start;
    let mut written = Instant::now();
    let result = games.in_order(
        |number| Ok(Player::new(number, job.control)?),
        |player, number| Ok(play(number, job.options, &openings, player)?),
        || job.control.stop(),
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
