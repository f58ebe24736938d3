//! The jobs that wait for the search thread.
//!
//! The thread that reads commands must never wait, so that everything that
//! takes time becomes a [`Job`] and is done in the order of the commands: a
//! second `go` after the first, a new hash size after the search that uses the
//! old one. The queue also knows the [`Control`] of each search that waits or
//! runs, because `stop` and the end of input have to reach all of them.
//!
//! An answer never waits for a search. It waits for what comes before the next
//! search: changes of options and tables, and earlier answers. These have a queue
//! of their own, so that an answer goes to its end even when searches wait.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use thiserror::Error;

use crate::chess::Position;
use crate::engine::options::Settings;
use crate::search::{Control, Limits};
use crate::util::sync::{lock, wait, wait_until};

/// How much may wait at a time, measured in [`Job::weight`]: more than any
/// script asks for, and no more than about a gigabyte.
const MAX_WEIGHT: usize = 4_000_000;
/// What a search weighs besides the history of its game.
const BASE_WEIGHT: usize = 16;

/// Too many searches wait already; the memory for still more of them would have
/// no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("too many searches are waiting; this one is ignored")]
pub struct QueueFull;

/// Long work other than a search. It looks at its control now and then.
pub(super) type LongTask = Box<dyn FnOnce(&Arc<Control>) + Send>;

/// Work for the search thread.
pub(super) enum Job {
    Search(SearchJob),
    /// Something else that takes long and can be stopped, such as perft.
    Task(Arc<Control>, LongTask),
    Upkeep(Upkeep),
    /// Something short that has to come after the jobs before it.
    Answer(Box<dyn FnOnce() + Send>),
}

impl Job {
    /// The memory that it holds on to, in positions.
    fn weight(&self) -> usize {
        let position = match self {
            Self::Search(job) => job.position.as_ref(),
            Self::Task(..) | Self::Upkeep(_) | Self::Answer(_) => None,
        };
        BASE_WEIGHT + position.map_or(0, |position| position.plies())
    }

    /// Whether it is a search or a task, which can be stopped and has a search.
    fn is_search(&self) -> bool {
        matches!(self, Self::Search(_) | Self::Task(..))
    }
}

/// A search with all it needs, so that commands which come later cannot change
/// it.
pub(super) struct SearchJob {
    /// `None` when no valid position is known.
    pub position: Option<Arc<Position>>,
    pub limits: Limits,
    pub settings: Settings,
    pub control: Arc<Control>,
    /// When the command arrived.
    pub start: Instant,
}

impl SearchJob {
    /// The position, unless there is nothing to search: none is known, or none
    /// of the moves asked for is legal.
    pub fn searchable(&self) -> Option<&Position> {
        let forbidden = self.limits.search_moves.as_ref().is_some_and(Vec::is_empty);
        self.position.as_deref().filter(|_| !forbidden)
    }
}

/// Changes of the searcher's tables and threads, and of the book. Neighbouring ones
/// are done together, so that a client which tries many sizes in a row does not wait
/// for each.
#[derive(Default)]
pub(super) struct Upkeep {
    /// Hash sizes asked for. The last counts; one that cannot be had leaves the
    /// one before it.
    pub hash_sizes: Vec<usize>,
    /// How many threads are to search.
    pub threads: Option<usize>,
    /// The directories whose Syzygy tables to use.
    pub syzygy: Option<String>,
    /// The folder whose own tables to use.
    pub egtb: Option<String>,
    pub clear: bool,
    /// Books asked for. The last counts; one that cannot be opened leaves the one
    /// before it.
    pub books: Vec<String>,
}

impl Upkeep {
    fn merge(&mut self, later: Self) {
        self.hash_sizes.extend(later.hash_sizes);
        self.threads = later.threads.or(self.threads);
        self.syzygy = later.syzygy.or(self.syzygy.take());
        self.egtb = later.egtb.or(self.egtb.take());
        self.clear |= later.clear;
        self.books.extend(later.books);
    }
}

/// How long a search may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchKind {
    /// It is worth finishing even when the client has gone.
    Bounded,
    /// It ends by itself, but belongs to a game that somebody has to play.
    Clock,
    /// It ends when it is stopped.
    Endless,
}

/// A search, or another long task, that waits or runs.
struct PendingSearch {
    control: Arc<Control>,
    kind: SearchKind,
    weight: usize,
}

impl PendingSearch {
    /// Whether only the client can end it.
    fn is_endless(&self) -> bool {
        self.kind == SearchKind::Endless || self.control.is_pondering()
    }
}

/// What the search thread does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Running {
    #[default]
    Nothing,
    /// A search or a long task.
    Search,
    /// A change of tables, or an answer.
    Upkeep,
}

#[derive(Default)]
struct State {
    /// Upkeep and answers before the next search, done first.
    before_search: VecDeque<Job>,
    /// The next search that waits, and all that comes after it.
    from_search: VecDeque<Job>,
    /// The searches among the jobs and the one that runs, oldest first.
    searches: VecDeque<PendingSearch>,
    /// How many of them, the oldest, have been stopped. A client that floods
    /// the engine makes long queues, and stopping must not get slow there.
    stopped: usize,
    /// What they weigh together.
    weight: usize,
    running: Running,
    /// When the last search or long task ended.
    free_since: Option<Instant>,
    closed: bool,
}

impl State {
    fn stop_all(&mut self) {
        self.searches.range(self.stopped..).for_each(|search| search.control.stop());
        self.stopped = self.searches.len();
    }

