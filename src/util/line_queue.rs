//! Lines on their way to somebody who may never read them.
//!
//! The standard error may be a pipe or a terminal that nobody reads, and a log file
//! may lie on a disk that hangs. A write to such a target waits for ever, and whoever
//! logs must not wait with it. A [`LineQueue`] therefore has a thread of its own
//! that writes, and keeps a bounded number of bytes for it. What does not fit is
//! dropped, and when the target takes lines again, one line says how many are
//! missing.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::util::sync::{lock, wait, wait_until};
use crate::util::thread::{SMALL_STACK_BYTES, start};

/// Bytes that may wait. As many again may be on their way.
const MAX_BYTES: usize = 4 << 20;
/// Bytes written at a time. After each batch the queue has made progress.
const BATCH_BYTES: usize = 32 << 10;

struct State {
    /// Whole lines, each with its line break.
    text: Vec<u8>,
    /// Lines dropped since the thread last took the text.
    dropped: u64,
    writing: bool,
    /// Whether somebody has waited for room in vain since the last progress.
    stalled: bool,
    /// When the target last took a batch, or when the first line came after a pause.
    progress: Instant,
    /// Whether there will be no more lines, or nobody to write them.
    closed: bool,
}

impl State {
    fn is_idle(&self) -> bool {
        self.text.is_empty() && self.dropped == 0 && !self.writing
    }

    /// A line of any length has room in an empty queue. Behind a line that was
    /// dropped no other has room, or the number of the missing lines would come at
    /// the wrong place.
    fn has_room(&self, line: &[u8]) -> bool {
        self.dropped == 0 && (self.text.is_empty() || self.text.len() + line.len() <= MAX_BYTES)
    }
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    patience: Duration,
}

/// A bounded queue of lines and the thread that writes them. When the queue is
/// dropped, the thread writes what is left and ends.
pub struct LineQueue {
    shared: Arc<Shared>,
}

impl LineQueue {
    /// Starts the thread.
    ///
    /// It first calls `open`, which may take any time, and ends if that gives nothing
    /// to write to. An error of that, or of a later write, is passed to `failed`, and
    /// ends it as well. Lines that come after its end are ignored. `report` makes the
    /// line that says how many lines were dropped. `patience` is how long
    /// [`LineQueue::push`] may wait for room; zero for not at all.
    ///
    /// # Errors
    ///
    /// If the system has no thread to give.
    pub fn start<W: Write>(
        name: &str,
        patience: Duration,
        open: impl FnOnce() -> io::Result<Option<W>> + Send + 'static,
        report: impl Fn(u64) -> String + Send + 'static,
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        let state = Mutex::new(State {
            text: Vec::new(),
            dropped: 0,
            writing: false,
            stalled: false,
            progress: Instant::now(),
            closed: false,
        });
        let shared = Arc::new(Shared { state, changed: Condvar::new(), patience });
        let source = Arc::clone(&shared);
        start(name, SMALL_STACK_BYTES, move || {
            let written = open().and_then(|sink| match sink {
                Some(mut sink) => write_all(&source, &mut sink, &report),
                None => Ok(()),
            });
            // Before the queue counts as empty: who waits for that may leave the process.
            if let Err(error) = written {
                failed(error);
            }
            source.close();
        })?;
        Ok(Self { shared })
    }

    /// Appends a line, which ends in a line break, or drops it if there is no room.
    pub fn push(&self, line: &[u8]) {
        let mut state = lock(&self.shared.state);
        while !state.closed && !state.has_room(line) && !state.stalled {
            let deadline = state.progress + self.shared.patience;
            state = match wait_until(&self.shared.changed, state, deadline) {
                Some(state) => state,
                None => {
                    state = lock(&self.shared.state);
                    state.stalled = true;
                    state
                }
            };
        }
        if state.closed {
            return;
        }
        if state.is_idle() {
            state.progress = Instant::now();
        }
        if state.has_room(line) {
            state.text.extend_from_slice(line);
        } else {
            state.dropped += 1;
        }
        self.shared.changed.notify_all();
    }

    /// Waits until every line is written, as long as the target takes something every
    /// `patience`. Returns at once if it has taken nothing for longer than that.
    pub fn drain(&self, patience: Duration) {
        let mut state = lock(&self.shared.state);
        while !state.closed && !state.is_idle() {
            let deadline = state.progress + patience;
            match wait_until(&self.shared.changed, state, deadline) {
                Some(woken) => state = woken,
                None => return,
            }
        }
    }
}

impl Drop for LineQueue {
    fn drop(&mut self) {
        lock(&self.shared.state).closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    /// No line will be written any more.
    fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        state.writing = false;
        state.dropped = 0;
        state.text = Vec::new();
        self.changed.notify_all();
    }
}

