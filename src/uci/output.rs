//! The way out: one thread that writes, so that nobody else has to wait for a
//! client that does not read.
//!
//! Everybody hands lines to an [`Output`] and goes on. Answers are kept until
//! they can be written, however many; reports of a running search are held back
//! while thousands of lines wait, because they are out of date by then, and only
//! the last of them comes before the next answer. When the client has closed its
//! end there is nobody to talk to, and the process ends.

use std::fmt::Display;
use std::io::{self, Write};
use std::mem;
use std::process;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::uci::transcript::{Speaker, Transcript};
use crate::util::sync::{lock, wait, wait_until};
use crate::util::thread::{SMALL_STACK_BYTES, start};

/// Lines that may wait before reports are held back.
const MAX_WAITING: usize = 4096;
/// Bytes written at a time. Small enough that [`Output::drain`] notices slow
/// progress, large enough to be quick.
const BATCH_BYTES: usize = 32 << 10;

#[derive(Default)]
struct State {
    /// Whole lines, each with its line break.
    text: Vec<u8>,
    lines: usize,
    /// The newest report of each line of play that has not been said, if the
    /// client is slow; empty text for none.
    held: Vec<String>,
    writing: bool,
    /// Batches written so far.
    batches: u64,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    transcript: Transcript,
}

/// A handle to the writing thread. Cheap to clone.
#[derive(Clone)]
pub(super) struct Output {
    shared: Arc<Shared>,
}

impl Output {
    /// Writes to the standard output, and ends the process when that is closed.
    pub fn to_stdout() -> io::Result<Self> {
        Self::start(io::stdout(), || process::exit(0))
    }

    fn start(
        mut sink: impl Write + Send + 'static,
        closed: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            transcript: Transcript::new(),
        });
        let source = Arc::clone(&shared);
        start("output", SMALL_STACK_BYTES, move || {
            if write_all(&source, &mut sink).is_err() {
                closed();
            }
        })?;
        Ok(Self { shared })
    }

    /// Says something that must not be lost. Lines without anything on them are
    /// left out: some clients stumble over them.
    pub fn answer(&self, text: impl Display) {
        self.push(&mut lock(&self.shared.state), &text.to_string());
    }

    /// Tells how a line of play, numbered from 0, stands now. A client that is
    /// slow may miss it if it soon stands differently.
    pub fn report(&self, line: usize, text: impl Display) {
        let mut state = lock(&self.shared.state);
        if state.lines < MAX_WAITING {
            return self.push(&mut state, &text.to_string());
        }
        if state.held.len() <= line {
            state.held.resize(line + 1, String::new());
        }
        state.held[line] = text.to_string();
    }

    /// Says something that the client may miss when it is slow.
    pub fn remark(&self, text: impl Display) {
        let mut state = lock(&self.shared.state);
        if state.lines < MAX_WAITING {
            self.push(&mut state, &text.to_string());
        }
    }

    /// The file that keeps the dialogue.
    pub fn transcript(&self) -> &Transcript {
        &self.shared.transcript
    }

    /// Appends what was held back, and then this.
    fn push(&self, state: &mut State, text: &str) {
        let held = mem::take(&mut state.held);
        for line in held.iter().map(String::as_str).chain(text.lines()).map(str::trim_end) {
            if line.is_empty() {
                continue;
            }
            self.shared.transcript.note(Speaker::Engine, line);
            state.text.extend_from_slice(line.as_bytes());
            state.text.push(b'\n');
            state.lines += 1;
        }
        self.shared.changed.notify_all();
    }

    /// Waits until everything is written, as long as something is written every
    /// `patience`.
    pub fn drain(&self, patience: Duration) {
        let mut state = lock(&self.shared.state);
        let mut deadline = Instant::now() + patience;
        while state.writing || !state.text.is_empty() {
            let batches = state.batches;
            match wait_until(&self.shared.changed, state, deadline) {
                Some(woken) => state = woken,
                None => return,
            }
            if state.batches > batches {
                deadline = Instant::now() + patience;
            }
        }
    }
}

/// Writes what comes, for ever, or until it cannot.
fn write_all(shared: &Shared, sink: &mut impl Write) -> io::Result<()> {
    loop {
        let mut state = lock(&shared.state);
        while state.text.is_empty() {
            state = wait(&shared.changed, state);
        }
        let text = mem::take(&mut state.text);
        state.lines = 0;
        state.writing = true;
        drop(state);
        for batch in text.chunks(BATCH_BYTES) {
            sink.write_all(batch)?;
            sink.flush()?;
            lock(&shared.state).batches += 1;
            shared.changed.notify_all();
        }
        lock(&shared.state).writing = false;
        shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver, Sender};

    use super::*;

    /// Passes on what is written, and blocks while nobody takes it.
    struct Pipe {
        sender: mpsc::SyncSender<Vec<u8>>,
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.sender.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn pipe() -> (Output, Receiver<Vec<u8>>, Receiver<()>) {
        let (sender, receiver) = mpsc::sync_channel(0);
        let (closed, closing): (Sender<()>, _) = mpsc::channel();
        let output = Output::start(Pipe { sender }, move || closed.send(()).unwrap()).unwrap();
        (output, receiver, closing)
    }

    fn received(receiver: &Receiver<Vec<u8>>, wanted: usize) -> String {
        let mut text = Vec::new();
        while text.len() < wanted {
            text.extend(receiver.recv().unwrap());
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn lines_come_in_order_and_none_is_empty() {
        let (output, receiver, _) = pipe();
        output.answer("first\n\nsecond\n");
        output.report(0, "third");
        assert_eq!(received(&receiver, 19), "first\nsecond\nthird\n");
        output.drain(Duration::from_secs(10));
    }

    #[test]
    fn a_reader_that_does_not_read_blocks_nobody() {
        let (output, receiver, _) = pipe();
        for number in 0..10 * MAX_WAITING {
            output.report(0, format_args!("first {number}"));
            output.report(1, format_args!("second {number}"));
            output.remark(number);
        }
        output.answer("answer");
        let begun = Instant::now();
        output.drain(Duration::from_millis(20));
        assert!(begun.elapsed() < Duration::from_secs(5));
        let mut text = String::new();
        while !text.contains("answer\n") {
            text += &received(&receiver, 1);
        }
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() <= 2 * MAX_WAITING + 3);
        let last = 10 * MAX_WAITING - 1;
        let last = [format!("first {last}"), format!("second {last}"), "answer".to_owned()];
        assert_eq!(lines[lines.len() - 3..], last, "the last word of each line is kept");
    }

    #[test]
    fn a_closed_reader_is_noticed() {
        let (output, receiver, closing) = pipe();
        drop(receiver);
        output.answer("anybody?");
        assert_eq!(closing.recv_timeout(Duration::from_secs(10)), Ok(()));
    }
}
