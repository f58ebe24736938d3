//! Lines of arbitrary bytes from the client.

use std::io::{self, BufRead};

/// The longest line that is accepted, in bytes. A game of a million moves fits.
const MAX_LINE_BYTES: usize = 64 << 20;
/// Memory that is kept for the next line, in bytes: enough for any real game.
const KEPT_BYTES: usize = 1 << 20;

/// The result of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line: [`Lines::line`].
    Line,
    /// A line longer than [`MAX_LINE_BYTES`], which is dropped.
    TooLong,
    /// The end of the input.
    End,
}

/// The lines of a source. The last line may lack its line break.
pub(super) struct Lines<S> {
    source: S,
    line: Vec<u8>,
    /// The length of the line so far, in bytes, including what was dropped.
    seen: usize,
    limit: usize,
}

impl<S: BufRead> Lines<S> {
    pub fn new(source: S) -> Self {
        Self { source, line: Vec::new(), seen: 0, limit: MAX_LINE_BYTES }
    }

    /// The line that was read last.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// Reads on. A failed read is the end of the input.
    pub fn read(&mut self) -> Input {
        self.line.clear();
        self.line.shrink_to(KEPT_BYTES);
        self.seen = 0;
        loop {
            let available = match self.source.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => &[],
            };
            if available.is_empty() {
                return if self.seen == 0 { Input::End } else { self.ended() };
            }
            let line_break = available.iter().position(|&byte| byte == b'\n');
            let taken = line_break.map_or(available.len(), |index| index + 1);
            self.seen += taken;
            if self.seen <= self.limit {
                self.line.extend_from_slice(&available[..taken]);
            }
            self.source.consume(taken);
            if line_break.is_some() {
                return self.ended();
            }
        }
    }

    fn ended(&self) -> Input {
        if self.seen <= self.limit { Input::Line } else { Input::TooLong }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(bytes: &[u8], limit: usize) -> Vec<(Input, Vec<u8>)> {
        // A tiny buffer, so that lines arrive in pieces.
        let mut lines = Lines::new(BufReader::with_capacity(3, bytes));
        lines.limit = limit;
        let mut read = Vec::new();
        loop {
            let input = lines.read();
            if input == Input::End {
                return read;
            }
            read.push((input, lines.line().to_vec()));
        }
    }

    #[test]
    fn any_bytes() {
        let line = |bytes: &[u8]| (Input::Line, bytes.to_vec());
        assert_eq!(
            lines(b"uci\r\n\n\xff\0go\nlast", 100),
            [line(b"uci\r\n"), line(b"\n"), line(b"\xff\0go\n"), line(b"last")]
        );
        assert!(lines(b"", 100).is_empty());
    }

    #[test]
    fn lines_that_are_too_long_are_dropped() {
        let lines = lines(b"0123456789abcdef\nok\n0123456789", 8);
        assert_eq!(
            lines.iter().map(|line| line.0).collect::<Vec<_>>(),
            [Input::TooLong, Input::Line, Input::TooLong]
        );
        assert_eq!(lines[1].1, b"ok\n");
    }

    #[test]
    fn the_memory_of_a_long_line_is_given_back() {
        let text = [&vec![b'x'; 16 << 20][..], b"\nok\n"].concat();
        let mut lines = Lines::new(&text[..]);
        assert_eq!((lines.read(), lines.line().len()), (Input::Line, (16 << 20) + 1));
        assert_eq!((lines.read(), lines.line()), (Input::Line, &b"ok\n"[..]));
        assert!(lines.line.capacity() <= KEPT_BYTES, "{}", lines.line.capacity());
    }
}
