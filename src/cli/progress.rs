//! Progress bars, shown on terminals only, on one line.

use std::fs;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::util::foreign_text::visible;
use crate::util::thread::{SMALL_STACK_BYTES, start_scoped};

/// How often a text that waits is drawn again.
const INTERVAL: Duration = Duration::from_millis(100);

/// A progress bar on the standard error, hidden if that is not a terminal. It is cleared when it
/// is dropped.
#[derive(Clone, Debug)]
pub(super) struct ProgressLine(ProgressBar);

impl ProgressLine {
    /// Shows a text, which is cut to the width of the terminal.
    pub fn set_message(&self, text: impl AsRef<str>) {
        self.0.set_message(visible(text.as_ref()).into_owned());
    }

    /// Goes on after the steps of an earlier run, which say nothing of the speed of this one.
    pub fn continue_from(&self, done: u64) {
        self.0.set_position(done);
        self.0.reset_eta();
    }
}

impl Deref for ProgressLine {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.0
    }
}

/// A bar of `steps` steps.
pub(super) fn bar(steps: usize) -> ProgressLine {
    let bar = ProgressBar::new(steps as u64);
    styled(bar, "{bar:20} {pos}/{len} {elapsed}, {eta} left {wide_msg}")
}

/// Shows a bar of `steps` steps to work that tells how many are done, first how many were done
/// before, until the work drops it.
pub(super) fn continued_counter(steps: usize) -> impl FnMut(u64) {
    let bar = bar(steps);
    let mut is_first = true;
    move |done| {
        if std::mem::take(&mut is_first) {
            bar.continue_from(done);
        } else {
            bar.set_position(done);
        }
    }
}

/// A bar of the bytes of files to read. A file without a readable length counts for nothing.
pub(super) fn bytes(files: &[PathBuf]) -> ProgressLine {
    let lengths = files.iter().map(|path| fs::metadata(path).map_or(0, |data| data.len()));
    let bar = ProgressBar::new(lengths.sum());
    styled(bar, "{bar:20} {bytes}/{total_bytes} {elapsed} {wide_msg}")
}

/// A bar that is never shown.
pub(super) fn hidden() -> ProgressLine {
    ProgressLine(ProgressBar::hidden())
}

/// A spinner for work of unknown length.
pub(super) fn spinner() -> ProgressLine {
    styled(ProgressBar::new_spinner(), "{spinner} {wide_msg}")
}

/// Shows a text and the time that has passed while work is done; a bar, too, and what is left of
/// the time that it takes, if that is known.
pub(super) fn while_waiting<T>(text: &str, time: Option<Duration>, work: impl FnOnce() -> T) -> T {
    let line = match time {
        Some(time) => styled(
            ProgressBar::new(time.as_millis() as u64),
            "{bar:20} {percent} % {elapsed}, {eta} left {wide_msg}",
        ),
        None => styled(ProgressBar::no_length(), "{spinner} {elapsed} {wide_msg}"),
    };
    line.set_message(text);
    if line.is_hidden() {
        return work();
    }
    let (done, wait) = channel::<()>();
    let line = &line;
    thread::scope(|scope| {
        let tick = move || {
            while wait.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                line.set_position(line.elapsed().as_millis() as u64);
                line.tick();
            }
            line.finish_and_clear();
        };
        // Without a thread nothing is shown.
        let _ticking = start_scoped(scope, "progress", SMALL_STACK_BYTES, tick);
        let result = work();
        drop(done);
        result
    })
}

fn styled(bar: ProgressBar, template: &str) -> ProgressLine {
    let style = ProgressStyle::with_template(template);
    ProgressLine(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_an_earlier_run_are_no_speed() {
        let line = hidden();
        line.set_length(400);
        line.continue_from(40);
        thread::sleep(Duration::from_millis(50));
        line.set_position(41);
        // At least 50 milliseconds for each of 359 steps.
        assert!(line.eta() > Duration::from_secs(10), "{:?}", line.eta());
    }
}
