//! Ctrl-C: the early end of a long job.
//!
//! The first signal, SIGINT, SIGTERM or SIGHUP, stops the job, which then shows its results
//! so far; the second one ends the process at once. One that comes with the first is no second
//! one: `timeout` and other programs pass on what the terminal has sent to all. Jobs without
//! partial results and UCI keep the default action. So does SIGHUP where this program may not
//! know whether it is ignored, as `nohup` wants it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::cli::CommandStatus;
use crate::search::{STACK_BYTES, Stop};
use crate::util::thread::{SMALL_STACK_BYTES, start};

/// How often the signal is read. A signal handler may only set a number; stopping a search
/// takes a lock.
const INTERVAL: Duration = Duration::from_millis(10);

/// For how long after the first signal others count as the same one.
const REPEATS: Duration = Duration::from_millis(300);

/// Catches the signals that stop a job.
#[derive(Clone, Debug)]
pub(super) struct Interrupt {
    /// Stopped soon after the first signal.
    pub stop: Arc<Stop>,
    /// The number of the signal, 0 for none.
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Catches the signals from now on, for the rest of the process.
    pub fn catch() -> io::Result<Self> {
        let interrupt = Self { stop: Arc::default(), signal: Arc::default() };
        let ends_at_once = Arc::new(AtomicBool::new(false));
        for number in [SIGINT, SIGTERM].into_iter().chain(hang_up()) {
            let (status, ends) = (exit_status(number), Arc::clone(&ends_at_once));
            flag::register_conditional_shutdown(number, status, ends)?;
            flag::register_usize(number, Arc::clone(&interrupt.signal), number as usize)?;
        }
        let Self { stop, signal } = interrupt.clone();
        start("interrupt", SMALL_STACK_BYTES, move || {
            while signal.load(Ordering::SeqCst) == 0 {
                thread::sleep(INTERVAL);
            }
            stop.stop();
            thread::sleep(REPEATS);
            ends_at_once.store(true, Ordering::SeqCst);
        })?;
        Ok(interrupt)
    }

    /// Whether a signal came.
    pub fn is_raised(&self) -> bool {
        self.stop.is_stopped()
    }

    /// The result of work that cannot be stopped; `None` if a signal comes before its end. The
    /// work is then left to the end of the process.
    ///
    /// # Errors
    ///
    /// If no thread can be started, or the work panics.
    pub fn wait_for<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>> {
        let (sender, inbox) = sync_channel(1);
        start(name, STACK_BYTES, move || sender.send(work()))?;
        loop {
            match inbox.recv_timeout(INTERVAL) {
                Ok(result) => return Ok(Some(result)),
                Err(RecvTimeoutError::Timeout) if self.is_raised() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => bail!("the {name} has failed"),
            }
        }
    }

    /// The status of a job: `uninterrupted` unless a signal came.
    pub fn status(&self, uninterrupted: CommandStatus) -> CommandStatus {
        if !self.is_raised() {
            return uninterrupted;
        }
        let signal = i32::try_from(self.signal.load(Ordering::SeqCst)).unwrap_or(SIGINT);
        CommandStatus::Interrupted { exit_status: exit_status(signal) as u8 }
    }
}

/// The signal that the terminal is gone, unless it is ignored.
fn hang_up() -> Option<i32> {
    #[cfg(target_os = "linux")]
    {
        use std::path::Path;

        use signal_hook::consts::SIGHUP;

        use crate::util::input_file::read_text;
        let status = read_text(Path::new("/proc/self/status"), 1 << 16).ok()?;
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        let ignored = u64::from_str_radix(ignored.trim(), 16).ok()?;
        ((ignored >> (SIGHUP - 1)) & 1 == 0).then_some(SIGHUP)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// The exit status that shells use for a program ended by a signal.
fn exit_status(signal: i32) -> i32 {
    128 + signal
}
