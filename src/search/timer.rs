//! The thread that keeps the clock, so that the search never has to look at it.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use crate::search::control::Control;
use crate::util::thread::{SMALL_STACK_BYTES, start};

/// Owns the timer thread, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Timer {
    watches: Sender<Watch>,
}

/// A search to be stopped after some time.
struct Watch {
    control: Arc<Control>,
    time: Duration,
}

impl Timer {
    /// Starts the timer thread.
    ///
    /// # Errors
    ///
    /// If the system refuses it.
    pub fn new() -> io::Result<Self> {
        let (watches, inbox) = channel::<Watch>();
        start("timer", SMALL_STACK_BYTES, move || {
            for watch in inbox {
                watch.control.stop_after(watch.time);
            }
        })?;
        Ok(Self { watches })
    }

    /// Stops the search once its clock has run for `time`, unless it ends first.
    pub fn watch(&self, control: &Arc<Control>, time: Duration) {
        let watch = Watch { control: Arc::clone(control), time };
        if self.watches.send(watch).is_err() {
            log::error!("the timer thread is gone; the search stops by itself between iterations");
        }
    }
}
