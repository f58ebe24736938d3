//! The program under test, and the result of a run.

use std::env;
use std::fmt::Debug;
#[cfg(unix)]
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use rustix::process::Signal;
use serde_json::Value;

/// How long a run may take before it counts as hung.
pub const TIMEOUT: Duration = Duration::from_secs(120);

/// The program that `LOVEC_BINARY` names, or by default the one built by Cargo.
pub fn binary() -> String {
    env::var("LOVEC_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_lovec").to_owned())
}

/// `lovec` with these arguments, no input, and no variable that changes its output.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI", "RUST_LOG"] {
        command.env_remove(variable);
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs `lovec` with these arguments.
pub fn lovec(arguments: &[&str]) -> Ran {
    run(&mut command(arguments), "")
}

/// Runs `lovec` in a folder.
pub fn lovec_in(folder: &Path, arguments: &[&str]) -> Ran {
    run(command(arguments).current_dir(folder), "")
}

/// Writes a program that is a shell script.
#[cfg(unix)]
pub fn script(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Writes a program like another version of Lovec, which knows a term more and searches less.
#[cfg(unix)]
pub fn other_version(path: &Path) {
    let text = "if [ \"$1\" = eval ]; then 'LOVEC' \"$@\" \
        | sed 's/\"terms\": \\[/\"terms\": [{\"term\": \"added\", \"tapered\": -12.5},/'\n\
        else exec sed -u 's/^go nodes .*/go nodes 1/' | 'LOVEC'; fi";
    script(path, &text.replace("LOVEC", &binary()));
}

/// Runs a command that reads `input`; fails if it does not end within [`TIMEOUT`].
#[track_caller]
pub fn run(command: &mut Command, input: &str) -> Ran {
    run_for(command, input, TIMEOUT)
}

#[track_caller]
pub fn run_for(command: &mut Command, input: &str, timeout: Duration) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A program that ends early need not read its input.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let ran = end(child, command, timeout);
    writer.join().unwrap();
    ran
}

/// Waits for the end of a process whose output and errors are pipes.
#[track_caller]
pub fn end(mut child: Child, name: impl Debug, timeout: Duration) -> Ran {
    let stdout = read_all(child.stdout.take().unwrap());
    let stderr = read_all(child.stderr.take().unwrap());
    let status = wait(&mut child, timeout);
    let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
    let Some(status) = status else {
        panic!("{name:?} does not end within {timeout:?}:\n{stdout}\n{stderr}");
    };
    Ran { status: status.code(), stdout, stderr }
}

/// Reads a stream to its end in the background.
pub fn read_all(mut stream: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A kind of memory of a process, in MiB: `VmRSS` now, `VmHWM` at most. `None` if it has ended.
#[cfg(target_os = "linux")]
pub fn memory_mib(child: &Child, kind: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(kind)?.strip_prefix(':'))?;
    Some(line.split_whitespace().next()?.parse::<u64>().unwrap() / 1024)
}

/// How many of Ctrl-C and SIGTERM a process catches.
#[cfg(target_os = "linux")]
pub fn caught(child: &Child) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    let mask = u64::from_str_radix(mask.trim(), 16).unwrap();
    let is_caught = |signal: &Signal| mask >> (signal.as_raw() - 1) & 1 == 1;
    [Signal::INT, Signal::TERM].iter().filter(|signal| is_caught(signal)).count()
}

/// Waits until a process catches both.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn wait_until_caught(child: &mut Child) {
    wait_until(child, |child| caught(child) == 2);
}

/// Waits until something holds, which must be so before the process ends.
#[track_caller]
pub fn wait_until(child: &mut Child, holds: impl Fn(&Child) -> bool) {
    let start = Instant::now();
    while !holds(child) {
        assert!(child.try_wait().unwrap().is_none(), "the process has ended");
        assert!(start.elapsed() < TIMEOUT, "nothing happens");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Processor time that a process has used, in hundredths of a second.
#[cfg(target_os = "linux")]
pub fn processor_ticks(child: &Child) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    // The name may hold anything; the fields after it begin with the state.
    let fields = stat.rsplit_once(") ").unwrap().1.split(' ');
    fields.skip(11).take(2).map(|field| field.parse::<u64>().unwrap()).sum()
}

/// Waits for the end of a process. If it does not end in time, it is killed and has no
/// status.
pub fn wait(child: &mut Child, timeout: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + timeout;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// How a command has ended, and what it wrote.
#[derive(Debug)]
pub struct Ran {
    /// `None` if it was ended by a signal.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Fails if the program panicked or was ended by a signal.
    #[track_caller]
    pub fn orderly(self) -> Self {
        assert!(self.status.is_some() && !self.stderr.contains("panicked"), "{self:?}");
        self
    }

    #[track_caller]
    pub fn succeeded(self) -> Self {
        let ran = self.orderly();
        assert_eq!(ran.status, Some(0), "{ran:?}");
        ran
    }

    /// Fails unless the status is 2 and the error holds `text`.
    #[track_caller]
    pub fn failed(self, text: &str) -> Self {
        let ran = self.orderly();
        assert!(ran.status == Some(2) && ran.stderr.contains(text), "no {text:?} in {ran:?}");
        ran
    }

    /// The same, with a single line of error and no output.
    #[track_caller]
    pub fn refused(self, text: &str) -> Self {
        let ran = self.failed(text);
        let errors = ran.stderr.lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!((errors, ran.stdout.as_str()), (1, ""), "{ran:?}");
        ran
    }

    /// How many lines of the output begin with `start`.
    #[cfg(target_os = "linux")]
    pub fn lines_starting_with(&self, start: &str) -> usize {
        self.stdout.lines().filter(|line| line.starts_with(start)).count()
    }

    /// The output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}
