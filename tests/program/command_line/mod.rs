//! The command line, driven as its users drive it: through arguments, the standard
//! streams, signals and a terminal.

mod analyse;
mod build;
mod evaluation;
#[cfg(target_os = "linux")]
mod interrupt;
mod numbers;
mod positions;
mod suites;
#[cfg(target_os = "linux")]
mod terminal;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::uci_session::session::binary;

/// How a command has ended, and what it wrote.
#[derive(Debug)]
struct Ran {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    #[track_caller]
    fn succeeded(self) -> Self {
        assert_eq!(self.status, Some(0), "{self:?}");
        self
    }

    /// Fails unless the status is 2 and the error, a single line, holds `text`.
    #[track_caller]
    fn refused(self, text: &str) -> Self {
        assert_eq!((self.status, self.stdout.as_str()), (Some(2), ""), "{self:?}");
        let errors = self.stderr.lines().filter(|line| line.starts_with("error: ")).count();
        assert!(errors == 1 && self.stderr.contains(text), "no {text:?} in {self:?}");
        self
    }

    /// The output as JSON.
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}

/// `lovec` with these arguments, and nothing in its environment that asks for colours.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_LOG"] {
        command.env_remove(variable);
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

fn lovec(arguments: &[&str]) -> Ran {
    command(arguments).output().unwrap().into()
}

/// Runs a command that reads `input`.
fn lovec_with_input(arguments: &[&str], input: &str) -> Ran {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has read enough may close its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap().into()
}

/// An empty folder for one caller, though others may use the same name.
fn folder(name: &str) -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("command line {name} {number}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a file and returns its path.
fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}
