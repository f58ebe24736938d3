//! The thread that keeps the clock, so that the search never has to look at it.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use crate::search::control::Control;

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
    pub fn new() -> Self {
        let (watches, inbox) = channel::<Watch>();
        thread::spawn(move || {
            for watch in inbox {
                watch.control.stop_after(watch.time);
            }
        });
        Self { watches }
    }

    /// Stops the search once its clock has run for `time`, unless it ends first.
    pub fn watch(&self, control: &Arc<Control>, time: Duration) {
        let watch = Watch { control: Arc::clone(control), time };
        if self.watches.send(watch).is_err() {
            log::error!("the timer thread is gone; the search stops by itself between iterations");
        }
    }
}
