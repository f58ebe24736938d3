//! A copy of the dialogue in a file: the option `Debug Log File`. The log of the program
//! has it too, at the level `debug`.
//!
//! A thread writes it, so that a disk that hangs delays the dialogue only when the file is
//! opened. Lines that cannot be written in time are dropped, and the file notes their number.
//! The file from which the commands come is refused, because the engine would read its own
//! output.

use std::fs::File;
use std::io;
use std::mem;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::util::input_file::open_as;
use crate::util::line_queue::LineQueue;
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
    /// If the file cannot be opened or is not a regular one or the standard input; the old file
    /// stays open.
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
        let (file, start) = (open_file(path)?, self.start);
        let report = move |dropped| line(start, "--", &format!("{dropped} lines were dropped"));
        LineQueue::start("log file", Duration::ZERO, report, file, failed).map(Arc::new)
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
fn open_file(path: &str) -> io::Result<File> {
    let file = open_as(File::options().append(true).create(true), Path::new(path))?;
    if is_standard_input(&file) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the commands come from it"));
    }
    Ok(file)
}

/// Whether the standard input is the same file.
#[cfg(unix)]
fn is_standard_input(file: &File) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    let input = io::stdin().as_fd().try_clone_to_owned();
    let input = input.and_then(|input| File::from(input).metadata());
    let (Ok(file), Ok(input)) = (file.metadata(), input) else { return false };
    (file.dev(), file.ino()) == (input.dev(), input.ino())
}

#[cfg(not(unix))]
fn is_standard_input(_: &File) -> bool {
    false
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
