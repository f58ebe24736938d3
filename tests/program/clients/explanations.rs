//! python-chess derives the claims of explanations again.

use crate::clients::{run, script};
use crate::program::binary;

/// Few explanations for either level, for every run of the tests. By hand, with more:
///
/// ```sh
/// python3 tests/program/clients/explanations.py target/release/lovec 10000
/// ```
const EXPLANATIONS: &str = "100";

#[test]
#[ignore = "needs a Python with the package chess, which LOVEC_PYTHON names"]
fn every_claim_of_an_explanation_is_true() {
    for level in ["club", "expert"] {
        let arguments = [EXPLANATIONS, "--nodes", "1000", "--level", level];
        let ran = run(script("explanations.py").arg(binary()).args(arguments));
        assert!(ran.last_line().ends_with(", 0 false"), "{}", ran.stdout);
    }
}
