//! The way out: one thread that writes, so that nobody else has to wait for a
//! client that does not read.
//!
//! Everybody hands lines to an [`Output`] and goes on. Answers are kept until
//! they can be written; reports of a running search are held back
//! while thousands of lines wait, because they are out of date by then, and only
//! the last of them comes before the next answer. When the client has closed its
//! end there is nobody to talk to, and the process ends.
//!
//! No answer is dropped, but the memory for them has a bound: once
//! [`Output::has_room`] says no, the reader of commands does no more of them until
//! the client has read.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::mem;
use std::process;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::uci::transcript::{self, Speaker, Transcript};
use crate::util::logging;
use crate::util::stream;
use crate::util::sync::{lock, wait, wait_until};
use crate::util::thread::{SMALL_STACK_BYTES, start};

/// Lines that may wait before reports are held back.
const MAX_WAITING: usize = 4096;
/// Bytes of answers that may wait before no more commands are done.
const MAX_WAITING_BYTES: usize = 64 << 20;
/// What an answer takes besides its text, in bytes.
const ANSWER_BYTES: usize = 64;
/// Bytes written at a time. Small enough that [`Output::drain`] notices slow
/// progress, large enough to be quick.
const BATCH_BYTES: usize = 32 << 10;
/// The exit status when the standard output cannot be written.
const UNWRITABLE: i32 = 2;

#[derive(Default)]
struct State {
    /// Whole lines, each with its line break.
    text: Vec<u8>,
    lines: usize,
    /// The newest report of each line of play that has not been said, if the
    /// client is slow; empty text for none.
    held: Vec<String>,
    /// Bytes that the thread has taken and not yet written.
    writing: usize,
    /// Bytes of answers that will be said later.
    promised: usize,
    /// Batches written so far.
    batches: u64,
}

impl State {
    fn has_room(&self) -> bool {
        self.text.len() + self.writing + self.promised < MAX_WAITING_BYTES
    }
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

/// An answer that is to be said later, but takes its part of the memory now.
pub(super) struct Promise {
    output: Output,
    text: String,
}

impl Promise {
    fn bytes(&self) -> usize {
        ANSWER_BYTES + self.text.len()
    }

    /// Says it.
    pub fn keep(self) {
        lock(&self.output.shared.state).promised -= self.bytes();
        self.output.answer(self.text);
    }
}

impl Output {
    /// Writes to the standard output, and ends the process when that is closed or
    /// cannot be written.
    pub fn to_stdout() -> io::Result<Self> {
        Self::start(stream::stdout(), |error| process::exit(leave(&error)))
    }

