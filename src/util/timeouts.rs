//! How long Lovec waits for those who read and write beside it.
//!
//! A healthy reader never lets Lovec wait so long. The limits are for a client that does not
//! read, a pipe without a reader and a disk that hangs, with room for a busy machine.

use std::time::Duration;

/// For searches to end, after `quit`.
pub const QUIT_SEARCH: Duration = Duration::from_millis(40);
/// For a log file to take a batch when it is closed. With the searches and the client,
/// `quit` ends within a fifth of a second.
pub const CLOSE_FILE: Duration = Duration::from_millis(25);
/// For a client to read its answers, after `quit`.
pub const QUIT_CLIENT: Duration = Duration::from_millis(100);
/// For the standard error to take the last lines.
pub const MOMENT: Duration = Duration::from_millis(250);
/// For a client to go on reading after the end of its input.
pub const LAST_READING: Duration = Duration::from_millis(500);
/// For a thread to get a core, or for warnings of a command to be read. A game does not wait
/// for its warnings at all.
pub const BUSY: Duration = Duration::from_secs(1);
/// For the error to be written that ends the process.
pub const ERROR: Duration = Duration::from_secs(5);
