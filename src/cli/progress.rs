//! Progress bars, shown on terminals only.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of `steps` steps on the standard error, hidden if that is not a terminal.
pub(super) fn bar(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    match ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}, {eta} left {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A bar of `bytes` bytes to read.
pub(super) fn bytes(bytes: u64) -> ProgressBar {
    let bar = ProgressBar::new(bytes);
    match ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A spinner for work of unknown length.
pub(super) fn spinner() -> ProgressBar {
    ProgressBar::new_spinner()
}
