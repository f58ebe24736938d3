//! python-chess counts the terms of the evaluations of theses, and the attacks on each square.

use std::path::Path;
use std::process::Command;

use crate::clients::{python, run};
use crate::program::binary;

#[test]
#[ignore = "needs python-chess"]
fn terms_and_attacks_are_what_python_chess_counts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(python());
    command.arg(root.join("tests/program/clients/theses.py")).arg(binary());
    command.arg(root.join("src/lab/game/croatian.rs"));
    assert_eq!(run(&mut command).last_line(), "everything passed");
}
