//! The command line, through arguments, the standard streams, signals and a terminal.

mod analyse;
mod build;
#[cfg(unix)]
mod compare;
mod evaluation;
mod explain;
#[cfg(target_os = "linux")]
mod interrupt;
mod lab;
mod positions;
mod suites;
#[cfg(target_os = "linux")]
mod terminal;

use std::fs;
use std::path::Path;

use crate::program::{Ran, command, run};

/// Runs a command that reads `input`.
fn lovec_with_input(arguments: &[&str], input: &str) -> Ran {
    run(&mut command(arguments), input)
}

/// Writes a file and returns its path.
fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}
