//! The engine as a machine: what stands behind the protocol.
//!
//! An [`Engine`] holds the current position, the options and a search thread.
//! Its methods return at once; what takes time is queued and done in order by
//! the search thread, which tells a [`Listener`] about it. Nothing here prints
//! or parses the protocol, so that the same engine can be driven by a test or
//! by another front end.

mod engine_thread;
mod opening;
pub mod options;
mod queue;
pub mod request;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::chess::Position;
use crate::chess::notation::fen::FenWarning;
use crate::engine::options::{DEFAULT_HASH_MIB, Effect, OptionError, Settings};
use crate::engine::queue::{Job, Queue, SearchJob, SearchKind, Upkeep};
use crate::engine::request::{GoRequest, PositionError, PositionRequest, has_fixed_limit};
use crate::search::{Control, Limits, Outcome, Reporter, STACK_BYTES, Searcher, SearcherError};
use crate::util::{memory, thread};

pub use crate::engine::queue::QueueFull;

/// Told by the search thread what happens there.
pub trait Listener: Clone + Send + 'static {
    type Reporter: Reporter;

    /// A reporter for a search that is about to begin, which tells what these
    /// settings want to be told, and as they want it.
    fn reporter(&self, settings: &Settings) -> Self::Reporter;

    /// A search has ended, or could not begin because there was no position or
    /// none of the moves asked for was legal. Comes exactly once for each
    /// [`Engine::go`], in order.
    fn best_move(&self, outcome: Option<&Outcome>, chess960: bool);

    /// Something that was asked for could not be done.
    fn problem(&self, text: &str);

    /// Something that the user should know.
    fn notice(&self, text: &str);
}

impl Listener for () {
    type Reporter = ();

    fn reporter(&self, _: &Settings) {}
    fn best_move(&self, _: Option<&Outcome>, _: bool) {}
    fn problem(&self, _: &str) {}
    fn notice(&self, _: &str) {}
}

/// Why the engine could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    #[error("could not start a thread: {0}")]
    Thread(#[from] io::Error),
    #[error(transparent)]
    Searcher(#[from] SearcherError),
}

/// The state behind the protocol.
pub struct Engine {
    settings: Settings,
    /// `None` after a position was refused.
    position: Option<Arc<Position>>,
    queue: Arc<Queue>,
}

impl Engine {
    /// Starts the search thread, with the initial position and the declared
    /// options.
    ///
    /// # Errors
    ///
    /// If the system has no threads or no memory for it.
    pub fn start<L: Listener>(listener: L) -> Result<Self, StartError> {
        let searcher = Searcher::new(DEFAULT_HASH_MIB)?;
        let queue = Arc::new(Queue::default());
        let jobs = Arc::clone(&queue);
        thread::start("search", STACK_BYTES, move || {
            engine_thread::run(&jobs, searcher, listener)
        })?;
        let position = Some(Arc::new(Position::startpos()));
        Ok(Self { settings: Settings::defaults(), position, queue })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The current position, unless the last one given was refused.
    pub fn position(&self) -> Option<&Arc<Position>> {
        self.position.as_ref()
    }

    /// Sets an option. What the engine itself has to do is done or queued; the
    /// effect is returned for what the caller has to do or say.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        let effect = options::apply(&mut self.settings, name, value)?;
        match effect {
            Effect::ResizeHash(mib) => self.resize_hash(mib)?,
            Effect::SetThreads(threads) => {
                self.queue.push_upkeep(Upkeep { threads: Some(threads), ..Upkeep::default() });
            }
            Effect::OpenSyzygy(ref directories) => {
                let syzygy = Some(directories.clone());
                self.queue.push_upkeep(Upkeep { syzygy, ..Upkeep::default() });
            }
            Effect::OpenEgtb(ref folder) => {
                let egtb = Some(folder.clone());
                self.queue.push_upkeep(Upkeep { egtb, ..Upkeep::default() });
            }
            Effect::ClearHash => self.new_game(),
            Effect::OpenBook(ref path) => {
                self.queue.push_upkeep(Upkeep { books: vec![path.clone()], ..Upkeep::default() });
            }
            Effect::None | Effect::LogTo(_) => {}
        }
        Ok(effect)
    }

    fn resize_hash(&self, wanted: usize) -> Result<(), OptionError> {
        // What can never be had is refused at once; what is not free when the size is
        // changed, then.
        if let Some(available) = memory::total_mib().filter(|&available| wanted > available) {
            return Err(OptionError::HashTooLarge { wanted, available });
        }
        self.queue.push_upkeep(Upkeep { hash_sizes: vec![wanted], ..Upkeep::default() });
        Ok(())
    }

    /// Forgets what earlier searches learnt; the options stay.
    pub fn new_game(&self) {
        self.queue.push_upkeep(Upkeep { clear: true, ..Upkeep::default() });
    }

    /// Takes a position for the next search, or refuses it and has none.
    pub fn set_position(
        &mut self,
        request: Result<PositionRequest<'_>, PositionError>,
    ) -> Result<Vec<FenWarning>, PositionError> {
        self.position = None;
        let (position, warnings) = request?.build()?;
        self.position = Some(Arc::new(position));
        Ok(warnings)
    }

    /// The words among the moves to search that are no legal moves.
    pub fn illegal_search_moves<'a>(&self, request: &'a GoRequest<'a>) -> Vec<&'a str> {
        let position = self.position.as_ref();
        position.map_or_else(Vec::new, |position| request.legal_search_moves(position).1)
    }

    /// Queues a search of the current position, in which illegal moves to
    /// search are left out.
    pub fn go(&self, request: &GoRequest<'_>, start: Instant) -> Result<(), QueueFull> {
        let mut limits = Limits::default();
        if let Some(position) = &self.position {
            limits = request.limits(position.side_to_move());
            limits.search_moves = request.legal_search_moves(position).0;
        }
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
            start,
        };
        self.queue.push_search(Job::Search(job), control, kind)
    }

    /// Queues something else that takes long and looks at its control.
    pub fn run_task(
        &self,
        task: impl FnOnce(&Arc<Control>) + Send + 'static,
    ) -> Result<(), QueueFull> {
        let control = Control::new(Instant::now(), false);
        let job = Job::Task(Arc::clone(&control), Box::new(task));
        self.queue.push_search(job, control, SearchKind::Bounded)
    }

    /// Answers after the changes of options and tables that are under way, but
    /// never waits for a search.
    pub fn answer(&self, answer: impl FnOnce() + Send + 'static) {
        self.queue.answer(answer);
    }

    /// Ends every search that waits or runs; each still reports its move.
    pub fn stop(&self) {
        self.queue.stop_all();
    }

    /// The move pondered on was played.
    pub fn ponder_hit(&self) {
        self.queue.ponder_hit();
    }

    /// Finishes the searches that end by themselves, stops the others, and
    /// returns when all are done.
    pub fn finish(&self) {
        self.queue.stop_unbounded();
        self.queue.wait_until_idle(None);
    }

    /// Stops everything and returns when that is done, or when `patience` is
    /// over.
    pub fn shut_down(&self, patience: Duration) {
        self.queue.stop_all();
        self.queue.forget_upkeep();
        self.queue.wait_until_idle(Some(Instant::now() + patience));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.queue.stop_all();
        self.queue.close();
    }
}
