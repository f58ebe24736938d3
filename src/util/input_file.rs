//! Opening files to read them.
//!
//! A path from a user or a client may name anything: a named pipe without a writer, a
//! device without an end, a sparse file of a terabyte, one line of a gigabyte. Only
//! regular files are opened here, and reading one whole needs a limit on its size.
//! [`BoundedLines`] reads the lines of files of any size, each of limited length.

use std::fs::{self, File, FileType};
use std::io::{self, BufRead, Read};
use std::path::Path;

use thiserror::Error;

/// The largest text that is read whole, in bytes. Suites and opening lists are about a
/// thousand times smaller.
pub const MAX_TEXT_BYTES: u64 = 256 << 20;

/// Opens a regular file, or a symbolic link to one, for reading. It never waits
/// for another process.
///
/// # Errors
///
/// If it cannot be opened, or is a folder, a named pipe, a device or a socket.
pub fn open(path: &Path) -> io::Result<File> {
    // Opening a device may have an effect, so check the kind first …
    check_regular(fs::metadata(path)?.file_type())?;
    let mut options = File::options();
    options.read(true);
    // … and again, in case the file was replaced since then.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(path)?;
    check_regular(file.metadata()?.file_type())?;
    Ok(file)
}

/// Reads a regular file of at most `max_bytes` bytes whole.
///
/// # Errors
///
/// As for [`open`]; if it cannot be read, if memory is short, and, before anything is
/// read, if it is larger.
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > max_bytes {
        return Err(too_large(length, max_bytes));
    }
    // The file may grow while it is read.
    read_from(file, length, max_bytes)
}

/// Reads a source of probably `length` and at most `max_bytes` bytes.
fn read_from(source: impl Read, length: u64, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize)?;
    source.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large(bytes.len() as u64, max_bytes));
    }
    Ok(bytes)
}

/// What some editors write before a text; no part of it.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads a regular file of at most `max_bytes` bytes as text, without a byte order mark.
pub fn read_text(path: &Path, max_bytes: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, max_bytes)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))?;
    Ok(without_mark(text))
}

/// The same for a source that is open, each line of which may be Latin-1.
pub fn read_lines_from(source: impl Read, max_bytes: u64) -> io::Result<String> {
    let bytes = read_from(source, 0, max_bytes)?;
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let lines = error.as_bytes().split_inclusive(|&byte| byte == b'\n');
        lines.map(|line| decode_line(line.to_vec())).collect()
    });
    Ok(without_mark(text))
}

/// A line of a text that people pass on: UTF-8, or else Latin-1, as old programs write it.
pub fn decode_line(line: Vec<u8>) -> String {
    String::from_utf8(line)
        .unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect())
}

fn without_mark(mut text: String) -> String {
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
    text
}

fn too_large(length: u64, max_bytes: u64) -> io::Error {
    let text = format!("it has {length} bytes or more, and at most {max_bytes} are read");
    io::Error::new(io::ErrorKind::FileTooLarge, text)
}

/// Why a line cannot be read. Lines are numbered from 1.
#[derive(Debug, Error)]
pub enum LineError {
    #[error("cannot be read")]
    Io(#[from] io::Error),
    #[error("line {line}: longer than {max_bytes} bytes")]
    TooLong { line: u64, max_bytes: usize },
    #[error("line {line}: not UTF-8 text")]
    NotText { line: u64 },
}

/// The lines of a text, without their ends and a byte order mark, none of them longer than a
/// bound. After an error the rest must not be used.
#[derive(Debug)]
pub struct BoundedLines<R> {
    source: R,
    max_bytes: usize,
    /// Lines read so far.
    number: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> BoundedLines<R> {
    /// Lines of at most `max_bytes` bytes each.
    pub fn new(source: R, max_bytes: usize) -> Self {
        Self { source, max_bytes, number: 0, buffer: Vec::new() }
    }
}

impl<R: BufRead> Iterator for BoundedLines<R> {
    type Item = Result<String, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.buffer.clear();
        // With room for the line break.
        let room = self.max_bytes as u64 + 2;
        match (&mut self.source).take(room).read_until(b'\n', &mut self.buffer) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(error.into())),
        }
        self.number += 1;
        let line = self.number;
        let text = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.len() > self.max_bytes {
            return Some(Err(LineError::TooLong { line, max_bytes: self.max_bytes }));
        }
        let Ok(text) = std::str::from_utf8(text) else {
            return Some(Err(LineError::NotText { line }));
        };
        let mark = if line == 1 { text.strip_prefix(BYTE_ORDER_MARK) } else { None };
        Some(Ok(mark.unwrap_or(text).to_owned()))
    }
}

/// Checks that this is the kind of a regular file.
pub fn check_regular(kind: FileType) -> io::Result<()> {
    if kind.is_file() {
        return Ok(());
    }
    let error =
        if kind.is_dir() { io::ErrorKind::IsADirectory } else { io::ErrorKind::InvalidInput };
    Err(io::Error::new(error, format!("{}, not a regular file", name(kind))))
}

fn name(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    match kind {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_symlink() => "a symbolic link",
        _ => "something else",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], max_bytes: usize) -> Vec<Result<String, String>> {
        BoundedLines::new(text, max_bytes)
            .map(|line| line.map_err(|error| error.to_string()))
            .collect()
    }

    #[test]
    fn lines_are_split_as_in_the_standard_library() {
        for text in ["", "a", "a\n", "a\n\nbc\r\n", "\n", "abc\nabc", "abc\r\n"] {
            let expected: Vec<Result<String, String>> =
                text.lines().map(|line| Ok(line.to_owned())).collect();
            assert_eq!(lines(text.as_bytes(), 3), expected, "{text:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(
            lines("\u{feff}a\n\u{feff}b".as_bytes(), 5),
            [Ok("a".into()), Ok("\u{feff}b".into())]
        );
    }

    #[test]
    fn a_long_line_and_one_that_is_not_text_are_errors() {
        let long = lines(b"abc\nabcd\nabc", 3);
        assert_eq!(long[..2], [Ok("abc".into()), Err("line 2: longer than 3 bytes".into())]);
        let endless = BoundedLines::new(io::BufReader::new(io::repeat(0)), 4096).next().unwrap();
        assert!(matches!(endless, Err(LineError::TooLong { line: 1, max_bytes: 4096 })));
        assert_eq!(lines(b"\xFF\n", 3), [Err("line 1: not UTF-8 text".into())]);
    }

    #[test]
    fn a_line_may_be_latin1() {
        let bytes = b"\xEF\xBB\xBF\xC5\xBD\nGl\xFCck\r\n\xC5\xBD";
        assert_eq!(read_lines_from(&bytes[..], 99).unwrap(), "Ž\nGlück\r\nŽ");
    }

    #[test]
    fn a_text_is_read_up_to_its_limit() {
        let path = std::env::temp_dir().join(format!("lovec-input-{}", std::process::id()));
        fs::write(&path, "text").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "text");
        fs::write(&path, "\u{feff}text").unwrap();
        assert_eq!(read_text(&path, 7).unwrap(), "text");
        assert_eq!(read_text(&path, 3).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        fs::write(&path, [0xFF]).unwrap();
        assert_eq!(read_text(&path, 4).unwrap_err().kind(), io::ErrorKind::InvalidData);
        // The length of a sparse file alone is an error.
        File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path, 1 << 30).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        fs::remove_file(path).unwrap();
        let folder = open(&std::env::temp_dir()).unwrap_err();
        assert_eq!(folder.to_string(), "a folder, not a regular file");
    }
}
