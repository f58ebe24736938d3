//! The kind of a file: Lovec reads and replaces regular files only.
//!
//! Opening a named pipe waits for the other side, and a device may have no end.

use std::fs::FileType;
use std::io;

/// Checks that this is the kind of a regular file.
///
/// # Errors
///
/// An error that names the kind, such as `a folder, not a regular file`.
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
