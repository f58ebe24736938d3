//! The program under test, and the result of a run.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program that `LOVEC_BINARY` names, or by default the one built by Cargo.
pub fn binary() -> String {
    env::var("LOVEC_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_lovec").to_owned())
}

/// `lovec` with these arguments, no input, and no variable that changes its output.
pub fn command(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(binary());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_LOG"] {
        command.env_remove(variable);
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs `lovec` with these arguments.
pub fn lovec(arguments: &[impl AsRef<OsStr>]) -> Ran {
    command(arguments).output().unwrap().into()
}

/// Runs `lovec` in a folder.
pub fn lovec_in(folder: &Path, arguments: &[&str]) -> Ran {
    command(arguments).current_dir(folder).output().unwrap().into()
}

/// How a command has ended, and what it wrote.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
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
    pub fn succeeded(self) -> Self {
        assert_eq!(self.status, Some(0), "{self:?}");
        self
    }

    /// Fails unless the status is 2 and the error, a single line, holds `text`.
    #[track_caller]
    pub fn refused(self, text: &str) -> Self {
        assert_eq!((self.status, self.stdout.as_str()), (Some(2), ""), "{self:?}");
        let errors = self.stderr.lines().filter(|line| line.starts_with("error: ")).count();
        assert!(errors == 1 && self.stderr.contains(text), "no {text:?} in {self:?}");
        self
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
