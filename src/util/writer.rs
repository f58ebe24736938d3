//! A thread that writes text to a target that may block.
//!
//! A client may not read, the standard error may be a pipe without a reader, and a log
//! file may be on a disk that hangs. A write to such a target never returns, and no other
//! thread must block with it. They leave their text with a [`Writer`], which holds it until
//! its own thread can write it. How much may wait, and what happens to the rest, is decided
//! by its user, with the help of what the user keeps beside the text.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::util::sync::{lock, wait, wait_until};
use crate::util::thread::{SMALL_STACK_BYTES, start};
use crate::util::timeouts;

/// Bytes written at a time. After each batch the target has made progress.
const BATCH_BYTES: usize = 32 << 10;

/// What a writer has still to write.
pub struct State<W> {
    /// Whole lines, each with its line break.
    pub text: Vec<u8>,
    /// Bytes that the thread is writing.
    pub writing: usize,
    /// What the user of the writer keeps beside the text.
    pub waiting: W,
    /// Whether nothing more will be written.
    pub closed: bool,
    /// When the target last accepted a batch, or when the first text came after a pause.
    progress: Instant,
}

impl<W> State<W> {
    /// Whether everything is written.
    pub fn is_idle(&self) -> bool {
        self.writing == 0 && self.text.is_empty()
    }
}

struct Shared<W> {
    state: Mutex<State<W>>,
    changed: Condvar,
}

/// Text for a target, and the thread that writes it. When the writer is dropped, the thread
/// writes what is left and ends.
pub struct Writer<W> {
    shared: Arc<Shared<W>>,
}

impl<W: Default + Send + 'static> Writer<W> {
    /// Starts the thread. An error of a write is passed to `failed` and ends it; nothing is
    /// written after that. `complete` is called with what waits beside each text that the thread
    /// takes, and may add to the text.
    pub fn start(
        name: &str,
        complete: impl Fn(&mut W, &mut Vec<u8>) + Send + 'static,
        mut target: impl Write + Send + 'static,
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        let state = Mutex::new(State {
            text: Vec::new(),
            writing: 0,
            waiting: W::default(),
            closed: false,
            progress: Instant::now(),
        });
        let shared = Arc::new(Shared { state, changed: Condvar::new() });
        let source = Arc::clone(&shared);
        start(name, SMALL_STACK_BYTES, move || {
            // Before the writer counts as idle: the process may end then.
            if let Err(error) = source.write_all(&mut target, complete) {
                failed(error);
            }
            source.close();
        })?;
        Ok(Self { shared })
    }

    /// The state, for a look.
    pub fn state(&self) -> MutexGuard<'_, State<W>> {
        lock(&self.shared.state)
    }

    /// Changes the state and wakes the thread.
    pub fn change<R>(&self, change: impl FnOnce(&mut State<W>) -> R) -> R {
        self.shared.change(|state| {
            if state.is_idle() {
                state.progress = Instant::now();
            }
            change(state)
        })
    }

    /// Waits until the state meets a condition, as long as the target accepts a batch every
    /// `timeout`, from now on. Returns whether it does.
    pub fn wait(&self, timeout: Duration, condition: impl Fn(&State<W>) -> bool) -> bool {
        self.wait_since(Some(Instant::now()), timeout, condition)
    }

    /// The same from `begin` on, or since the target last accepted something.
    pub fn wait_since(
        &self,
        begin: Option<Instant>,
        timeout: Duration,
        condition: impl Fn(&State<W>) -> bool,
    ) -> bool {
        let mut state = self.state();
        while !condition(&state) {
            let deadline = state.progress.max(begin.unwrap_or(state.progress)) + timeout;
            match wait_until(&self.shared.changed, state, deadline) {
                Some(woken) => state = woken,
                None => return false,
            }
        }
        true
    }

    /// Waits until everything is written, as long as the target accepts a batch every
    /// `timeout`.
    pub fn drain(&self, timeout: Duration) {
        self.wait(timeouts::BUSY, |state| state.writing > 0 || state.text.is_empty());
        self.wait(timeout, State::is_idle);
    }
}

impl<W> Drop for Writer<W> {
    fn drop(&mut self) {
        self.shared.change(|state| state.closed = true);
    }
}

impl<W> Shared<W> {
    fn change<R>(&self, change: impl FnOnce(&mut State<W>) -> R) -> R {
        let changed = change(&mut lock(&self.state));
        self.changed.notify_all();
        changed
    }
}

impl<W: Default> Shared<W> {
    /// Writes what comes until the writer is closed and has no text, or a write fails.
    fn write_all(
        &self,
        target: &mut impl Write,
        complete: impl Fn(&mut W, &mut Vec<u8>),
    ) -> io::Result<()> {
        loop {
            let mut state = lock(&self.state);
            while state.text.is_empty() {
                if state.closed {
                    return Ok(());
                }
                state = wait(&self.changed, state);
            }
            let mut text = mem::take(&mut state.text);
            complete(&mut state.waiting, &mut text);
            state.writing = text.len();
            state.progress = Instant::now();
            drop(state);
            self.changed.notify_all();
            for batch in text.chunks(BATCH_BYTES) {
                target.write_all(batch)?;
                target.flush()?;
                self.change(|state| {
                    state.progress = Instant::now();
                    state.writing -= batch.len();
                });
            }
        }
    }

    /// Forgets all text; none will be written any more.
    fn close(&self) {
        self.change(|state| {
            state.closed = true;
            state.writing = 0;
            state.text = Vec::new();
            state.waiting = W::default();
        });
    }
}
