//! Lines of bytes from a client that may send anything.

use std::io::{self, BufRead};

/// The longest line that is kept. A game of a million moves fits.
const MAX_LINE_BYTES: usize = 64 << 20;

/// What came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line is in the buffer.
    Line,
    /// A line was longer than [`MAX_LINE_BYTES`] and was thrown away.
    TooLong,
    /// There will be no more lines.
    End,
}

/// Reads a line of any bytes into `buffer`, with or without a line break at the
/// end of the input. Something that cannot be read is the end.
pub(super) fn read_line(source: &mut impl BufRead, buffer: &mut Vec<u8>) -> Input {
    read_line_up_to(source, buffer, MAX_LINE_BYTES)
}

fn read_line_up_to(source: &mut impl BufRead, buffer: &mut Vec<u8>, limit: usize) -> Input {
    buffer.clear();
    let mut seen = 0;
    loop {
        let available = match source.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        if available.is_empty() {
            return if seen == 0 { Input::End } else { ended(seen, limit) };
        }
        let line_break = available.iter().position(|&byte| byte == b'\n');
        let taken = line_break.map_or(available.len(), |index| index + 1);
        seen += taken;
        if seen <= limit {
            buffer.extend_from_slice(&available[..taken]);
        }
        source.consume(taken);
        if line_break.is_some() {
            return ended(seen, limit);
        }
    }
}

fn ended(seen: usize, limit: usize) -> Input {
    if seen <= limit { Input::Line } else { Input::TooLong }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(bytes: &[u8], limit: usize) -> Vec<(Input, Vec<u8>)> {
        // A tiny buffer, so that lines arrive in pieces.
        let mut source = BufReader::with_capacity(3, bytes);
        let mut buffer = Vec::new();
        let mut lines = Vec::new();
        loop {
            let input = read_line_up_to(&mut source, &mut buffer, limit);
            if input == Input::End {
                return lines;
            }
            lines.push((input, buffer.clone()));
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
    fn lines_that_are_too_long_are_left_out() {
        let lines = lines(b"0123456789abcdef\nok\n0123456789", 8);
        assert_eq!(
            lines.iter().map(|line| line.0).collect::<Vec<_>>(),
            [Input::TooLong, Input::Line, Input::TooLong]
        );
        assert_eq!(lines[1].1, b"ok\n");
    }
}