/// Writes what comes until the queue is closed and empty, or until a write fails.
fn write_all(
    shared: &Shared,
    sink: &mut impl Write,
    report: &impl Fn(u64) -> String,
) -> io::Result<()> {
    loop {
        let mut state = lock(&shared.state);
        while state.text.is_empty() && state.dropped == 0 {
            if state.closed {
                return Ok(());
            }
            state = wait(&shared.changed, state);
        }
        let mut text = mem::take(&mut state.text);
        let dropped = mem::take(&mut state.dropped);
        state.writing = true;
        drop(state);
        shared.changed.notify_all();
        if dropped > 0 {
            text.extend_from_slice(report(dropped).as_bytes());
        }
        for batch in text.chunks(BATCH_BYTES) {
            sink.write_all(batch)?;
            sink.flush()?;
            let mut state = lock(&shared.state);
            state.progress = Instant::now();
            state.stalled = false;
            drop(state);
            shared.changed.notify_all();
        }
        lock(&shared.state).writing = false;
        shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::{self, Receiver, SyncSender};
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    /// Passes on what is written, and blocks while nobody takes it.
    struct Pipe(SyncSender<Vec<u8>>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn queue(patience: Duration) -> (LineQueue, Receiver<Vec<u8>>, Receiver<io::Error>) {
        let (sender, receiver) = mpsc::sync_channel(0);
        let (failed, failure) = mpsc::channel();
        let report = |count| format!("{count} dropped\n");
        let failed = move |error| failed.send(error).unwrap();
        let open = move || Ok(Some(Pipe(sender)));
        (LineQueue::start("test", patience, open, report, failed).unwrap(), receiver, failure)
    }

    #[test]
    fn lines_come_in_order_and_a_closed_queue_is_emptied() {
        let (queue, receiver, _) = queue(Duration::ZERO);
        for number in 0..100 {
            queue.push(format!("{number}\n").as_bytes());
        }
        drop(queue);
        let text: Vec<u8> = receiver.iter().flatten().collect();
        let expected: String = (0..100).map(|number| format!("{number}\n")).collect();
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn a_target_that_takes_nothing_holds_nobody_up_and_every_line_is_accounted_for() {
        let (queue, receiver, _) = queue(Duration::ZERO);
        let line = [&[b'x'; 999][..], b"\n"].concat();
        let pushed = 3 * MAX_BYTES / line.len();
        let begun = Instant::now();
        (0..pushed).for_each(|_| queue.push(&line));
        queue.drain(Duration::from_millis(10));
        assert!(begun.elapsed() < LONG);
        drop(queue);
        let text: Vec<u8> = receiver.iter().flatten().collect();
        let text = String::from_utf8(text).unwrap();
        let (kept, reports): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with('x'));
        let count = |report: &&str| report.strip_suffix(" dropped").unwrap().parse::<usize>();
        let dropped: usize = reports.iter().map(|report| count(report).unwrap()).sum();
        assert!(dropped > 0);
        assert_eq!(kept.len() + dropped, pushed);
        assert!(text.len() <= 2 * MAX_BYTES + 100);
    }

    #[test]
    fn whoever_has_patience_loses_nothing_to_a_slow_target() {
        let (queue, receiver, _) = queue(LONG);
        let line = [&[b'x'; 999][..], b"\n"].concat();
        let pushed = 3 * MAX_BYTES / line.len();
        let reader = thread::spawn(move || receiver.iter().flatten().count());
        (0..pushed).for_each(|_| queue.push(&line));
        drop(queue);
        assert_eq!(reader.join().unwrap(), pushed * line.len());
    }

    #[test]
    fn patience_is_lost_once() {
        let (queue, _receiver, _) = queue(Duration::from_millis(50));
        let line = vec![b'x'; MAX_BYTES];
        let begun = Instant::now();
        (0..100).for_each(|_| queue.push(&line));
        assert!(begun.elapsed() >= Duration::from_millis(40));
        assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_failure_is_reported_before_the_queue_is_drained() {
        let reported = Arc::new(AtomicBool::new(false));
        let report = Arc::clone(&reported);
        let failed = move |_| {
            thread::sleep(Duration::from_millis(20));
            report.store(true, Ordering::Relaxed);
        };
        let (sender, receiver) = mpsc::sync_channel(0);
        drop(receiver);
        let open = move || Ok(Some(Pipe(sender)));
        let queue = LineQueue::start("test", LONG, open, |_| String::new(), failed).unwrap();
        queue.push(b"lost\n");
        queue.drain(LONG);
        assert!(reported.load(Ordering::Relaxed));
    }

    #[test]
    fn a_failure_is_told_once_and_ends_the_queue() {
        let (queue, receiver, failure) = queue(LONG);
        drop(receiver);
        queue.push(b"line\n");
        assert_eq!(failure.recv_timeout(LONG).unwrap().kind(), io::ErrorKind::BrokenPipe);
        (0..10).for_each(|_| queue.push(&vec![b'x'; MAX_BYTES]));
        queue.drain(LONG);
    }
}