    fn start(
        mut sink: impl Write + Send + 'static,
        closed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            transcript: Transcript::new(),
        });
        let source = Arc::clone(&shared);
        start("output", SMALL_STACK_BYTES, move || {
            if let Err(error) = write_all(&source, &mut sink) {
                closed(error);
            }
        })?;
        Ok(Self { shared })
    }

    /// Says something that must not be lost. Lines without anything on them are
    /// left out: some clients stumble over them.
    pub fn answer(&self, text: impl Display) {
        let text = text.to_string();
        self.change(|_| Some(text));
    }

    /// Something to be said later, which must not be lost either.
    pub fn promise(&self, text: String) -> Promise {
        let promise = Promise { output: self.clone(), text };
        lock(&self.shared.state).promised += promise.bytes();
        promise
    }

    /// Tells how a line of play, numbered from 0, stands now. A client that is
    /// slow may miss it if it soon stands differently.
    pub fn report(&self, line: usize, text: impl Display) {
        let text = text.to_string();
        self.change(|state| {
            if state.lines < MAX_WAITING {
                return Some(text);
            }
            if state.held.len() <= line {
                state.held.resize(line + 1, String::new());
            }
            state.held[line] = text;
            None
        });
    }

    /// Says something that the client may miss when it is slow.
    pub fn report_droppable(&self, text: impl Display) {
        let text = text.to_string();
        self.change(|state| (state.lines < MAX_WAITING).then_some(text));
    }

    /// Whether the client has read enough for more answers.
    pub fn has_room(&self) -> bool {
        lock(&self.shared.state).has_room()
    }

    /// Waits for room, as long as something is written every `patience`; tells
    /// whether there is any.
    pub fn wait_for_room(&self, patience: Duration) -> bool {
        self.wait(patience, State::has_room)
    }

    /// The file that keeps the dialogue.
    pub fn transcript(&self) -> &Transcript {
        &self.shared.transcript
    }

    /// Says what `choose` gives, if anything, after what was held back.
    fn change(&self, choose: impl FnOnce(&mut State) -> Option<String>) {
        let logged = log::log_enabled!(target: transcript::LOG, log::Level::Debug);
        let mut state = lock(&self.shared.state);
        let Some(text) = choose(&mut state) else { return };
        let begin = state.text.len();
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
        let said = if logged { state.text[begin..].to_vec() } else { Vec::new() };
        drop(state);
        self.shared.changed.notify_all();
        // Not while anybody could be waiting for the lock.
        for line in String::from_utf8_lossy(&said).lines() {
            transcript::log(Speaker::Engine, line);
        }
    }

    /// Waits until everything is written, as long as something is written every
    /// `patience`.
    pub fn drain(&self, patience: Duration) {
        self.wait(patience, |state| state.writing == 0 && state.text.is_empty());
    }

    fn wait(&self, patience: Duration, condition: impl Fn(&State) -> bool) -> bool {
        let mut state = lock(&self.shared.state);
        let mut deadline = Instant::now() + patience;
        while !condition(&state) {
            let batches = state.batches;
            match wait_until(&self.shared.changed, state, deadline) {
                Some(woken) => state = woken,
                None => return false,
            }
            if state.batches > batches {
                deadline = Instant::now() + patience;
            }
        }
        true
    }
}

/// Nothing can be said any more: the status to leave with. A client that has gone
/// is no failure.
fn leave(error: &io::Error) -> i32 {
    let gone = matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset);
    if gone {
        logging::finish();
        return 0;
    }
    logging::report_error(&format_args!("cannot write to the standard output: {error}"));
    UNWRITABLE
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
        state.writing = text.len();
        drop(state);
        for batch in text.chunks(BATCH_BYTES) {
            sink.write_all(batch)?;
            sink.flush()?;
            let mut state = lock(&shared.state);
            state.batches += 1;
            state.writing -= batch.len();
            drop(state);
            shared.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver, Sender};
    use std::thread;

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
        let output = Output::start(Pipe { sender }, move |_| closed.send(()).unwrap()).unwrap();
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
            output.report_droppable(number);
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

    #[test]
    fn a_reader_that_does_not_read_leaves_no_room() {
        let (output, receiver, _) = pipe();
        assert!(output.has_room());
        let answer = "x".repeat(1 << 20);
        let promise = output.promise("y".repeat(MAX_WAITING_BYTES / 2));
        assert!(output.has_room());
        (0..MAX_WAITING_BYTES / 2 / answer.len()).for_each(|_| output.answer(&answer));
        assert!(!output.has_room());
        assert!(!output.wait_for_room(Duration::from_millis(10)));
        promise.keep();
        let reader = thread::spawn(move || received(&receiver, MAX_WAITING_BYTES).len());
        assert!(output.wait_for_room(Duration::from_secs(60)));
        // The last bytes are left: nobody reads them.
        output.drain(Duration::from_millis(50));
        assert!(output.has_room());
        drop(output);
        assert!(reader.join().unwrap() >= MAX_WAITING_BYTES);
    }

    #[test]
    fn only_a_client_that_has_gone_is_no_failure() {
        assert_eq!(leave(&ErrorKind::BrokenPipe.into()), 0);
        assert_eq!(leave(&ErrorKind::StorageFull.into()), UNWRITABLE);
    }
}
