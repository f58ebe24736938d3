//! The command line, through arguments, the standard streams, signals and a terminal.

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
use std::path::Path;
use std::process::Stdio;

use crate::program::{Ran, command};

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

/// Writes a file and returns its path.
fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}
