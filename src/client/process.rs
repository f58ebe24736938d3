//! The process of an engine and its lines.
//!
//! A thread reads and another writes, so that a process that is silent, or does not read,
//! delays the caller by no more than the caller allows. A third passes on the standard error.
//!
//! The process leads a group. When the client ends it, it ends the group; the number of a
//! group is used by no other as long as the process has not been waited for, and therefore
//! that comes last. A process that leaves the group is not found.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::client::error::EngineFault;
use crate::util::sync::lock;
use crate::util::thread::{SMALL_STACK_BYTES, start};
use crate::util::unsafe_ops::end_with_starting_thread;

/// The longest line that is accepted, in bytes. With the lines that may wait, an engine takes
/// some MiB of memory at most.
const MAX_LINE_BYTES: usize = 64 << 10;
/// Lines that may wait to be read. An engine that writes more has to wait itself.
const MAX_LINES: usize = 64;
/// Lines of the standard error that are shown, …
const MAX_ERROR_LINES: usize = 100;
/// … and the bytes of one of them.
const MAX_ERROR_BYTES: u64 = 1 << 10;
/// How often a wait looks whether it is to end early.
const POLL: Duration = Duration::from_millis(20);
/// How long a process that has closed its output may take to end by itself.
const END_TIMEOUT: Duration = Duration::from_millis(200);

/// A process, killed when it is dropped.
pub(super) struct EngineProcess {
    child: Child,
    input: Sender<String>,
    output: Receiver<Result<String, EngineFault>>,
    /// Passes on the standard error until that is closed.
    errors: Option<JoinHandle<()>>,
    /// Whether it has ended and was waited for.
    is_reaped: bool,
}

impl EngineProcess {
    pub fn start(mut command: Command) -> Result<Self, EngineFault> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        leave_signals_to_parent(&mut command);
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child = spawn(command)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, commands) = channel();
        let (lines, output) = sync_channel(MAX_LINES);
        // From here on the process is killed if anything fails.
        let mut process = Self { child, input, output, errors: None, is_reaped: false };
        if let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) {
            start("engine input", SMALL_STACK_BYTES, move || write_lines(stdin, &commands))?;
            start("engine output", SMALL_STACK_BYTES, move || read_lines(stdout, &lines))?;
            let show = move || show_errors(stderr, &program);
            process.errors = Some(start("engine errors", SMALL_STACK_BYTES, show)?);
        }
        Ok(process)
    }

    /// Sends a line. That the process has ended shows when its answer is read.
    pub fn send(&self, line: String) {
        let _ = self.input.send(line + "\n");
    }

    /// The next line, or `None` at the deadline.
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
                Ok(Ok(_)) if left.is_zero() => return Ok(None),
                Ok(line) => return line.map(Some),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(EngineFault::Ended {
                        status: self.end(),
                        command: command.to_owned(),
                    });
                }
                Err(RecvTimeoutError::Timeout) if left <= POLL => return Ok(None),
                // A process that it has left behind may keep the output open.
                Err(RecvTimeoutError::Timeout) if self.has_ended() => self.kill(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether the process, which has closed its output, has ended with success.
    pub fn has_succeeded(&mut self) -> bool {
        self.is_reaped && self.child.wait().is_ok_and(|status| status.success())
    }

    /// The status of a process that has closed its output, and which is killed if it does not
    /// end soon.
    fn end(&mut self) -> String {
        let deadline = Instant::now() + END_TIMEOUT;
        while !self.has_ended() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        let has_ended = self.has_ended();
        self.kill();
        // What it says on the standard error comes before the error of this program.
        while Instant::now() < deadline && self.errors.as_ref().is_some_and(|it| !it.is_finished())
        {
            thread::sleep(Duration::from_millis(1));
        }
        match self.child.wait() {
            Ok(status) if has_ended => status.to_string(),
            _ => "it closed its output".to_owned(),
        }
    }

    /// Whether the process has ended. It is not waited for, so that its group can be ended.
    fn has_ended(&mut self) -> bool {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let status = waitid(WaitId::Pid(Pid::from_child(&self.child)), options);
            !matches!(status, Ok(None))
        }
        #[cfg(not(unix))]
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills the process and its group.
    fn kill(&mut self) {
        if self.is_reaped {
            return;
        }
        #[cfg(unix)]
        {
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // Fails if it is a process of another user, which would be waited for in vain.
        if self.child.kill().is_ok() {
            let _ = self.child.wait();
            self.is_reaped = true;
        }
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
fn read_lines(stdout: ChildStdout, lines: &SyncSender<Result<String, EngineFault>>) {
    let mut source = BufReader::new(stdout);
    loop {
        let mut bytes = Vec::new();
        let mut limited = source.by_ref().take(MAX_LINE_BYTES as u64);
        match limited.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(MAX_LINE_BYTES) => {
                let _ = lines.send(Err(EngineFault::LongLine(MAX_LINE_BYTES)));
                return;
            }
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if lines.send(Ok(line)).is_err() {
            return;
        }
    }
}

/// Passes on what a process writes on its standard error, within limits: no engine can fill
/// the terminal, or change it.
fn show_errors(stderr: ChildStderr, program: &str) {
    let mut source = BufReader::new(stderr);
    for _ in 0..MAX_ERROR_LINES {
        let mut bytes = Vec::new();
        match source.by_ref().take(MAX_ERROR_BYTES).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => log::warn!("{program}: {}", String::from_utf8_lossy(&bytes).trim_end()),
        }
    }
    log::warn!("{program}: what else it writes on its standard error is not shown");
    let _ = io::copy(&mut source, &mut io::sink());
}

/// Starts a process that does not outlive this one, where the system can do that: see
/// [`end_with_starting_thread`]. The thread that starts it must therefore never end, and
/// starts all of them.
fn spawn(mut command: Command) -> io::Result<Child> {
    type Request = (Command, Sender<io::Result<Child>>);
    static STARTER: Mutex<Option<Sender<Request>>> = Mutex::new(None);
    end_with_starting_thread(&mut command);
    let ended = |_| io::Error::other("the thread that starts processes has ended");
    let (sender, answer) = channel();
    {
        let mut starter = lock(&STARTER);
        let requests = match &mut *starter {
            Some(requests) => requests,
            none => {
                let (requests, inbox) = channel::<Request>();
                start("engine start", SMALL_STACK_BYTES, move || {
                    for (mut command, sender) in inbox {
                        // The caller waits for the answer.
                        let _ = sender.send(command.spawn());
                    }
                })?;
                none.insert(requests)
            }
        };
        requests.send((command, sender)).map_err(|_| ended(()))?;
    }
    answer.recv().map_err(|_| ended(()))?
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
