//! Python searches games of the laboratory by itself: values, counts and chances have to be the
//! same as those of Lovec. Each script takes a number, which by hand may be much larger:
//! `python3 tests/program/clients/exact_searches.py LOVEC 5000`.

use std::path::Path;
use std::process::Command;

use crate::clients::{python, run};
use crate::program::binary;

fn passes(script: &str, number: &str) {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/clients");
    let mut command = Command::new(python());
    command.arg(scripts.join(script)).arg(binary()).arg(number);
    assert_eq!(run(&mut command).last_line(), "everything passed");
}

#[test]
#[ignore = "needs Python"]
fn exact_searches_are_what_python_counts() {
    passes("exact_searches.py", "150");
}

#[test]
#[ignore = "needs Python"]
fn los_alamos_chess_is_what_python_counts() {
    passes("los_alamos.py", "3");
}

#[test]
#[ignore = "needs Python"]
fn games_with_hidden_cards_are_what_python_finds() {
    passes("hidden_games.py", "60");
}
