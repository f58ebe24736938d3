//! The jobs that wait for the engine thread.
//!
//! The thread that reads commands must not wait for the search. Everything that takes time is
//! therefore a [`Job`] and is done in the order of the commands: a second `go` after
//! the first, a new hash size after the search that uses the old one. The queue also
//! holds what stops each search or task that waits or runs, because `stop` and the end of
//! input concern all of them.
//!
//! An answer waits only for searches that have been stopped, and for what comes before the
//! next search: changes and earlier answers. These have a queue of their own, so that an
//! answer can be appended to it even when searches wait.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use thiserror::Error;

use crate::chess::Position;
use crate::engine::change::{Change, Changes};
use crate::engine::options::Settings;
use crate::search::{Control, Limits, Stop};
use crate::util::sync::{lock, wait, wait_until};

/// Positions that waiting searches may hold together, including their games: less
/// than a gigabyte.
const MAX_POSITIONS: usize = 4_000_000;
/// What a search counts for without the history of its game, in positions.
const SEARCH_POSITIONS: usize = 16;

/// A search is refused because too many wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("too many searches are waiting; this one is ignored")]
pub struct QueueFull;

/// Work for the engine thread.
pub(super) enum Job {
    Search(SearchJob),
    /// Long work other than a single search, such as perft. It ends soon after it is stopped.
    Task(Box<dyn FnOnce() + Send>),
    Changes(Changes),
    /// Something short that has to come after the jobs before it.
    Answer(Box<dyn FnOnce() + Send>),
}

impl Job {
    /// Whether it is a search or a long task, which can be stopped.
    fn is_search(&self) -> bool {
        matches!(self, Self::Search(_) | Self::Task(_))
    }

    fn positions(&self) -> usize {
        let Self::Search(SearchJob { position: Some(position), .. }) = self else {
            return SEARCH_POSITIONS;
        };
        SEARCH_POSITIONS + position.plies()
    }
}

/// A search with everything that it needs, so that later commands do not change it.
pub(super) struct SearchJob {
    /// `None` if the last position was refused.
    pub position: Option<Arc<Position>>,
    pub limits: Limits,
    pub settings: Settings,
    pub control: Arc<Control>,
}

impl SearchJob {
    /// The position, unless there is nothing to search: no position, or no legal move
    /// among the moves to search.
    pub fn searchable(&self) -> Option<&Position> {
        let forbidden = self.limits.search_moves.as_ref().is_some_and(Vec::is_empty);
        self.position.as_deref().filter(|_| !forbidden)
    }
}

/// How a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchKind {
    /// At a fixed limit. It is finished even when the input has ended.
    Bounded,
    /// By the clock of a game.
    Clock,
    /// When it is stopped.
    Endless,
}

/// What stops a search or a long task.
pub(super) enum StopHandle {
    Search(Arc<Control>),
    Task(Arc<Stop>),
}

/// A search, or another long task, that waits or runs.
struct PendingSearch {
    handle: StopHandle,
    kind: SearchKind,
    positions: usize,
}

impl PendingSearch {
    fn stop(&self) {
        match &self.handle {
            StopHandle::Search(control) => control.stop(),
            StopHandle::Task(stop) => stop.stop(),
        }
    }

    fn is_stopped(&self) -> bool {
        match &self.handle {
            StopHandle::Search(control) => control.is_stopped(),
            StopHandle::Task(stop) => stop.is_stopped(),
        }
    }

    /// Whether it is a search whose move is about to be reported.
    fn is_finished(&self) -> bool {
        matches!(&self.handle, StopHandle::Search(control) if control.is_finished())
    }

    fn is_pondering(&self) -> bool {
        matches!(&self.handle, StopHandle::Search(control) if control.is_pondering())
    }

    /// Whether only a command can end it.
    fn is_endless(&self) -> bool {
        self.kind == SearchKind::Endless || self.is_pondering()
    }
}

/// What the engine thread does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Running {
    #[default]
    Nothing,
    /// A search or a long task.
    Search,
    /// Changes, or an answer.
    Other,
}

#[derive(Default)]
struct State {
    /// Changes and answers before the next search.
    before_search: VecDeque<Job>,
    /// The next search that waits, and the jobs after it up to the last answer; empty if there
    /// is none.
    to_answer: VecDeque<Job>,
    /// The jobs after these: the next search that waits if there are none. An answer before
    /// them moves none of them.
    after_answer: VecDeque<Job>,
    /// The searches among the jobs, and the running search, oldest first.
    searches: VecDeque<PendingSearch>,
    /// How many of them, the oldest, have been stopped: a second `stop` does not look at
    /// a long queue again.
    stopped: usize,
    /// The positions that the searches hold together.
    positions: usize,
    running: Running,
    /// When the last search or long task ended.
    free_since: Option<Instant>,
    closed: bool,
}

impl State {
    fn stop_all(&mut self) {
        self.searches.range(self.stopped..).for_each(|search| search.stop());
        self.stopped = self.searches.len();
    }

    /// Whether an answer has to wait. A running search delays no answer unless it has
    /// finished and is about to leave the thread, or has been stopped: a client that sends
    /// `stop` and `isready` together takes a `bestmove` after `readyok` for the answer to its
    /// next `go`.
    fn delays_answers(&self) -> bool {
        match self.running {
            Running::Nothing => !self.before_search.is_empty(),
            Running::Search => self
                .searches
                .front()
                .is_none_or(|search| search.is_finished() || search.is_stopped()),
            Running::Other => true,
        }
    }

