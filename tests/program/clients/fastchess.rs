//! fastchess checks an engine in some forty steps before it plays matches.

use std::env;
use std::process::{Command, Stdio};

use crate::clients::{lovec, run, skip};

/// The program to run, if there is one.
fn fastchess() -> Option<String> {
    if let Ok(path) = env::var("LOVEC_FASTCHESS") {
        return Some(path);
    }
    let found = Command::new("fastchess")
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    found.is_ok().then(|| "fastchess".to_owned())
}

#[test]
fn compliance() {
    let Some(fastchess) = fastchess() else {
        return skip("compliance", "fastchess is not installed and LOVEC_FASTCHESS not set");
    };
    let (status, said) = run("fastchess", Command::new(fastchess).arg("--compliance").arg(lovec()));
    assert!(status.success(), "{status}:\n{said}");
    assert!(said.contains("passed all compliance checks"), "{said}");
    assert!(!said.contains("Failed"), "{said}");
    let steps = said.lines().filter(|line| line.starts_with("Step ")).count();
    let passed = said.lines().filter(|line| line.contains(" Passed")).count();
    assert!(steps >= 30 && passed == steps, "{passed} of {steps} steps passed:\n{said}");
}