    /// Whether something has to be done before the next answer. A search has not,
    /// except one that has just said its move: its thread is done with it at once.
    fn holds_answers_up(&self) -> bool {
        match self.running {
            Running::Nothing => !self.before_search.is_empty(),
            Running::Search => self.searches.front().is_none_or(|t| t.control.is_finished()),
            Running::Upkeep => true,
        }
    }

    /// The queue whose end is the end of all jobs.
    fn last(&mut self) -> &mut VecDeque<Job> {
        if self.from_search.is_empty() { &mut self.before_search } else { &mut self.from_search }
    }

    /// Takes the next job. What is between a search and the one after it comes before
    /// the next search from now on.
    fn pop(&mut self) -> Option<Job> {
        if let Some(job) = self.before_search.pop_front() {
            return Some(job);
        }
        let search = self.from_search.pop_front()?;
        while self.from_search.front().is_some_and(|job| !job.is_search()) {
            self.before_search.extend(self.from_search.pop_front());
        }
        Some(search)
    }

    fn is_idle(&self) -> bool {
        let waiting = self.before_search.len() + self.from_search.len();
        self.running == Running::Nothing && waiting == 0
    }

    /// The clock of a search runs from the arrival of its command, but not while
    /// an earlier search has the thread: whoever asks for two searches of a
    /// second means two seconds.
    fn start_clock(&mut self, job: &mut SearchJob) {
        let Some(free) = self.free_since.filter(|&free| free > job.start) else { return };
        if job.control.is_pondering() {
            return;
        }
        let control = Control::new(free, false);
        if job.control.is_stopped() {
            control.stop();
        }
        if let Some(search) = self.searches.front_mut() {
            search.control = Arc::clone(&control);
        }
        (job.start, job.control) = (free, control);
    }
}

/// Shared by the thread that reads commands and the one that searches.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

impl Queue {
    /// Appends a search or a long task. An endless search before it is stopped,
    /// or its turn would never come; there can be one at most.
    pub fn push_search(
        &self,
        job: Job,
        control: Arc<Control>,
        kind: SearchKind,
    ) -> Result<(), QueueFull> {
        let mut state = lock(&self.state);
        let weight = job.weight();
        if state.weight + weight > MAX_WEIGHT && !state.searches.is_empty() {
            return Err(QueueFull);
        }
        state.weight += weight;
        if let Some(newest) = state.searches.back().filter(|newest| newest.is_endless()) {
            newest.control.stop();
        }
        state.searches.push_back(PendingSearch { control, kind, weight });
        state.from_search.push_back(job);
        self.changed.notify_all();
        Ok(())
    }

    pub fn push_upkeep(&self, upkeep: Upkeep) {
        let mut state = lock(&self.state);
        let jobs = state.last();
        match jobs.back_mut() {
            Some(Job::Upkeep(waiting)) => waiting.merge(upkeep),
            _ => jobs.push_back(Job::Upkeep(upkeep)),
        }
        self.changed.notify_all();
    }

    /// Answers at once if nothing is under way, or if a search is, for which
    /// the client must not wait; otherwise after what comes before the next search.
    pub fn answer(&self, answer: impl FnOnce() + Send + 'static) {
        let mut state = lock(&self.state);
        if !state.holds_answers_up() {
            drop(state);
            return answer();
        }
        state.before_search.push_back(Job::Answer(Box::new(answer)));
        self.changed.notify_all();
    }

    /// The next job, as soon as there is one; `None` when there will be none.
    pub fn next(&self) -> Option<Job> {
        let mut state = lock(&self.state);
        loop {
            if let Some(mut job) = state.pop() {
                state.running = if job.is_search() { Running::Search } else { Running::Upkeep };
                if let Job::Search(search) = &mut job {
                    state.start_clock(search);
                }
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state = wait(&self.changed, state);
        }
    }

    /// The job that [`Queue::next`] gave is done.
    pub fn done(&self) {
        let mut state = lock(&self.state);
        if mem::take(&mut state.running) == Running::Search {
            let weight = state.searches.pop_front().map_or(0, |search| search.weight);
            state.weight -= weight;
            state.stopped = state.stopped.saturating_sub(1);
            state.free_since = Some(Instant::now());
        }
        self.changed.notify_all();
    }

    /// No job will come any more.
    pub fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }

    /// Stops every search that waits or runs.
    pub fn stop_all(&self) {
        lock(&self.state).stop_all();
    }

    /// Stops the searches that nobody waits for once the client has gone.
    pub fn stop_unbounded(&self) {
        let state = lock(&self.state);
        let unbounded = |t: &&PendingSearch| t.kind != SearchKind::Bounded || t.is_endless();
        state.searches.iter().filter(unbounded).for_each(|search| search.control.stop());
    }

    /// Tells the newest search that the move it ponders on was played. An older
    /// one that ponders has been stopped.
    pub fn ponder_hit(&self) {
        if let Some(newest) = lock(&self.state).searches.back() {
            newest.control.ponderhit();
        }
    }

    /// Forgets the changes of tables that have not been begun: nobody will
    /// search with them.
    pub fn forget_upkeep(&self) {
        let mut state = lock(&self.state);
        let state = &mut *state;
        for jobs in [&mut state.before_search, &mut state.from_search] {
            jobs.retain(|job| !matches!(job, Job::Upkeep(_)));
        }
        self.changed.notify_all();
    }

    /// Waits until every job is done, or until the deadline if there is one.
    pub fn wait_until_idle(&self, deadline: Option<Instant>) {
        let mut state = lock(&self.state);
        while !state.is_idle() {
            state = match deadline {
                None => wait(&self.changed, state),
                Some(deadline) => match wait_until(&self.changed, state, deadline) {
                    Some(state) => state,
                    None => return,
                },
            };
        }
    }
}