    /// The queue whose end is the end of all jobs.
    fn last(&mut self) -> &mut VecDeque<Job> {
        if self.no_search_waits() { &mut self.before_search } else { &mut self.after_answer }
    }

    fn no_search_waits(&self) -> bool {
        self.to_answer.is_empty() && self.after_answer.is_empty()
    }

    /// The queue that begins with the next search that waits, if one does.
    fn search_queue(&mut self) -> &mut VecDeque<Job> {
        if self.to_answer.is_empty() { &mut self.after_answer } else { &mut self.to_answer }
    }

    /// Takes the next job. If that is a search, the jobs up to the search after it move
    /// to `before_search`.
    fn pop(&mut self) -> Option<Job> {
        if let Some(job) = self.before_search.pop_front() {
            return Some(job);
        }
        let search = self.search_queue().pop_front()?;
        while self.search_queue().front().is_some_and(|job| !job.is_search()) {
            let job = self.search_queue().pop_front();
            self.before_search.extend(job);
        }
        Some(search)
    }

    fn is_idle(&self) -> bool {
        self.running == Running::Nothing && self.before_search.is_empty() && self.no_search_waits()
    }

    /// Starts the clock of a search when the search before it has ended, if that is later
    /// than the arrival of its command: two searches of a second take two seconds.
    fn start_clock(&mut self, job: &mut SearchJob) {
        let Some(free) = self.free_since.filter(|&free| free > job.control.start()) else { return };
        if job.control.is_pondering() {
            return;
        }
        let control = Control::new(free, false);
        if job.control.is_stopped() {
            control.stop();
        }
        if let Some(search) = self.searches.front_mut() {
            search.handle = StopHandle::Search(Arc::clone(&control));
        }
        job.control = control;
    }
}

/// Shared by the thread that reads commands and the engine thread.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

impl Queue {
    /// Appends a search or a long task. An endless search before it is stopped, since it
    /// would never end; there is at most one.
    pub fn push_search(
        &self,
        job: Job,
        handle: StopHandle,
        kind: SearchKind,
    ) -> Result<(), QueueFull> {
        let mut state = lock(&self.state);
        let positions = job.positions();
        if state.positions + positions > MAX_POSITIONS && !state.searches.is_empty() {
            return Err(QueueFull);
        }
        state.positions += positions;
        if let Some(newest) = state.searches.back().filter(|newest| newest.is_endless()) {
            newest.stop();
        }
        state.searches.push_back(PendingSearch { handle, kind, positions });
        state.after_answer.push_back(job);
        self.changed.notify_all();
        Ok(())
    }

    pub fn push_change(&self, change: Change) {
        let mut state = lock(&self.state);
        let jobs = state.last();
        if !matches!(jobs.back(), Some(Job::Changes(_))) {
            jobs.push_back(Job::Changes(Changes::default()));
        }
        if let Some(Job::Changes(changes)) = jobs.back_mut() {
            changes.push(change);
        }
        self.changed.notify_all();
    }

    /// Answers at once if the engine thread is idle or searches, otherwise after what comes
    /// before the next search. If every search has been stopped, the answer comes after all
    /// of them, which is soon.
    pub fn answer(&self, answer: impl FnOnce() + Send + 'static) {
        let mut state = lock(&self.state);
        let all_end = state.searches.back().is_some_and(|newest| newest.is_stopped());
        if !all_end && state.to_answer.is_empty() && !state.delays_answers() {
            drop(state);
            return answer();
        }
        let job = Job::Answer(Box::new(answer));
        let state = &mut *state;
        if all_end && !state.no_search_waits() {
            state.to_answer.append(&mut state.after_answer);
            state.to_answer.push_back(job);
        } else if !state.to_answer.is_empty() {
            state.to_answer.push_back(job);
        } else {
            state.before_search.push_back(job);
        }
        self.changed.notify_all();
    }

    /// Waits for the next job; `None` once the queue is closed and empty.
    pub fn next(&self) -> Option<Job> {
        let mut state = lock(&self.state);
        loop {
            if let Some(mut job) = state.pop() {
                state.running = if job.is_search() { Running::Search } else { Running::Other };
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

    /// The job that [`Queue::next`] returned is done.
    pub fn done(&self) {
        let mut state = lock(&self.state);
        if mem::take(&mut state.running) == Running::Search {
            let positions = state.searches.pop_front().map_or(0, |search| search.positions);
            state.positions -= positions;
            state.stopped = state.stopped.saturating_sub(1);
            state.free_since = Some(Instant::now());
        }
        self.changed.notify_all();
    }

    /// No job will be appended any more.
    pub fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }

    /// Stops every search that waits or runs.
    pub fn stop_all(&self) {
        lock(&self.state).stop_all();
    }

    /// Stops the searches without a fixed limit.
    pub fn stop_unbounded(&self) {
        let state = lock(&self.state);
        let unbounded = |s: &&PendingSearch| s.kind != SearchKind::Bounded || s.is_endless();
        state.searches.iter().filter(unbounded).for_each(|search| search.stop());
    }

    /// The move that the newest search ponders on was played. Older searches that ponder
    /// have been stopped.
    pub fn ponder_hit(&self) {
        let state = lock(&self.state);
        if let Some(StopHandle::Search(control)) = state.searches.back().map(|it| &it.handle) {
            control.ponderhit();
        }
    }

    /// Drops the changes that wait: no search will follow.
    pub fn drop_changes(&self) {
        let mut state = lock(&self.state);
        let state = &mut *state;
        for jobs in [&mut state.before_search, &mut state.to_answer, &mut state.after_answer] {
            jobs.retain(|job| !matches!(job, Job::Changes(_)));
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
