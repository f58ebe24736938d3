//! Streams that block even if their file is non-blocking.
//!
//! A parent, or another process with the same open file, can set a terminal, pipe or
//! socket to `O_NONBLOCK` at any time. Reads and writes then fail with
//! [`ErrorKind::WouldBlock`] instead of waiting. [`BlockingStream`] polls the file and
//! tries again. The end of the input and other errors are passed on.
//!
//! Where the system has no `poll`, the stream is tried again every millisecond.

use std::io::{self, ErrorKind, Read, Stderr, Stdin, Stdout, Write};
use std::thread;
use std::time::Duration;

/// What can be polled; everything, where the system has no `poll`.
#[cfg(unix)]
pub use std::os::fd::AsFd as Pollable;
#[cfg(not(unix))]
pub trait Pollable {}
#[cfg(not(unix))]
impl<T> Pollable for T {}

/// The pause before the next attempt if `poll` reports a stream ready that is not.
const PAUSE: Duration = Duration::from_millis(1);

/// What to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Input,
    Output,
}

/// A stream whose reads and writes wait, whether or not it is non-blocking.
#[derive(Debug)]
pub struct BlockingStream<S> {
    stream: S,
}

/// The standard input.
pub fn stdin() -> BlockingStream<Stdin> {
    BlockingStream::new(io::stdin())
}

/// The standard output.
pub fn stdout() -> BlockingStream<Stdout> {
    BlockingStream::new(io::stdout())
}

/// The standard error.
pub fn stderr() -> BlockingStream<Stderr> {
    BlockingStream::new(io::stderr())
}

impl<S: Pollable> BlockingStream<S> {
    pub fn new(stream: S) -> Self {
        Self { stream }
    }

    /// Repeats `attempt` while it would block for want of `event`.
    fn retry<T>(
        &mut self,
        event: Event,
        mut attempt: impl FnMut(&mut S) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut polled = false;
        loop {
            match attempt(&mut self.stream) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                result => return result,
            }
            if polled {
                thread::sleep(PAUSE);
            }
            polled = is_ready(&self.stream, event)?;
        }
    }
}

impl<S: Read + Pollable> Read for BlockingStream<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.retry(Event::Input, |stream| stream.read(buffer))
    }
}

impl<S: Write + Pollable> Write for BlockingStream<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.retry(Event::Output, |stream| stream.write(bytes)).map_err(or_broken_pipe)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.retry(Event::Output, Write::flush).map_err(or_broken_pipe)
    }
}

/// The error, as [`ErrorKind::BrokenPipe`] if the reader of a pipe has gone. Windows has three
/// errors for that, of which the standard library knows two.
fn or_broken_pipe(error: io::Error) -> io::Error {
    const ERROR_PIPE_NOT_CONNECTED: i32 = 233;
    let gone = cfg!(windows) && error.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED);
    if gone { ErrorKind::BrokenPipe.into() } else { error }
}

/// Waits for an event; returns whether to try again at once. An error of the stream is an event:
/// the next attempt returns it.
#[cfg(unix)]
fn is_ready(stream: &impl Pollable, event: Event) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let flags = match event {
        Event::Input => PollFlags::IN,
        Event::Output => PollFlags::OUT,
    };
    match poll(&mut [PollFd::new(stream, flags)], None) {
        Ok(events) => Ok(events > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn is_ready(_: &impl Pollable, _: Event) -> io::Result<bool> {
    Ok(true)
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::net::UnixStream;

    use super::*;

    fn pair() -> (UnixStream, BlockingStream<UnixStream>) {
        let (near, far) = UnixStream::pair().unwrap();
        far.set_nonblocking(true).unwrap();
        (near, BlockingStream::new(far))
    }

    #[test]
    fn a_read_waits_for_input_and_sees_the_end() {
        let (mut near, far) = pair();
        let writer = thread::spawn(move || {
            for _ in 0..3 {
                thread::sleep(Duration::from_millis(10));
                near.write_all(b"line\n").unwrap();
            }
        });
        let lines: Vec<String> = BufReader::new(far).lines().map(Result::unwrap).collect();
        assert_eq!(lines, ["line"; 3]);
        writer.join().unwrap();
    }

    #[test]
    fn a_write_waits_for_the_reader() {
        let (mut near, mut far) = pair();
        let text = vec![7; 4 << 20];
        let reader = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            let mut read = Vec::new();
            near.read_to_end(&mut read).unwrap();
            read
        });
        far.write_all(&text).unwrap();
        drop(far);
        assert!(reader.join().unwrap() == text);
    }

    #[test]
    fn a_reader_that_has_gone_is_an_error() {
        let (near, mut far) = pair();
        drop(near);
        assert_eq!(far.write_all(b"x").unwrap_err().kind(), ErrorKind::BrokenPipe);
    }
}
