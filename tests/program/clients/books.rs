//! python-chess counts the moves of games by itself, and reads the book that Lovec
//! builds of the same games: every entry has to be the same.

use std::path::Path;
use std::process::Command;

use crate::clients::{python_with, run};
use crate::folder::folder;
use crate::program::binary;

/// Games to play and count; by hand it may be many more:
/// `python3 tests/program/clients/books.py LOVEC FOLDER 10000`.
const GAMES: &str = "600";

#[test]
#[ignore = "needs a Python with the package chess, which LOVEC_PYTHON names"]
fn books_are_what_python_chess_counts() {
    let python = python_with("chess");
    let folder = folder("books");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/clients/books.py");
    let mut command = Command::new(python);
    command.arg(script).arg(binary()).arg(&folder).arg(GAMES);
    assert_eq!(run(&mut command).last_line(), "everything passed");
}
