//! Python scripts that play with Lovec, or find by themselves what it finds.

use std::env;

use crate::clients::{run, script};
use crate::folder::folder;
use crate::program::binary;

/// Fails unless a script passes with the program and these arguments.
fn passes(name: &str, arguments: &[&str]) {
    let ran = run(script(name).arg(binary()).args(arguments));
    assert_eq!(ran.last_line(), "everything passed");
}

/// python-chess is strict: it checks option bounds and reads every line of play. lichess-bot
/// is built on it.
#[test]
#[ignore = "needs a Python with the package chess, which LOVEC_PYTHON names"]
fn python_chess() {
    passes("python_chess.py", &[]);
}

/// With its stock configuration, against a server of this test.
#[test]
#[ignore = "needs lichess-bot, whose folder LOVEC_LICHESS_BOT names, and LOVEC_PYTHON with what it requires"]
fn lichess_bot_plays_on_a_server() {
    let bot = env::var("LOVEC_LICHESS_BOT").expect("LOVEC_LICHESS_BOT names no folder");
    let folder = folder("lichess-bot");
    passes("lichess_bot.py", &[&bot, folder.to_str().unwrap()]);
}

// The numbers below may be much larger by hand:
// `python3 tests/program/clients/exact_searches.py LOVEC 5000`.

/// Games of the laboratory: values, counts and chances.
#[test]
#[ignore = "needs Python"]
fn exact_searches_are_what_python_counts() {
    passes("exact_searches.py", &["150"]);
}

#[test]
#[ignore = "needs Python"]
fn games_with_hidden_cards_are_what_python_finds() {
    passes("hidden_games.py", &["60"]);
}

/// The terms of the evaluations of theses, and the attacks on each square.
#[test]
#[ignore = "needs a Python with the package chess, which LOVEC_PYTHON names"]
fn terms_and_attacks_are_what_python_chess_counts() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lab/game/croatian.rs");
    passes("theses.py", &[tables, "40"]);
}

/// Every entry of the book that Lovec builds of random games.
#[test]
#[ignore = "needs a Python with the package chess, which LOVEC_PYTHON names"]
fn books_are_what_python_chess_counts() {
    let folder = folder("books");
    passes("books.py", &[folder.to_str().unwrap(), "600"]);
}
