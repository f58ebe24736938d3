//! python-chess is strict: it knows every option's bounds, reads every line of
//! play, and complains of what it cannot make sense of. lichess-bot is built on
//! it.

use std::path::Path;
use std::process::Command;

use crate::clients::{lovec, python_with_chess, run, skip};

#[test]
fn python_chess() {
    let Some(python) = python_with_chess() else {
        return skip("python_chess", "there is no python3 with the package chess");
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/python_chess.py");
    let (status, said) = run("python_chess", Command::new(python).arg(script).arg(lovec()));
    assert!(status.success(), "{status}:\n{said}");
    assert!(said.ends_with("everything passed\n"), "{said}");
}
