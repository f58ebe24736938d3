//! The log, on the standard error, since the standard output belongs to the protocol
//! and to the results of commands.
//!
//! Only warnings and errors are logged by default, as `warning: …` and `error: …`; lower
//! levels also show the time, the level and the module. A message is one line, in which text
//! from outside is [`visible`].
//!
//! Everything written to the standard error passes a [`LineQueue`], so that neither a
//! game nor a search blocks if it is not read.

use std::env;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use env_logger::Target;
use log::{Level, LevelFilter};

use crate::util::foreign_text::visible;
use crate::util::line_queue::LineQueue;
use crate::util::{stream, timeouts};

/// The variable with the log filter.
const VARIABLE: &str = "RUST_LOG";
/// The level if neither the option nor the variable is set.
const DEFAULT_LEVEL: LevelFilter = LevelFilter::Warn;

/// How long a thread that logs waits for the standard error.
static TIMEOUT: OnceLock<Duration> = OnceLock::new();
/// The queue of the standard error, from the first line on; `None` if its thread could
/// not be started.
static STDERR: OnceLock<Option<LineQueue>> = OnceLock::new();

/// Starts to log at `level`, or as the variable `RUST_LOG` requests. If the standard
/// error blocks, a thread that logs waits for `timeout` without progress; after that,
/// lines are dropped.
pub fn start(level: Option<LevelFilter>, timeout: Duration) {
    let _ = TIMEOUT.set(timeout);
    let mut logger = env_logger::Builder::new();
    let wanted = env::var(VARIABLE).unwrap_or_default();
    // The logger would report a mistake by a macro that panics if it cannot write.
    let mistake = env_filter::Builder::new().try_parse(&wanted).err();
    if wanted.trim().is_empty() || mistake.is_some() {
        logger.filter_level(DEFAULT_LEVEL);
    } else {
        logger.parse_filters(&wanted);
    }
    if let Some(level) = level {
        logger.filter_level(level);
    }
    logger.format(|line, record| {
        let message = record.args().to_string();
        let message = visible(&message);
        match record.level() {
            Level::Error => writeln!(line, "error: {message}"),
            Level::Warn => writeln!(line, "warning: {message}"),
            level => {
                let time = time_of_day(SystemTime::now());
                writeln!(line, "[{time} {level} {}] {message}", record.target())
            }
        }
    });
    let logger = logger.target(Target::Pipe(Box::new(QueuedStderr))).build();
    log::set_max_level(logger.filter());
    // Fails only if there is a logger already, as in a test.
    let _ = log::set_boxed_logger(Box::new(logger));
    if let Some(mistake) = mistake {
        log::warn!("{VARIABLE}: {mistake}; ignored");
    }
}

/// The time of day in UTC, to the millisecond: `04:12:47.035`.
fn time_of_day(now: SystemTime) -> String {
    // A clock before 1970 counts as midnight.
    let since_1970 = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seconds = since_1970.as_secs() % (24 * 60 * 60);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}.{:03}", seconds % 60, since_1970.subsec_millis())
}

/// Writes `error: …` to the standard error, whatever the level is, and waits a limited
/// time until it is written.
pub fn report_error(error: &impl Display) {
    push(format!("error: {}\n", visible(&error.to_string())).as_bytes());
    drain(timeouts::ERROR);
}

/// Waits for the last lines to be written, at the end of the process: as long as each
/// line may take, and at least a moment.
pub fn finish() {
    drain(timeout().max(timeouts::MOMENT));
}

fn push(line: &[u8]) {
    match STDERR.get_or_init(open) {
        Some(queue) => queue.push(line),
        // A failure here cannot be reported.
        None => drop(stream::stderr().write_all(line)),
    }
}

fn open() -> Option<LineQueue> {
    let report =
        |dropped| format!("warning: {dropped} lines were dropped, since they were not read\n");
    LineQueue::start("stderr", timeout(), report, stream::stderr(), drop).ok()
}

fn timeout() -> Duration {
    TIMEOUT.get().copied().unwrap_or_default()
}

fn drain(timeout: Duration) {
    if let Some(Some(queue)) = STDERR.get() {
        queue.drain(timeout);
    }
}

/// A writer to the queue, which never blocks for long.
struct QueuedStderr;

impl Write for QueuedStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        push(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_day_has_milliseconds() {
        let after_1970 = |ms| time_of_day(SystemTime::UNIX_EPOCH + Duration::from_millis(ms));
        assert_eq!(after_1970(0), "00:00:00.000");
        assert_eq!(after_1970(1_763_871_167_035), "04:12:47.035");
    }
}
