//! A queue of lines that drops what does not fit.
//!
//! The thread that logs must not block with its target. Lines for which there is no room
//! are dropped; when the target accepts lines again, one line reports how many are missing.

use std::io::{self, Write};
use std::mem;
use std::time::Duration;

use crate::util::writer::{State, Writer};

/// Bytes that may wait. As many again may be in the process of being written.
const MAX_BYTES: usize = 4 << 20;

/// A bounded queue of lines and the thread that writes them. When the queue is
/// dropped, the thread writes what is left and ends.
pub struct LineQueue {
    /// Beside the text: the number of lines dropped since the thread last took it.
    writer: Writer<u64>,
    timeout: Duration,
}

impl LineQueue {
    /// Starts the thread, as [`Writer::start`] says. [`LineQueue::push`] waits for room while
    /// the target makes progress every `timeout`; zero for not at all. `report` makes the line
    /// with the number of dropped ones.
    pub fn start(
        name: &str,
        timeout: Duration,
        report: impl Fn(u64) -> String + Send + 'static,
        target: impl Write + Send + 'static,
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        let complete = move |dropped: &mut u64, text: &mut Vec<u8>| {
            if *dropped > 0 {
                text.extend_from_slice(report(mem::take(dropped)).as_bytes());
            }
        };
        Ok(Self { writer: Writer::start(name, complete, target, failed)?, timeout })
    }

    /// Appends a line, which ends in a line break, or drops it if there is no room.
    pub fn push(&self, line: &[u8]) {
        self.writer.wait_since(None, self.timeout, |state| state.closed || has_room(state, line));
        self.writer.change(|state| {
            if state.closed {
                return;
            }
            if has_room(state, line) {
                state.text.extend_from_slice(line);
            } else {
                state.waiting += 1;
            }
        });
    }

    /// Waits until every line is written, as long as the target accepts a batch every
    /// `timeout`.
    pub fn drain(&self, timeout: Duration) {
        self.writer.drain(timeout);
    }
}

/// A line of any length fits an empty queue. After a dropped line nothing fits, so that the
/// count of missing lines is reported in the right place.
fn has_room(state: &State<u64>, line: &[u8]) -> bool {
    let dropped = state.waiting;
    dropped == 0 && (state.text.is_empty() || state.text.len() + line.len() <= MAX_BYTES)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::{self, Receiver, SyncSender};
    use std::thread;
    use std::time::Instant;

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

    fn report(lines: u64) -> String {
        format!("{lines} dropped\n")
    }

    fn queue(timeout: Duration) -> (LineQueue, Receiver<Vec<u8>>, Receiver<io::Error>) {
        let (sender, receiver) = mpsc::sync_channel(0);
        let (failed, failure) = mpsc::channel();
        let failed = move |error| failed.send(error).unwrap();
        (
            LineQueue::start("test", timeout, report, Pipe(sender), failed).unwrap(),
            receiver,
            failure,
        )
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
        let set = Arc::clone(&reported);
        let failed = move |_| {
            thread::sleep(Duration::from_millis(20));
            set.store(true, Ordering::Relaxed);
        };
        let (sender, receiver) = mpsc::sync_channel(0);
        drop(receiver);
        let queue = LineQueue::start("test", LONG, report, Pipe(sender), failed).unwrap();
        queue.push(b"lost\n");
        queue.drain(LONG);
        assert!(reported.load(Ordering::Relaxed));
    }
}
