//! The dialogue in a file, for finding out what a client and the engine said to
//! each other: the option `Debug Log File`. The log has it too, at the level
//! `debug`.
//!
//! The file may be anything that can be opened at once: a terminal is as good as a
//! file on a disk. A thread opens and writes it, so that neither a disk that hangs
//! nor a terminal that is stopped holds the dialogue up. Lines that the file does
//! not take in time are dropped, and their number is noted there. Refused are a pipe
//! and the file from which the commands come: the engine would read there what it
//! has written.

use std::fs::{File, OpenOptions};
use std::io;
use std::mem;
use std::sync::mpsc::{self, SendError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::util::line_queue::LineQueue;
use crate::util::stream::BlockingStream;
use crate::util::sync::lock;

/// How long to wait for a file to be opened. One that takes longer is assumed to be
/// open; what is wrong with it is told later.
const PATIENCE_WITH_OPENING: Duration = Duration::from_millis(250);
/// How long a file that is closed may take to write what is left.
const PATIENCE_WITH_CLOSING: Duration = Duration::from_millis(50);

/// The name under which the log has the dialogue.
pub(super) const LOG: &str = module_path!();

/// Who said something.
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

/// A file that is written only while one is open.
pub(super) struct Transcript {
    file: Mutex<Option<Arc<LineQueue>>>,
    start: Instant,
}

impl Transcript {
    pub fn new() -> Self {
        Self { file: Mutex::new(None), start: Instant::now() }
    }

    /// Goes on in this file, after what it holds; in none if the path is empty. If
    /// the file can later no longer be written, it is given up, and `failed` is
    /// called once.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or must not be written; the file that was open
    /// stays open.
    pub fn open(
        &self,
        path: &str,
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<()> {
        let opened = if path.is_empty() { None } else { Some(self.start_file(path, failed)?) };
        let closed = mem::replace(&mut *lock(&self.file), opened);
        if let Some(closed) = closed {
            closed.drain(PATIENCE_WITH_CLOSING);
        }
        Ok(())
    }

    fn start_file(
        &self,
        path: &str,
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<Arc<LineQueue>> {
        let path = path.to_owned();
        // The channel keeps nothing: an error is either received or told by `failed`.
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
        let file = LineQueue::start("log file", Duration::ZERO, open, report, failed)?;
        match outcome.recv_timeout(PATIENCE_WITH_OPENING) {
            Ok(Err(error)) => Err(error),
            Ok(Ok(())) | Err(_) => Ok(Arc::new(file)),
        }
    }

    /// Notes a line in the file, with the seconds since the engine started. Never
    /// waits for the file.
    pub fn note(&self, speaker: Speaker, text: &str) {
        let file = lock(&self.file);
        if let Some(file) = &*file {
            file.push(line(self.start, speaker.mark(), text).as_bytes());
        }
    }

    /// Waits until the file has everything, as long as it takes something every
    /// `patience`.
    pub fn drain(&self, patience: Duration) {
        let file = lock(&self.file).clone();
        if let Some(file) = file {
            file.drain(patience);
        }
    }
}

/// Tells the log what was said.
pub(super) fn log(speaker: Speaker, text: &str) {
    log::debug!(target: LOG, "{} {}", speaker.mark(), text.trim_end());
}

fn line(start: Instant, mark: &str, text: &str) -> String {
    format!("{:9.3} {mark} {}\n", start.elapsed().as_secs_f64(), text.trim_end())
}

/// Opens a file for appending, if it may be written.
#[cfg(unix)]
fn open_file(path: &str) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

    // So that opening does not wait for somebody who reads a pipe, and a terminal
    // does not begin to control this process.
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

/// Whether this is the regular file that is the standard input too. A terminal does
/// not give back what is written there.
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
    fn a_file_that_cannot_be_opened_leaves_the_old_one() {
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
