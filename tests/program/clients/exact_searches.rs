//! Python counts the exact searches of random trees by itself: values, nodes and leaves have to
//! be the same as those of `lovec lab compare`.

use std::path::Path;
use std::process::Command;

use crate::clients::{python, run};
use crate::program::binary;

/// Trees to search; by hand it may be many more:
/// `python3 tests/program/clients/exact_searches.py LOVEC 5000`.
const TREES: &str = "150";

#[test]
#[ignore = "needs Python"]
fn exact_searches_are_what_python_counts() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/clients");
    let mut command = Command::new(python());
    command.arg(scripts.join("exact_searches.py")).arg(binary()).arg(TREES);
    assert_eq!(run(&mut command).last_line(), "everything passed");
}
