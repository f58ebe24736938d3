//! python-chess is strict: it knows every option's bounds, reads every line of
//! play, and complains of what it cannot make sense of. lichess-bot is built on
//! it.

use std::path::Path;
use std::process::Command;

use crate::clients::{python_with_chess, run};
use crate::program::binary;

#[test]
#[ignore = "needs a Python with the package chess, which LOVEC_PYTHON names"]
fn python_chess() {
    let python = python_with_chess();
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/clients/python_chess.py");
    let (status, said) = run("python_chess", Command::new(python).arg(script).arg(binary()));
    assert!(status.success(), "{status}:\n{said}");
    assert!(said.ends_with("everything passed\n"), "{said}");
}
