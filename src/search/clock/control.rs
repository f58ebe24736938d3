//! The handle by which other threads control a running search.
//!
//! Each search has a [`Control`] of its own, shared by the search thread, the thread that
//! reads commands, and the timer. A `stop` can therefore not reach the wrong search, and
//! no flag has to be reset. The [`Timer`] stops a search at its hard limit, so that no node
//! reads the clock; a [`Stop`] ends a job of many searches.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

use crate::util::sync::{lock, wait, wait_until};
use crate::util::thread::{SMALL_STACK_BYTES, start};

/// Stops one search, or releases it from pondering.
#[derive(Debug)]
pub struct Control {
    /// When the search was requested, perhaps to ponder.
    start: Instant,
    stopped: AtomicBool,
    state: Mutex<ControlState>,
    changed: Condvar,
}

/// What sleeping threads wait for.
#[derive(Debug)]
struct ControlState {
    /// When the clock of the search started; `None` while it ponders.
    running_since: Option<Instant>,
    /// The current soft limit, from the start of the search.
    soft_limit: Option<Duration>,
    finished: bool,
}

impl Control {
    /// The control of a search whose clock starts at `start`, or at
    /// [`Control::ponderhit`] if it ponders.
    pub fn new(start: Instant, ponder: bool) -> Arc<Self> {
        let running_since = if ponder { None } else { Some(start) };
        Arc::new(Self {
            start,
            stopped: AtomicBool::new(false),
            state: Mutex::new(ControlState { running_since, soft_limit: None, finished: false }),
            changed: Condvar::new(),
        })
    }

    /// When the search was requested.
    pub fn start(&self) -> Instant {
        self.start
    }

    /// Stops the search.
    pub fn stop(&self) {
        // Under the lock, so that no thread misses it between its test and its sleep.
        let _state = lock(&self.state);
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The flag that [`Control::stop`] raises, for work that is not Lovec's search.
    pub fn flag(&self) -> &AtomicBool {
        &self.stopped
    }

    /// The expected move was played: the search becomes an ordinary one, and its clock
    /// starts. If it has already reached its soft limit, it stops.
    pub fn ponderhit(&self) {
        let mut state = lock(&self.state);
        if state.running_since.is_none() {
            state.running_since = Some(Instant::now());
            if state.soft_limit.is_some_and(|time| self.start.elapsed() >= time) {
                self.stopped.store(true, Ordering::Relaxed);
            }
            self.changed.notify_all();
        }
    }

    /// Sets the soft limit of the search, if it has one, and returns whether the limit is
    /// reached. A pondering search continues until the expected move is played.
    pub fn soft_limit_reached(&self, limit: Option<Duration>) -> bool {
        let mut state = lock(&self.state);
        state.soft_limit = limit;
        state.running_since.is_some() && limit.is_some_and(|time| self.start.elapsed() >= time)
    }

    /// Withdraws the soft limit until the end of the next iteration: the move to be played is
    /// being refuted, so that a `ponderhit` should not play it at once (as in Stockfish).
    pub fn withdraw_soft_limit(&self) {
        lock(&self.state).soft_limit = None;
    }

    pub fn is_pondering(&self) -> bool {
        lock(&self.state).running_since.is_none()
    }

    /// Waits until the search is stopped or, unless it is `infinite`, does not ponder.
    pub fn wait_until_released(&self, infinite: bool) {
        let mut state = lock(&self.state);
        while !self.is_stopped() && (infinite || state.running_since.is_none()) {
            state = wait(&self.changed, state);
        }
    }

    /// Marks the search as finished, which releases its timer.
    pub(crate) fn finish(&self) {
        lock(&self.state).finished = true;
        self.changed.notify_all();
    }

    /// Whether the search has finished and only its move is to be reported.
    pub(crate) fn is_finished(&self) -> bool {
        lock(&self.state).finished
    }

    /// Waits until the search has run for `time`, and stops it; returns early if it
    /// finishes. Pondering does not count.
    pub fn stop_after(&self, time: Duration) {
        let mut state = lock(&self.state);
        while !state.finished && !self.is_stopped() {
            let Some(since) = state.running_since else {
                state = wait(&self.changed, state);
                continue;
            };
            let deadline = since.checked_add(time);
            state = match deadline {
                None => wait(&self.changed, state),
                Some(deadline) => match wait_until(&self.changed, state, deadline) {
                    Some(woken) => woken,
                    None => return self.stop(),
                },
            };
        }
    }
}

/// Stops a whole job: its running searches and all later ones.
#[derive(Debug, Default)]
pub struct Stop {
    stopped: AtomicBool,
    /// The searches that may still run.
    searches: Mutex<Vec<Weak<Control>>>,
}

impl Stop {
    /// Stops every search of the job. A search whose first iteration is not complete
    /// completes it first.
    pub fn stop(&self) {
        // Under the lock, so that no search can begin between the two steps.
        let searches = lock(&self.searches);
        self.stopped.store(true, Ordering::Relaxed);
        searches.iter().filter_map(Weak::upgrade).for_each(|control| control.stop());
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The flag that [`Stop::stop`] raises, for work that is not a search.
    pub fn flag(&self) -> &AtomicBool {
        &self.stopped
    }

    /// A control for the next search of the job, whose clock starts now. It is already
    /// stopped if the job is.
    pub fn control(&self) -> Arc<Control> {
        let control = Control::new(Instant::now(), false);
        let mut searches = lock(&self.searches);
        searches.retain(|search| search.strong_count() > 0);
        searches.push(Arc::downgrade(&control));
        if self.is_stopped() {
            control.stop();
        }
        control
    }
}

/// Owns the timer thread, which ends when this is dropped.
#[derive(Debug)]
pub struct Timer {
    deadlines: Sender<Deadline>,
}

/// A search and its hard limit.
struct Deadline {
    control: Arc<Control>,
    time: Duration,
}

impl Timer {
    /// Starts the timer thread.
    pub fn new() -> io::Result<Self> {
        let (deadlines, inbox) = channel::<Deadline>();
        start("timer", SMALL_STACK_BYTES, move || {
            for deadline in inbox {
                deadline.control.stop_after(deadline.time);
            }
        })?;
        Ok(Self { deadlines })
    }

    /// Stops the search when its clock has run for `time`, unless it ends first.
    pub fn watch(&self, control: &Arc<Control>, time: Duration) {
        let deadline = Deadline { control: Arc::clone(control), time };
        if self.deadlines.send(deadline).is_err() {
            log::error!("the timer thread has ended; the search stops only between iterations");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_reaches_running_and_later_searches() {
        let stop = Stop::default();
        let running = [stop.control(), stop.control()];
        assert!(!stop.is_stopped() && running.iter().all(|control| !control.is_stopped()));
        stop.stop();
        assert!(stop.is_stopped() && running.iter().all(|control| control.is_stopped()));
        assert!(stop.control().is_stopped());
    }
}
