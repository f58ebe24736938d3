//! What a path names, as far as it matters to those who read and write files.
//!
//! Lovec reads and replaces regular files only. Opening a named pipe waits for the
//! other side, a device may never end, and to replace any of them by a file is
//! hardly what somebody wanted.

use std::fs::FileType;
use std::io;

/// Refuses everything but a regular file.
///
/// # Errors
///
/// An error that says what it is instead, such as `a folder, not a regular file`.
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
