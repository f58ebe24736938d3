//! The progress of long work, shown on a terminal and nowhere else.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many steps. It is drawn on the standard error, and not at all
/// if that is no terminal.
pub(super) fn bar(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    match ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}, {eta} left {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A bar for so many bytes to be read.
pub(super) fn bytes(bytes: u64) -> ProgressBar {
    let bar = ProgressBar::new(bytes);
    match ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A sign of life for work whose length is not known.
pub(super) fn spinner() -> ProgressBar {
    ProgressBar::new_spinner()
}
