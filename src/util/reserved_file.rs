//! Files that grow and that only one process at a time may write.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use crate::util::input_file::check_regular;

/// How often a file that another process has locked is tried, and the pause between.
const LOCK_ATTEMPTS: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Why a file cannot be reserved.
#[derive(Debug, Error)]
pub enum ReserveError {
    /// It cannot be opened, or is not a regular file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process has reserved it.
    #[error("another process writes to it")]
    Busy,
}

/// A file that is open for reading and writing, and reserved for this process until it
/// is closed, by whatever end of the process.
///
/// On Windows no other process can write it meanwhile; elsewhere the lock is advisory. A
/// file that was created here is removed again if it is still empty, unless it is
/// [kept](ReservedFile::keep). So is the empty file of a [lock](ReservedFile::lock), whoever
/// created it.
#[derive(Debug)]
pub struct ReservedFile {
    path: PathBuf,
    file: File,
    is_provisional: bool,
}

impl ReservedFile {
    /// Opens a regular file, or creates an empty one, and reserves it. Its contents are
    /// not changed.
    ///
    /// # Errors
    ///
    /// [`ReserveError::Busy`] if another process has reserved it; otherwise if it cannot
    /// be opened or is something else than a regular file, such as a symbolic link.
    pub fn open(path: &Path) -> Result<Self, ReserveError> {
        loop {
            let is_provisional = match fs::symlink_metadata(path) {
                Ok(metadata) => {
                    check_regular(metadata.file_type())?;
                    false
                }
                Err(error) if error.kind() == ErrorKind::NotFound => true,
                Err(error) => return Err(error.into()),
            };
            let file = match options(is_provisional).open(path) {
                Ok(file) => file,
                // Another process was faster to create or to remove it.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && is_provisional => {
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::NotFound && !is_provisional => continue,
                Err(error) if is_shared(&error) => return Err(ReserveError::Busy),
                Err(error) => return Err(error.into()),
            };
            check_regular(file.metadata()?.file_type())?;
            if !lock_soon(&file) {
                return Err(ReserveError::Busy);
            }
            let reserved = Self { path: path.to_owned(), file, is_provisional };
            if reserved.is_in_place()? {
                return Ok(reserved);
            }
        }
    }

    /// The same for an empty file that is only a lock: one that a process has left behind,
    /// which was killed, is removed as well.
    ///
    /// # Errors
    ///
    /// As for [`ReservedFile::open`].
    pub fn lock(path: &Path) -> Result<Self, ReserveError> {
        let mut reserved = Self::open(path)?;
        reserved.is_provisional = true;
        Ok(reserved)
    }

    /// The open file.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Truncates the file to `bytes` bytes, to write there.
    pub fn cut_to(&mut self, bytes: u64) -> io::Result<()> {
        self.file.set_len(bytes)?;
        self.file.seek(SeekFrom::Start(bytes)).map(drop)
    }

    /// Keeps a file that was created here, even if it is empty.
    pub fn keep(&mut self) {
        self.is_provisional = false;
    }

    /// Removes the file, if the path still names it.
    pub fn remove(self) -> io::Result<()> {
        if self.is_in_place()? { fs::remove_file(&self.path) } else { Ok(()) }
    }

    /// Whether the path still names this file, which may have been removed or replaced.
    pub fn is_in_place(&self) -> io::Result<bool> {
        let named = match fs::symlink_metadata(&self.path) {
            Ok(named) => named,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let open = self.file.metadata()?;
            Ok((named.dev(), named.ino()) == (open.dev(), open.ino()))
        }
        #[cfg(not(unix))]
        Ok(named.is_file())
    }
}

impl Drop for ReservedFile {
    fn drop(&mut self) {
        // Between the creation and the lock another process may have used the file.
        let is_empty = self.file.metadata().is_ok_and(|metadata| metadata.len() == 0);
        if self.is_provisional && is_empty && self.is_in_place().is_ok_and(|in_place| in_place) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// How the file is opened: without waiting, and without following a link that has
/// just taken its place.
fn options(create: bool) -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true).create_new(create);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits() as i32);
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        // FILE_SHARE_READ and FILE_SHARE_DELETE: other processes may not write.
        options.share_mode(1 | 4);
    }
    options
}

/// Whether opening failed because another process has the file.
fn is_shared(error: &io::Error) -> bool {
    /// ERROR_SHARING_VIOLATION
    const SHARING_VIOLATION: i32 = 32;
    cfg!(windows) && error.raw_os_error() == Some(SHARING_VIOLATION)
}

/// Locks a file, if need be after a moment: a child process has the lock of its parent from
/// its start until it executes its program, even if the parent closes the file meanwhile.
fn lock_soon(file: &File) -> bool {
    (0..LOCK_ATTEMPTS).any(|attempt| {
        if attempt > 0 {
            thread::sleep(LOCK_PAUSE);
        }
        lock(file)
    })
}

/// Takes an advisory lock; `false` if another process has it.
#[cfg(unix)]
fn lock(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    // Other errors come from file systems without locks.
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(Errno::WOULDBLOCK)
}

/// The share mode of the open file excludes others.
#[cfg(not(unix))]
fn lock(_: &File) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn one_process_at_a_time_and_an_unused_file_is_removed() {
        let path = std::env::temp_dir().join(format!("lovec-reserved-{}", std::process::id()));
        let mut first = ReservedFile::open(&path).unwrap();
        assert!(matches!(ReservedFile::open(&path), Err(ReserveError::Busy)));
        assert!(path.exists() && first.is_in_place().unwrap());
        drop(first);
        assert!(!path.exists(), "an unused file is left");

        first = ReservedFile::open(&path).unwrap();
        first.file().write_all(b"written before the lock").unwrap();
        drop(first);
        assert!(path.exists(), "a file was removed that holds something");
        fs::remove_file(&path).unwrap();

        first = ReservedFile::open(&path).unwrap();
        first.keep();
        drop(first);
        let again = ReservedFile::open(&path).unwrap();
        if cfg!(unix) {
            fs::remove_file(&path).unwrap();
            assert!(!again.is_in_place().unwrap());
            fs::write(&path, "another file").unwrap();
            assert!(!again.is_in_place().unwrap());
        }
        drop(again);
        assert!(path.exists(), "a file was removed that was not created");
        for (contents, is_left) in [("another file", true), ("", false)] {
            fs::write(&path, contents).unwrap();
            drop(ReservedFile::lock(&path).unwrap());
            assert_eq!(path.exists(), is_left, "a lock is removed if it is empty");
        }
        assert!(matches!(ReservedFile::open(&std::env::temp_dir()), Err(ReserveError::Io(_))));
    }
}
