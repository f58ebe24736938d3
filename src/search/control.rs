//! The handle by which others reach a running search.
//!
//! Each search has a [`Control`] of its own, shared by the search thread, the
//! thread that reads commands and the timer. A `stop` can therefore never hit
//! the wrong search, and a flag never has to be reset.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::util::sync::{lock, wait, wait_until};

/// Stops one search, or releases it from pondering.
#[derive(Debug)]
pub struct Control {
    /// When the search was asked for. Time spent pondering counts as spent.
    start: Instant,
    stopped: AtomicBool,
    gate: Mutex<Gate>,
    changed: Condvar,
}

/// What threads that sleep on the search wait for.
#[derive(Debug)]
struct Gate {
    /// When the clock of the search began to run; `None` while it ponders.
    running_since: Option<Instant>,
    /// The time that the search deserves as it stands, counted from its start.
    deserved: Option<Duration>,
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
            gate: Mutex::new(Gate { running_since, deserved: None, finished: false }),
            changed: Condvar::new(),
        })
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        // Under the lock, so that no sleeper can miss it between its test and
        // its sleep.
        let _gate = lock(&self.gate);
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The flag that [`Control::stop`] raises, for work that is not a search and
    /// knows no more than a flag.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stopped
    }

    /// The expected move was played: from now on the search is an ordinary one,
    /// and its clock runs. If it has already thought long enough, it ends.
    pub fn ponderhit(&self) {
        let mut gate = lock(&self.gate);
        if gate.running_since.is_none() {
            gate.running_since = Some(Instant::now());
            if gate.deserved.is_some_and(|time| self.start.elapsed() >= time) {
                self.stopped.store(true, Ordering::Relaxed);
            }
            self.changed.notify_all();
        }
    }

    /// The search says how much time it deserves, if anything limits that, and
    /// is told whether to end. One that ponders goes on until the expected move
    /// is played.
    pub(super) fn has_spent(&self, deserved: Option<Duration>) -> bool {
        let mut gate = lock(&self.gate);
        gate.deserved = deserved;
        gate.running_since.is_some() && deserved.is_some_and(|time| self.start.elapsed() >= time)
    }

    pub fn is_pondering(&self) -> bool {
        lock(&self.gate).running_since.is_none()
    }

    /// Sleeps until the search is stopped or, unless it is `infinite`, no longer
    /// ponders.
    pub fn wait_until_released(&self, infinite: bool) {
        let mut gate = lock(&self.gate);
        while !self.is_stopped() && (infinite || gate.running_since.is_none()) {
            gate = wait(&self.changed, gate);
        }
    }

    /// Says that the search has ended, so that its timer may rest.
    pub(crate) fn finish(&self) {
        lock(&self.gate).finished = true;
        self.changed.notify_all();
    }

    /// Whether the search has ended, and has nothing more to say than its move.
    pub(crate) fn is_finished(&self) -> bool {
        lock(&self.gate).finished
    }

    /// Sleeps until the search has run for `time` and stops it then; returns
    /// early if it ends by itself. Pondering does not count.
    pub(super) fn stop_after(&self, time: Duration) {
        let mut gate = lock(&self.gate);
        while !gate.finished && !self.is_stopped() {
            let Some(since) = gate.running_since else {
                gate = wait(&self.changed, gate);
                continue;
            };
            let deadline = since.checked_add(time);
            gate = match deadline {
                None => wait(&self.changed, gate),
                Some(deadline) => match wait_until(&self.changed, gate, deadline) {
                    Some(woken) => woken,
                    None => return self.stop(),
                },
            };
        }
    }
}
