//! A queue of lines for a target that may block.
//!
//! The standard error may be a pipe without a reader, and a log file may be on a disk
//! that hangs. A write to such a target never returns, and the thread that logs must
//! not block with it. A [`LineQueue`] therefore writes on a thread of its own and holds
//! a limited number of bytes. Lines that do not fit are dropped; when the target
//! accepts lines again, one line reports how many are missing.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::util::sync::{lock, wait, wait_until};
use crate::util::thread::{SMALL_STACK_BYTES, start};

/// Bytes that may wait. As many again may be in the process of being written.
const MAX_BYTES: usize = 4 << 20;
/// Bytes written at a time. After each batch the queue has made progress.
const BATCH_BYTES: usize = 32 << 10;

struct State {
    /// Whole lines, each with its line break.
    text: Vec<u8>,
    /// Lines dropped since the thread last took the text.
    dropped: u64,
    writing: bool,
    /// Whether a `push` has timed out since the last progress.
    stalled: bool,
    /// When the target last accepted a batch, or when the first line came after a pause.
    progress: Instant,
    /// Whether no more lines will come, or the thread has ended.
    closed: bool,
}

impl State {
    fn is_idle(&self) -> bool {
        self.text.is_empty() && self.dropped == 0 && !self.writing
    }

    /// A line of any length fits an empty queue. After a dropped line nothing fits, so
    /// that the count of missing lines is reported in the right place.
    fn has_room(&self, line: &[u8]) -> bool {
        self.dropped == 0 && (self.text.is_empty() || self.text.len() + line.len() <= MAX_BYTES)
    }
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    timeout: Duration,
}

/// A bounded queue of lines and the thread that writes them. When the queue is
/// dropped, the thread writes what is left and ends.
pub struct LineQueue {
    shared: Arc<Shared>,
}

impl LineQueue {
    /// Starts the thread.
    ///
    /// It first calls `open`, which may block, and ends if that returns `None`. An error
    /// of `open` or of a later write is passed to `failed` and ends it as well. Lines
    /// that come after its end are ignored. `report` makes the line with the number of
    /// dropped lines. [`LineQueue::push`] waits for room while the target makes progress
    /// every `timeout`; zero for not at all.
    ///
    /// # Errors
    ///
    /// If the system refuses a thread.
    pub fn start<W: Write>(
        name: &str,
        timeout: Duration,
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
        let shared = Arc::new(Shared { state, changed: Condvar::new(), timeout });
        let source = Arc::clone(&shared);
        start(name, SMALL_STACK_BYTES, move || {
            let written = open().and_then(|sink| match sink {
                Some(mut sink) => write_all(&source, &mut sink, &report),
                None => Ok(()),
            });
            // Before the queue counts as empty: the process may end then.
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
            let deadline = state.progress + self.shared.timeout;
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

    /// Waits until every line is written, as long as the target accepts a batch every
    /// `timeout`.
    pub fn drain(&self, timeout: Duration) {
        let mut state = lock(&self.shared.state);
        while !state.closed && !state.is_idle() {
            let deadline = state.progress + timeout;
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
    /// Drops all lines; no line will be written any more.
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

    /// Passes on what is written, and blocks until it is received.
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

    fn queue(timeout: Duration) -> (LineQueue, Receiver<Vec<u8>>, Receiver<io::Error>) {
        let (sender, receiver) = mpsc::sync_channel(0);
        let (failed, failure) = mpsc::channel();
        let report = |count| format!("{count} dropped\n");
        let failed = move |error| failed.send(error).unwrap();
        let open = move || Ok(Some(Pipe(sender)));
        (LineQueue::start("test", timeout, open, report, failed).unwrap(), receiver, failure)
    }

    #[test]
    fn lines_come_in_order_and_a_dropped_queue_is_written_to_the_end() {
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
    fn a_blocked_target_blocks_no_caller_and_every_line_is_counted() {
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
    fn with_a_timeout_a_slow_target_gets_every_line() {
        let (queue, receiver, _) = queue(LONG);
        let line = [&[b'x'; 999][..], b"\n"].concat();
        let pushed = 3 * MAX_BYTES / line.len();
        let reader = thread::spawn(move || receiver.iter().flatten().count());
        (0..pushed).for_each(|_| queue.push(&line));
        drop(queue);
        assert_eq!(reader.join().unwrap(), pushed * line.len());
    }

    #[test]
    fn a_caller_times_out_once() {
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
    fn a_failure_is_reported_once_and_ends_the_queue() {
        let (queue, receiver, failure) = queue(LONG);
        drop(receiver);
        queue.push(b"line\n");
        assert_eq!(failure.recv_timeout(LONG).unwrap().kind(), io::ErrorKind::BrokenPipe);
        (0..10).for_each(|_| queue.push(&vec![b'x'; MAX_BYTES]));
        queue.drain(LONG);
    }
}
