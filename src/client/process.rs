//! The process of an engine and its lines.
//!
//! A thread reads and another writes, so that a process that is silent, or does not read,
//! delays the caller by no more than the caller allows.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::error::EngineFault;
use crate::util::thread::{SMALL_STACK_BYTES, start};

/// The longest line that is accepted, in bytes.
const MAX_LINE_BYTES: usize = 1 << 20;
/// Lines that may wait to be read. An engine that writes more has to wait itself.
const MAX_LINES: usize = 256;
/// How often a wait looks whether it is to end early.
const POLL: Duration = Duration::from_millis(20);
/// How long a process that has closed its output may take to end by itself.
const END_TIMEOUT: Duration = Duration::from_millis(200);

/// A process, killed when it is dropped.
pub(super) struct EngineProcess {
    child: Child,
    input: Sender<String>,
    output: Receiver<Line>,
}

enum Line {
    Complete(String),
    TooLong,
}

impl EngineProcess {
    pub fn start(mut command: Command) -> Result<Self, EngineFault> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        leave_signals_to_parent(&mut command);
        let mut child = command.spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (input, commands) = channel();
        let (lines, output) = sync_channel(MAX_LINES);
        // From here on the process is killed if anything fails.
        let process = Self { child, input, output };
        if let (Some(stdin), Some(stdout)) = (stdin, stdout) {
            start("engine input", SMALL_STACK_BYTES, move || write_lines(stdin, &commands))?;
            start("engine output", SMALL_STACK_BYTES, move || read_lines(stdout, &lines))?;
        }
        Ok(process)
    }

    /// Sends a line. That the process has ended shows when its answer is read.
    pub fn send(&self, line: String) {
        let _ = self.input.send(line + "\n");
    }

    /// The next line, or `None` at the deadline.
    ///
    /// # Errors
    ///
    /// If the process has ended, the line is too long, or `is_stopped` returns true.
    pub fn read_line(
        &mut self,
        command: &str,
        deadline: Instant,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<String>, EngineFault> {
        loop {
            if is_stopped() {
                return Err(EngineFault::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(POLL)) {
                // An engine that never stops writing has a deadline as well.
                Ok(Line::Complete(_)) if left.is_zero() => return Ok(None),
                Ok(Line::Complete(line)) => return Ok(Some(line)),
                Ok(Line::TooLong) => return Err(EngineFault::LongLine(MAX_LINE_BYTES)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(EngineFault::Ended {
                        status: self.end(),
                        command: command.to_owned(),
                    });
                }
                Err(RecvTimeoutError::Timeout) if left <= POLL => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether the process has ended by itself, and with success.
    pub fn has_succeeded(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some_and(|status| status.success()))
    }

    /// The status of the process, which is killed if it does not end soon.
    fn end(&mut self) -> String {
        let deadline = Instant::now() + END_TIMEOUT;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.to_string();
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.kill();
        "it closed its output".to_owned()
    }

    /// Kills the process and its children.
    pub fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(None) = self.child.try_wait() {
            // The process leads a group of its own. The group is gone if the process is.
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // Both fail only if the process has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

fn write_lines(mut stdin: ChildStdin, commands: &Receiver<String>) {
    while let Ok(line) = commands.recv() {
        // Fails if the process has ended.
        if stdin.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// Sends the lines until the process closes its output or the receiver is gone.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<Line>) {
    let mut source = BufReader::new(stdout);
    loop {
        let mut bytes = Vec::new();
        let mut limited = source.by_ref().take(MAX_LINE_BYTES as u64);
        match limited.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(MAX_LINE_BYTES) => {
                let _ = lines.send(Line::TooLong);
                return;
            }
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if lines.send(Line::Complete(line)).is_err() {
            return;
        }
    }
}

/// Ctrl-C on a terminal signals its whole process group. An engine gets one of its own, so
/// that only the parent ends, which then ends it.
fn leave_signals_to_parent(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
    }
}
