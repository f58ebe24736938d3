//! UCI dialogues with the real program: what clients send, and hostile input.
//!
//! The table of hostile input is in `README.md`. A test of one of its rows begins its
//! description with the number: "Row 12." or "Rows 19 and 20." Rules for every dialogue
//! are checked by [`Session`](crate::session::Session), rules for every search by
//! [`check_answer`](crate::referee::check_answer).

mod books;
mod clients;
mod fifty_moves;
mod game_over;
mod go;
mod hash;
mod log_file;
mod options;
mod positions;
mod reports;
mod streams;
mod strength;
mod syzygy;
mod threads;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const KIWIPETE: &str = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The numbers in a text.
fn numbers(text: &str) -> impl Iterator<Item = u32> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok())
}

#[test]
fn every_row_has_a_test() {
    let table = include_str!("README.md").lines().filter_map(|line| line.strip_prefix("| "));
    let rows: BTreeSet<u32> =
        table.filter_map(|line| line.split(' ').next()?.parse().ok()).collect();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program");
    let mut tested = BTreeSet::new();
    for folder in ["uci_session", "uci_fuzz"] {
        for file in fs::read_dir(tests.join(folder)).unwrap() {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            let descriptions = text.lines().filter_map(|line| line.strip_prefix("/// Row"));
            // The first clause: "s 25 and 26.", " 38: `quit` …".
            tested
                .extend(descriptions.flat_map(|it| numbers(it.split(['.', ':']).next().unwrap())));
        }
    }
    assert!(!rows.is_empty());
    assert_eq!(rows, tested, "rows of README.md, rows with a test");
}
