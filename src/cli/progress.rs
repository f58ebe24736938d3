//! Progress bars, shown on terminals only, on one line.

use std::ops::Deref;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::util::foreign_text::visible;
use crate::util::thread::{SMALL_STACK_BYTES, start_scoped};

/// How often a text that waits is drawn again.
const INTERVAL: Duration = Duration::from_millis(100);

/// The steps of a bar for work that is no number of steps.
const STEPS: f64 = 1000.0;

/// A progress bar on the standard error, hidden if that is not a terminal. It is cleared when it
/// is dropped.
#[derive(Clone, Debug)]
pub(super) struct ProgressLine(ProgressBar);

impl ProgressLine {
    /// Shows a text, which is cut to the width of the terminal.
    pub fn set_message(&self, text: impl AsRef<str>) {
        self.0.set_message(visible(text.as_ref()).into_owned());
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

/// A bar of `bytes` bytes to read.
pub(super) fn bytes(bytes: u64) -> ProgressLine {
    styled(ProgressBar::new(bytes), "{bar:20} {bytes}/{total_bytes} {elapsed} {wide_msg}")
}

/// A spinner for work of unknown length.
pub(super) fn spinner() -> ProgressLine {
    styled(ProgressBar::new_spinner(), "{spinner} {wide_msg}")
}

/// Shows a text and the time that has passed while work is done. Where `share` tells how much
/// of it is done, from 0 to 1, a bar and the time that is left are shown, too.
pub(super) fn while_waiting<T>(
    text: &str,
    share: impl Fn() -> Option<f64> + Send,
    work: impl FnOnce() -> T,
) -> T {
    const UNKNOWN: &str = "{spinner} {elapsed} {wide_msg}";
    let line = styled(ProgressBar::new(STEPS as u64), UNKNOWN);
    line.set_message(text);
    if line.is_hidden() {
        return work();
    }
    let (done, wait) = channel::<()>();
    let line = &line;
    thread::scope(|scope| {
        let tick = move || {
            while wait.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let share = share();
                line.set_style(style(match share {
                    Some(_) => "{bar:20} {percent} % {elapsed}, {eta} left {wide_msg}",
                    None => UNKNOWN,
                }));
                line.set_position(share.map_or(0, |share| (STEPS * share) as u64));
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

/// The share of a time that has passed since now.
pub(super) fn share_of(time: Option<Duration>) -> impl Fn() -> Option<f64> {
    let start = Instant::now();
    move || time.map(|time| start.elapsed().div_duration_f64(time).min(1.0))
}

fn styled(bar: ProgressBar, template: &str) -> ProgressLine {
    ProgressLine(bar.with_style(style(template)))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
