//! Commands that wait until the client reads.
//!
//! A client that sends commands and never reads would fill the memory with answers. Once
//! many megabytes of answers wait, commands are no longer executed but wait in a
//! [`Backlog`], in order. Reading goes on, because `stop` and `quit` must take effect at
//! once. When the backlog is full as well, reading stops and the pipe fills up, so that
//! the client has to wait. Where the system has no `poll`, that happens immediately.

use std::collections::VecDeque;
use std::time::Instant;

/// Bytes of commands that may wait.
const MAX_BYTES: usize = 64 << 20;
/// What a command takes in addition to its text, in bytes.
const COMMAND_BYTES: usize = 64;

/// A line from the client.
#[derive(Debug)]
pub(super) struct BufferedLine {
    pub line: Box<[u8]>,
    /// When it arrived.
    pub arrival: Instant,
}

impl BufferedLine {
    fn bytes(&self) -> usize {
        COMMAND_BYTES + self.line.len()
    }
}

/// Lines in the order of their arrival.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    lines: VecDeque<BufferedLine>,
    bytes: usize,
}

impl Backlog {
    pub fn push(&mut self, line: &[u8], arrival: Instant) {
        let waiting = BufferedLine { line: line.into(), arrival };
        self.bytes += waiting.bytes();
        self.lines.push_back(waiting);
    }

    pub fn pop(&mut self) -> Option<BufferedLine> {
        let waiting = self.lines.pop_front()?;
        self.bytes -= waiting.bytes();
        Some(waiting)
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.bytes >= MAX_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_order_and_their_bytes_are_counted() {
        let mut backlog = Backlog::default();
        let now = Instant::now();
        assert!(backlog.is_empty() && backlog.pop().is_none());
        backlog.push(b"d\n", now);
        backlog.push(&vec![b'x'; MAX_BYTES], now);
        assert!(backlog.is_full());
        assert_eq!(&*backlog.pop().unwrap().line, b"d\n");
        assert!(backlog.is_full());
        assert_eq!(backlog.pop().unwrap().line.len(), MAX_BYTES);
        assert!(!backlog.is_full() && backlog.is_empty() && backlog.bytes == 0);
    }
}
