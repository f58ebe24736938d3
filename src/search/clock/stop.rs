//! Stopping a job of many searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

use crate::search::clock::control::Control;
use crate::util::sync::lock;

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
