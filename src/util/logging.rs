//! The log, on the standard error, since the standard output belongs to the protocol
//! and to the results of commands.
//!
//! Only problems are logged unless somebody asks for more. They are written for
//! people, `warning: …` and `error: …`; everything below has the time, the level and
//! the module besides.
//!
//! Nobody need read the standard error. All that is written there passes a
//! [`LineQueue`], so that neither a game nor a search waits for it.

use std::env;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use env_logger::{Logger, Target};
use log::{Level, LevelFilter, Log, Metadata, Record};

use crate::util::line_queue::LineQueue;
use crate::util::stream;

/// The variable that says what to log.
const VARIABLE: &str = "RUST_LOG";
/// What is logged when nobody asks for more.
const DEFAULT_LEVEL: LevelFilter = LevelFilter::Warn;
/// How long the end of the process waits for a standard error that takes nothing.
const PATIENCE_AT_THE_END: Duration = Duration::from_millis(50);
/// The same if the last line is an error that somebody should see.
const PATIENCE_WITH_ERROR: Duration = Duration::from_secs(1);

/// How long whoever logs may wait for the standard error.
static PATIENCE: OnceLock<Duration> = OnceLock::new();
/// The way to the standard error, from the first line on; `None` if there is no
/// thread for it.
static STDERR: OnceLock<Option<LineQueue>> = OnceLock::new();

/// Begins to log what `level` or the variable `RUST_LOG` asks for. Whoever logs more
/// than the standard error takes waits for it up to `patience` without progress;
/// after that, lines are dropped.
pub fn start(level: Option<LevelFilter>, patience: Duration) {
    let _ = PATIENCE.set(patience);
    let mut logger = env_logger::Builder::new();
    let wanted = env::var(VARIABLE).unwrap_or_default();
    // The logger would report_error by a macro that panics if nothing can be written.
    let mistake = env_filter::Builder::new().try_parse(&wanted).err();
    if wanted.trim().is_empty() || mistake.is_some() {
        logger.filter_level(DEFAULT_LEVEL);
    } else {
        logger.parse_filters(&wanted);
    }
    if let Some(level) = level {
        logger.filter_level(level);
    }
    logger.format(|line, record| match record.level() {
        Level::Error => writeln!(line, "error: {}", record.args()),
        Level::Warn => writeln!(line, "warning: {}", record.args()),
        level => {
            let time = time_of_day(SystemTime::now());
            writeln!(line, "[{time} {level} {}] {}", record.target(), record.args())
        }
    });
    let logger = logger.target(Target::Pipe(Box::new(QueuedStderr))).build();
    log::set_max_level(logger.filter());
    // Fails only if there is a logger already, as in a test.
    let _ = log::set_boxed_logger(Box::new(QueuedLogger(logger)));
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

/// Writes `error: …` to the standard error, whatever is logged, and waits until it is
/// written, but not for ever.
pub fn report_error(error: &impl Display) {
    push(format!("error: {error}\n").as_bytes());
    drain(PATIENCE_WITH_ERROR);
}

/// Gives the lines that wait a moment to be written, at the end of the process.
pub fn finish() {
    drain(PATIENCE_AT_THE_END);
}

fn push(line: &[u8]) {
    match STDERR.get_or_init(open) {
        Some(queue) => queue.push(line),
        // If even this fails, there is nobody to tell.
        None => drop(stream::stderr().write_all(line)),
    }
}

fn open() -> Option<LineQueue> {
    let patience = PATIENCE.get().copied().unwrap_or_default();
    let report = |dropped| format!("warning: {dropped} lines were dropped, since nobody read\n");
    LineQueue::start("stderr", patience, || Ok(Some(stream::stderr())), report, drop).ok()
}

fn drain(patience: Duration) {
    if let Some(Some(queue)) = STDERR.get() {
        queue.drain(patience);
    }
}

/// The standard error as a place that takes everything at once.
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

/// A logger whose `flush` waits a moment until the lines are written.
struct QueuedLogger(Logger);

impl Log for QueuedLogger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        self.0.log(record);
    }

    fn flush(&self) {
        finish();
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
