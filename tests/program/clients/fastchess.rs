//! fastchess checks an engine in some forty steps before it plays matches.

use std::env;
use std::process::Command;

use crate::clients::run;
use crate::program::binary;

#[test]
#[ignore = "needs fastchess, which LOVEC_FASTCHESS names"]
fn compliance() {
    let fastchess = env::var("LOVEC_FASTCHESS").unwrap_or_else(|_| "fastchess".to_owned());
    let output = run(Command::new(fastchess).arg("--compliance").arg(binary())).stdout;
    assert!(output.contains("passed all compliance checks"), "{output}");
    assert!(!output.contains("Failed"), "{output}");
    let steps = output.lines().filter(|line| line.starts_with("Step ")).count();
    let passed = output.lines().filter(|line| line.contains(" Passed")).count();
    assert!(steps >= 30 && passed == steps, "{passed} of {steps} steps passed:\n{output}");
}
