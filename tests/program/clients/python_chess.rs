//! python-chess is strict: it checks option bounds and reads every line of play. lichess-bot
//! is built on it.

use std::path::Path;
use std::process::Command;

use crate::clients::{python_with, run};
use crate::program::binary;

#[test]
#[ignore = "needs a Python with the package chess, which LOVEC_PYTHON names"]
fn python_chess() {
    let python = python_with("chess");
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/clients/python_chess.py");
    let ran = run(Command::new(python).arg(script).arg(binary()));
    assert_eq!(ran.last_line(), "everything passed");
}
