//! python-chess derives the claims of explanations again.

use std::process::Command;

use crate::clients::{python_with, run};
use crate::program::binary;

/// Few explanations, for every run of the tests. By hand, with more:
///
/// ```sh
/// python3 tests/program/clients/explanations.py target/release/lovec 10000
/// ```
const EXPLANATIONS: &str = "150";

#[test]
#[ignore = "needs a Python with the package chess, which LOVEC_PYTHON names"]
fn every_claim_of_an_explanation_is_true() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/clients/explanations.py");
    let mut command = Command::new(python_with("chess"));
    let ran = run(command.arg(script).arg(binary()).args([EXPLANATIONS, "--nodes", "1000"]));
    assert!(ran.last_line().ends_with(", 0 false"), "{}", ran.stdout);
}
