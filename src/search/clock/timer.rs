//! The timer thread: it stops a search at its hard limit, so that no node reads the
//! clock.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use crate::search::clock::control::Control;
use crate::util::thread::{SMALL_STACK_BYTES, start};

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
    ///
    /// # Errors
    ///
    /// If the system cannot start the thread.
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
