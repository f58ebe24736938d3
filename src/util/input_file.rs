//! Opening files to read them.
//!
//! A path from a user or a client may name anything: a named pipe without a writer, a
//! device without an end, a sparse file of a terabyte, one line of a gigabyte. Only
//! regular files are opened here, and reading one whole needs a limit on its size.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

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
    open_as(File::options().read(true), path)
}

/// The same with other options, which may create the file.
pub fn open_as(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Opening a device may have an effect, so check the kind first …
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        metadata => check_regular(metadata?.file_type())?,
    }
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

/// A text without a byte order mark.
pub fn without_mark(mut text: String) -> String {
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
    text
}

fn too_large(length: u64, max_bytes: u64) -> io::Error {
    let text = format!("it has {length} bytes or more, and at most {max_bytes} are read");
    io::Error::new(io::ErrorKind::FileTooLarge, text)
}

/// Checks that this is the kind of a regular file.
pub(super) fn check_regular(kind: FileType) -> io::Result<()> {
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
