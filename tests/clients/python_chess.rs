//! python-chess is strict: it knows every option's bounds, reads every line of
//! play, and complains of what it cannot make sense of. lichess-bot is built on
//! it.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::{lovec, run, skip};

#[test]
fn python_chess() {
    let required = env::var("LOVEC_PYTHON").ok();
    let python = required.as_deref().unwrap_or("python3");
    let has_package = Command::new(python)
        .args(["-c", "import chess.engine"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_package {
        assert!(required.is_none(), "{python}, which LOVEC_PYTHON names, lacks the package chess");
        return skip("python_chess", "there is no python3 with the package chess");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/python_chess.py");
    let (status, said) = run("python_chess", Command::new(python).arg(script).arg(lovec()));
    assert!(status.success(), "{status}:\n{said}");
    assert!(said.ends_with("everything passed\n"), "{said}");
}
