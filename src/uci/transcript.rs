//! A copy of the dialogue in a file: the option `Debug Log File`. The log of the program
//! has it too, at the level `debug`.
//!
//! The file may be a terminal or other device. A thread opens and writes it, so that
//! neither a disk that hangs nor a stopped terminal delays the dialogue. Lines that
//! cannot be written in time are dropped, and the file notes their number. A pipe is
//! refused, and so is the file from which the commands come, because the engine would
//! read its own output.

use std::fs::{File, OpenOptions};
use std::io;
use std::mem;
use std::sync::mpsc::{self, SendError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::util::line_queue::LineQueue;
use crate::util::stream::BlockingStream;
use crate::util::sync::lock;
use crate::util::timeouts;

/// The target of the dialogue in the log.
pub(super) const LOG: &str = module_path!();

/// The origin of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Speaker {
    Client,
    Engine,
}

impl Speaker {
    fn mark(self) -> &'static str {
        match self {
            Self::Client => ">>",
            Self::Engine => "<<",
        }
    }
}

/// The file, if one is open.
pub(super) struct Transcript {
    file: Mutex<Option<Arc<LineQueue>>>,
    start: Instant,
}

impl Transcript {
    pub fn new() -> Self {
        Self { file: Mutex::new(None), start: Instant::now() }
    }

    /// Appends to this file from now on; to none if the path is empty. If writing fails
    /// later, the file is closed and `failed` is called once.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or is refused; the old file stays open.
    pub fn open(
        &self,
        path: &str,
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<()> {
        let opened = if path.is_empty() { None } else { Some(self.start_file(path, failed)?) };
        let closed = mem::replace(&mut *lock(&self.file), opened);
        if let Some(closed) = closed {
            closed.drain(timeouts::CLOSE_FILE);
        }
        Ok(())
    }

    fn start_file(
        &self,
        path: &str,
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<Arc<LineQueue>> {
        let path = path.to_owned();
        // The channel has no buffer: an error is either received or goes to `failed`.
        let (sender, outcome) = mpsc::sync_channel(0);
        let open = move || match open_file(&path) {
            Ok(file) => {
                let _ = sender.send(Ok(()));
                Ok(Some(BlockingStream::new(file)))
            }
            Err(error) => match sender.send(Err(error)) {
                Err(SendError(Err(error))) => Err(error),
                _ => Ok(None),
            },
        };
        let start = self.start;
        let report = move |dropped| line(start, "--", &format!("{dropped} lines were dropped"));
        let file = LineQueue::start("log file", Duration::ZERO, report, open, failed)?;
        match outcome.recv_timeout(timeouts::MOMENT) {
            Ok(Err(error)) => Err(error),
            Ok(Ok(())) | Err(_) => Ok(Arc::new(file)),
        }
    }

    /// Writes a line with the seconds since the engine started. Never waits for the file.
    pub fn note(&self, speaker: Speaker, text: &str) {
        let file = lock(&self.file);
        if let Some(file) = &*file {
            file.push(line(self.start, speaker.mark(), text).as_bytes());
        }
    }

    /// Waits until everything is written, as long as something is written every
    /// `timeout`.
    pub fn drain(&self, timeout: Duration) {
        let file = lock(&self.file).clone();
        if let Some(file) = file {
            file.drain(timeout);
        }
    }
}

/// Writes a line to the log of the program.
pub(super) fn log(speaker: Speaker, text: &str) {
    log::debug!(target: LOG, "{} {}", speaker.mark(), text.trim_end());
}

fn line(start: Instant, mark: &str, text: &str) -> String {
    format!("{:9.3} {mark} {}\n", start.elapsed().as_secs_f64(), text.trim_end())
}

/// Opens a file for appending, unless it is refused.
#[cfg(unix)]
fn open_file(path: &str) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

    // Opening must not wait for the reader of a pipe, and a terminal must not become the
    // controlling terminal of this process.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = OpenOptions::new()
        .append(true)
        .create(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    let reason = if file.metadata()?.file_type().is_fifo() {
        "it is a pipe"
    } else if is_standard_input(&file) {
        "the commands come from it"
    } else {
        return Ok(file);
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
}

#[cfg(not(unix))]
fn open_file(path: &str) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
}

/// Whether the standard input is the same regular file. A terminal does not return what
/// is written to it.
#[cfg(unix)]
fn is_standard_input(file: &File) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    let input = io::stdin().as_fd().try_clone_to_owned();
    let input = input.and_then(|input| File::from(input).metadata());
    let (Ok(file), Ok(input)) = (file.metadata(), input) else { return false };
    file.is_file() && (file.dev(), file.ino()) == (input.dev(), input.ino())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn path(name: &str) -> String {
        let path = std::env::temp_dir().join(format!("lovec log {} {name}", std::process::id()));
        let _ = fs::remove_file(&path);
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_file_is_complete_when_it_is_closed() {
        let path = path("closed");
        let transcript = Transcript::new();
        transcript.note(Speaker::Client, "before");
        transcript.open(&path, |error| panic!("{error}")).unwrap();
        for _ in 0..1000 {
            transcript.note(Speaker::Client, "isready\r\n");
            transcript.note(Speaker::Engine, "readyok");
        }
        transcript.open("", |_| {}).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 2000);
        assert!(text.lines().next().unwrap().ends_with(" >> isready"), "{text}");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_opened_leaves_the_old_file() {
        let path = path("kept");
        let transcript = Transcript::new();
        transcript.open(&path, |error| panic!("{error}")).unwrap();
        let refused = transcript.open("/no/such/folder/file", |error| panic!("{error}"));
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::NotFound);
        transcript.note(Speaker::Engine, "readyok");
        transcript.drain(Duration::from_secs(60));
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
        fs::remove_file(path).unwrap();
    }
}
