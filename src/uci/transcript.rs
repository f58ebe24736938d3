//! The dialogue in a file, for finding out what a client and the engine said to
//! each other: the option `Debug Log File`. The log has it too, at the level
//! `debug`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::sync::Mutex;
use std::time::Instant;

use crate::util::sync::lock;

/// Who said something.
#[derive(Clone, Copy, Debug)]
pub(super) enum Speaker {
    Client,
    Engine,
}

/// A file that is written only while one is open.
pub(super) struct Transcript {
    file: Mutex<Option<File>>,
    start: Instant,
}

impl Transcript {
    pub fn new() -> Self {
        Self { file: Mutex::new(None), start: Instant::now() }
    }

    /// Goes on in this file, after what it holds; in none if the path is empty.
    pub fn open(&self, path: &str) -> io::Result<()> {
        let opened = match path {
            "" => None,
            // Opening it would wait for somebody who reads.
            path if is_pipe(path) => {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe"));
            }
            path => Some(OpenOptions::new().append(true).create(true).open(path)?),
        };
        *lock(&self.file) = opened;
        Ok(())
    }

    /// Notes a line, in the file with the seconds since the engine started, and in
    /// the log. A file that can no longer be written is given up: the game is more
    /// important.
    pub fn note(&self, speaker: Speaker, line: &str) {
        let mark = match speaker {
            Speaker::Client => ">>",
            Speaker::Engine => "<<",
        };
        let line = line.trim_end();
        log::debug!("{mark} {line}");
        let mut file = lock(&self.file);
        let Some(open) = file.as_mut() else { return };
        let seconds = self.start.elapsed().as_secs_f64();
        if writeln!(open, "{seconds:9.3} {mark} {line}").is_err() {
            *file = None;
        }
    }
}

#[cfg(unix)]
fn is_pipe(path: &str) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &str) -> bool {
    false
}
