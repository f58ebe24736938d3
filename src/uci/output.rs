//! Output: one thread writes, so that no search waits for a client that does not read.
//!
//! The other threads hand lines to an [`Output`] and go on. Answers are kept until they
//! can be written. Reports of a running search are held back while thousands of lines
//! wait, because they are out of date by then; only the last report comes before the
//! next answer. When the client has closed its end, the process ends.
//!
//! No answer is dropped, but their memory has a bound: without room for another one, no command is
//! read until the client has read ([`Output::wait_for_room`]).

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::mem;
use std::process;
use std::sync::Arc;
use std::time::Duration;

use crate::uci::transcript::{self, Speaker, Transcript};
use crate::util::writer::{State, Writer};
use crate::util::{logging, stream};

/// Lines that may wait before reports are held back.
const MAX_WAITING: usize = 4096;
/// Bytes of answers that may wait before commands are no longer read.
const MAX_WAITING_BYTES: usize = 64 << 20;
/// What an answer takes in addition to its text, in bytes.
const ANSWER_BYTES: usize = 64;
/// The exit status when the standard output cannot be written.
const UNWRITABLE: i32 = 2;

/// What waits beside the lines to be written.
#[derive(Default)]
struct Later {
    /// The lines of the text.
    lines: usize,
    /// The latest report of each multi-PV line that was held back; empty for none.
    held: Vec<String>,
    /// Bytes of answers that will be written later.
    promised: usize,
}

fn has_room(state: &State<Later>) -> bool {
    state.text.len() + state.writing + state.waiting.promised < MAX_WAITING_BYTES
}

/// A handle to the writing thread. Cheap to clone.
#[derive(Clone)]
pub(super) struct Output {
    shared: Arc<Shared>,
}

struct Shared {
    writer: Writer<Later>,
    transcript: Transcript,
}

impl Output {
    /// Writes to the standard output, and ends the process when that is closed or
    /// cannot be written.
    pub fn to_stdout() -> io::Result<Self> {
        Self::start(stream::stdout(), |error| process::exit(leave(&error)))
    }

    fn start(
        target: impl Write + Send + 'static,
        closed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        let taken = |later: &mut Later, _: &mut Vec<u8>| later.lines = 0;
        let writer = Writer::start("output", taken, target, closed)?;
        Ok(Self { shared: Arc::new(Shared { writer, transcript: Transcript::new() }) })
    }

    /// Writes text that must not be lost, without its empty lines: some clients do not
    /// accept those.
    pub fn answer(&self, text: impl Display) {
        let text = text.to_string();
        self.change(|_| Some(text));
    }

    /// An answer for later, which the returned function writes. Its memory counts already.
    pub fn promise(&self, text: String) -> impl FnOnce() + Send + 'static {
        let (output, bytes) = (self.clone(), ANSWER_BYTES + text.len());
        self.shared.writer.state().waiting.promised += bytes;
        move || {
            output.shared.writer.state().waiting.promised -= bytes;
            output.answer(text);
        }
    }

    /// Reports a multi-PV line, numbered from 0. If the client is slow, a later report of
    /// the same line replaces this one.
    pub fn report(&self, line: usize, text: impl Display) {
        let text = text.to_string();
        self.change(|later| {
            if later.lines < MAX_WAITING {
                return Some(text);
            }
            if later.held.len() <= line {
                later.held.resize(line + 1, String::new());
            }
            later.held[line] = text;
            None
        });
    }

    /// Writes text that is dropped if the client is slow.
    pub fn report_droppable(&self, text: impl Display) {
        let text = text.to_string();
        self.change(|later| (later.lines < MAX_WAITING).then_some(text));
    }

    /// Waits until the client has read enough for more answers, as long as it reads something
    /// every `timeout`. Returns whether it has.
    pub fn wait_for_room(&self, timeout: Duration) -> bool {
        self.shared.writer.wait(timeout, has_room)
    }

    /// The file that keeps the dialogue.
    pub fn transcript(&self) -> &Transcript {
        &self.shared.transcript
    }

    /// Writes the text that `choose` returns, after the reports that were held back.
    fn change(&self, choose: impl FnOnce(&mut Later) -> Option<String>) {
        let logged = log::log_enabled!(target: transcript::LOG, log::Level::Debug);
        let written = self.shared.writer.change(|state| {
            let Some(text) = choose(&mut state.waiting) else { return Vec::new() };
            let begin = state.text.len();
            let held = mem::take(&mut state.waiting.held);
            for line in held.iter().map(String::as_str).chain(text.lines()).map(str::trim_end) {
                if line.is_empty() {
                    continue;
                }
                self.shared.transcript.note(Speaker::Engine, line);
                state.text.extend_from_slice(line.as_bytes());
                state.text.push(b'\n');
                state.waiting.lines += 1;
            }
            if logged { state.text[begin..].to_vec() } else { Vec::new() }
        });
        // After the lock is released: logging may be slow.
        for line in String::from_utf8_lossy(&written).lines() {
            transcript::log(Speaker::Engine, line);
        }
    }

    /// Waits until everything is written, as long as the client reads something every
    /// `timeout`.
    pub fn drain(&self, timeout: Duration) {
        self.shared.writer.drain(timeout);
    }
}

/// The exit status when the output cannot be written. A client that has gone is not an
/// error.
fn leave(error: &io::Error) -> i32 {
    let gone = matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset);
    if gone {
        logging::finish();
        return 0;
    }
    logging::report_error(&format_args!("cannot write to the standard output: {error}"));
    UNWRITABLE
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver, Sender};
    use std::thread;
    use std::time::Instant;

    use super::*;

    /// A channel without a buffer: writing blocks until the other end receives.
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
    fn a_client_that_does_not_read_blocks_no_thread() {
        let (output, receiver, _) = pipe();
        // From here on the writing thread waits for the client.
        output.answer("begin");
        assert!(output.shared.writer.wait(Duration::from_secs(60), |state| state.writing > 0));
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
        assert_eq!(lines[lines.len() - 3..], last, "the last report of each line is kept");
    }

    #[test]
    fn a_client_that_does_not_read_leaves_no_room() {
        let (output, receiver, _) = pipe();
        assert!(output.wait_for_room(Duration::ZERO));
        let answer = "x".repeat(1 << 20);
        let promise = output.promise("y".repeat(MAX_WAITING_BYTES / 2));
        assert!(output.wait_for_room(Duration::ZERO));
        (0..MAX_WAITING_BYTES / 2 / answer.len()).for_each(|_| output.answer(&answer));
        assert!(!output.wait_for_room(Duration::ZERO));
        assert!(!output.wait_for_room(Duration::from_millis(10)));
        promise();
        let reader = thread::spawn(move || received(&receiver, MAX_WAITING_BYTES).len());
        assert!(output.wait_for_room(Duration::from_secs(60)));
        // The last bytes stay unread.
        output.drain(Duration::from_millis(50));
        assert!(output.wait_for_room(Duration::ZERO));
        drop(output);
        assert!(reader.join().unwrap() >= MAX_WAITING_BYTES);
    }

    #[test]
    fn a_client_that_has_gone_is_not_an_error() {
        assert_eq!(leave(&ErrorKind::BrokenPipe.into()), 0);
        assert_eq!(leave(&ErrorKind::StorageFull.into()), UNWRITABLE);
    }
}
