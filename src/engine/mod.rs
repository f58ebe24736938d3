//! The engine behind the protocol.
//!
//! An [`Engine`] holds the current position, the options and the engine thread. Its
//! methods return at once, but for the two that end it; what takes time is queued and done in
//! order by the engine thread, which reports to a [`Listener`]. Nothing here prints or parses
//! the protocol, so that a test or another front end can use the same engine.

pub mod change;
mod engine_thread;
mod listener;
mod opening;
pub mod options;
mod player;
mod queue;
pub mod request;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::chess::notation::fen::FenWarning;
use crate::chess::{Color, Position};
use crate::engine::change::Change;
use crate::engine::options::{DEFAULT_HASH_MIB, Effect, OPTIONS, OptionError, Settings, UciOption};
use crate::engine::player::Player;
use crate::engine::queue::{Job, Queue, SearchJob, SearchKind, StopHandle};
use crate::engine::request::{GoRequest, PositionError, PositionRequest, has_fixed_limit};
use crate::search::{Control, Limits, STACK_BYTES, Searcher, SearcherError, Stop};
use crate::util::{memory, thread};

pub use crate::engine::listener::Listener;
pub use crate::engine::player::OtherSearch;
pub use crate::engine::queue::QueueFull;

/// The position, the options and the engine thread.
pub struct Engine {
    settings: Settings,
    /// `None` if the last position was refused.
    position: Option<Arc<Position>>,
    queue: Arc<Queue>,
    /// The names of the options; `None` for all.
    options: Option<&'static [&'static str]>,
}

impl Engine {
    /// Starts an engine with the playing search, the initial position and the default
    /// options.
    pub fn start<L: Listener>(listener: L) -> Result<Self, SearcherError> {
        let searcher = Searcher::new(DEFAULT_HASH_MIB)?;
        Self::start_player(listener, None, move || Player::Lovec(searcher))
    }

    /// Starts an engine with some of the options and another search, which `search` makes on
    /// the engine thread.
    pub fn start_other<L: Listener>(
        listener: L,
        options: &'static [&'static str],
        search: impl FnOnce() -> OtherSearch + Send + 'static,
    ) -> Result<Self, SearcherError> {
        Self::start_player(listener, Some(options), move || Player::Other(search()))
    }

    fn start_player<L: Listener>(
        listener: L,
        options: Option<&'static [&'static str]>,
        player: impl FnOnce() -> Player + Send + 'static,
    ) -> Result<Self, SearcherError> {
        let queue = Arc::new(Queue::default());
        let jobs = Arc::clone(&queue);
        thread::start("search", STACK_BYTES, move || {
            engine_thread::run(&jobs, player(), listener)
        })?;
        let position = Some(Arc::new(Position::startpos()));
        Ok(Self { settings: Settings::defaults(), position, queue, options })
    }

    /// The options, in the order of [`OPTIONS`].
    pub fn options(&self) -> impl Iterator<Item = &'static UciOption> {
        let names = self.options;
        OPTIONS.iter().filter(move |option| names.is_none_or(|names| names.contains(&option.name)))
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The current position, unless the last one given was refused.
    pub fn position(&self) -> Option<&Arc<Position>> {
        self.position.as_ref()
    }

    /// Sets an option, and queues the change that it causes. Returns what is left for the
    /// caller to do.
    ///
    /// # Errors
    ///
    /// If the option or its value is refused; the old value stays.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        let is_own = self.options().any(|option| option.name.eq_ignore_ascii_case(name));
        if self.options.is_some() && !is_own {
            return Err(OptionError::unknown(name, self.options()));
        }
        match options::apply(&mut self.settings, name, value)? {
            Effect::Change(change) => {
                check_memory(&change)?;
                self.queue.push_change(change);
                Ok(Effect::None)
            }
            other => Ok(other),
        }
    }

    /// Clears the transposition table and the histories; the options stay.
    pub fn new_game(&self) {
        self.queue.push_change(Change::Clear);
    }

    /// Sets the position for the next search. A refused request leaves no position.
    pub fn set_position(
        &mut self,
        request: Result<PositionRequest<'_>, PositionError>,
    ) -> Result<Vec<FenWarning>, PositionError> {
        self.position = None;
        let (position, warnings) = request?.build()?;
        self.position = Some(Arc::new(position));
        Ok(warnings)
    }

    /// The words among the moves to search that are not legal moves.
    pub fn illegal_search_moves<'a>(&self, request: &'a GoRequest<'a>) -> Vec<&'a str> {
        let position = self.position.as_ref();
        position.map_or_else(Vec::new, |position| request.legal_search_moves(position).1)
    }

    /// Queues a search of the current position. Illegal moves to search are left out.
    pub fn go(&self, request: &GoRequest<'_>, start: Instant) -> Result<(), QueueFull> {
        let position = self.position.as_deref();
        let limits = Limits {
            search_moves: position.and_then(|position| request.legal_search_moves(position).0),
            ..request.limits(position.map_or(Color::White, |position| position.side_to_move()))
        };
        let kind = match &limits {
            limits if limits.infinite => SearchKind::Endless,
            limits if has_fixed_limit(limits) => SearchKind::Bounded,
            _ => SearchKind::Clock,
        };
        let control = Control::new(start, limits.ponder);
        let job = SearchJob {
            position: self.position.clone(),
            limits,
            settings: self.settings.clone(),
            control: Arc::clone(&control),
        };
        self.queue.push_search(Job::Search(job), StopHandle::Search(control), kind)
    }

    /// Queues other long work, which has to end when it is stopped. Each of its searches has a
    /// control of its own.
    pub fn run_task(
        &self,
        task: impl FnOnce(&Arc<Stop>) + Send + 'static,
    ) -> Result<(), QueueFull> {
        let stop = Arc::new(Stop::default());
        let handle = StopHandle::Task(Arc::clone(&stop));
        let job = Job::Task(Box::new(move || task(&stop)));
        self.queue.push_search(job, handle, SearchKind::Bounded)
    }

    /// Answers after the changes that are under way and the searches that have been stopped. No
    /// other search delays an answer.
    pub fn answer(&self, answer: impl FnOnce() + Send + 'static) {
        self.queue.answer(answer);
    }

    /// Stops every search that waits or runs; each still reports its move.
    pub fn stop(&self) {
        self.queue.stop_all();
    }

    /// The move pondered on was played.
    pub fn ponder_hit(&self) {
        self.queue.ponder_hit();
    }

    /// Finishes the searches with a fixed limit, stops the others, and returns when all
    /// are done.
    pub fn finish(&self) {
        self.queue.stop_unbounded();
        self.queue.wait_until_idle(None);
    }

    /// Stops everything and returns when that is done, or after `timeout`.
    pub fn shut_down(&self, timeout: Duration) {
        self.queue.stop_all();
        self.queue.drop_changes();
        self.queue.wait_until_idle(Some(Instant::now() + timeout));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.queue.stop_all();
        self.queue.close();
    }
}

/// Refuses at once what takes more than the memory of the machine. Whether the memory is free
/// is seen when the change is made.
fn check_memory(change: &Change) -> Result<(), OptionError> {
    let (option, wanted) = match *change {
        Change::HashSize(mib) => ("Hash", mib),
        Change::Threads(count) => {
            ("Threads", (count as u64 * Searcher::THREAD_BYTES).div_ceil(1 << 20) as usize)
        }
        _ => return Ok(()),
    };
    match memory::total_mib() {
        Some(available) if wanted > available => {
            Err(OptionError::ExceedsMemory { option, wanted, available })
        }
        _ => Ok(()),
    }
}
