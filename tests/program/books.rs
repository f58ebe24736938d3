//! `lovec book`, driven as its users drive it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::folder::folder;
use crate::program::{Ran, lovec_in};

const GAMES: &str = "\
[Event \"one\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0

[Event \"two\"]
[Result \"1/2-1/2\"]

1. Nf3 Nc6 2. e4 e5 3. Bc4 1/2-1/2

[Event \"three\"]
[Result \"0-1\"]

1. d4 d5 2. Qxd5 0-1

[Event \"four\"]
[Result \"*\"]

1. c4 *
";

/// A folder with the games.
fn folder_with_games(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    folder
}

fn book(folder: &Path, arguments: &[&str]) -> Ran {
    lovec_in(folder, &[&["book"], arguments].concat())
}

/// Runs a command that must succeed, and be silent on the standard error; what it
/// wrote.
fn said(folder: &Path, arguments: &[&str]) -> String {
    let ran = book(folder, arguments).succeeded();
    assert_eq!(ran.stderr, "", "{arguments:?}");
    ran.stdout
}

/// Runs a command that must fail; returns its error.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    book(folder, arguments).refused("").stderr
}

/// Moves and weights in a position.
fn moves(folder: &Path, name: &str, fen: &str) -> Vec<(String, u64)> {
    let json: Value = serde_json::from_str(&said(folder, &["show", name, fen, "--json"])).unwrap();
    let row = |row: &Value| {
        assert_eq!(row["legal"], Value::Bool(true), "{row}");
        (row["uci"].as_str().unwrap().to_owned(), row["weight"].as_u64().unwrap())
    };
    json["moves"].as_array().unwrap().iter().map(row).collect()
}

fn pairs(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|&(text, weight)| (text.to_owned(), weight)).collect()
}

/// After 1. e4 e5 2. Nf3 Nc6, in either order.
const FOUR_PLIES: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

#[test]
fn a_book_is_built_and_shown() {
    let folder = folder_with_games("built");
    let built = said(&folder, &["build", "games.pgn", "-o", "all.bin", "--min-games", "1"]);
    let census = "4 games read, 3 used, 1 of them cut short at an illegal move, 1 without a result";
    assert!(built.starts_with(census), "{built}");
    assert!(built.ends_with("all.bin: 9 moves in 7 positions\n"), "{built}");
    assert_eq!(moves(&folder, "all.bin", "startpos"), pairs(&[("e2e4", 2), ("g1f3", 1)]));
    assert_eq!(moves(&folder, "all.bin", FOUR_PLIES), pairs(&[("f1b5", 2), ("f1c4", 1)]));

    let shown = said(&folder, &["show", "all.bin"]);
    let rows: Vec<Vec<&str>> =
        shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["move", "uci", "weight", "share"]);
    assert_eq!(rows[1], ["e4", "e2e4", "2", "66.7", "%"]);
    assert_eq!(rows[2], ["Nf3", "g1f3", "1", "33.3", "%"]);
    assert_eq!(rows.len(), 3);
    let unknown = said(&folder, &["show", "all.bin", "4k3/8/8/8/8/8/8/4K3", "w", "-", "-"]);
    assert!(unknown.contains("does not know 4k3/8"), "{unknown}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn limits_leave_out() {
    let folder = folder_with_games("limits");
    said(&folder, &["build", "games.pgn", "-o", "one.bin", "--min-games", "1", "--max-ply", "1"]);
    assert_eq!(moves(&folder, "one.bin", "startpos"), pairs(&[("e2e4", 2), ("g1f3", 1)]));
    assert_eq!(moves(&folder, "one.bin", FOUR_PLIES), []);
    // Twice the same file is twice the games.
    said(&folder, &["build", "games.pgn", "games.pgn", "-o", "two.bin"]);
    assert_eq!(moves(&folder, "two.bin", FOUR_PLIES), pairs(&[("f1b5", 4), ("f1c4", 2)]));
    let none = refused(&folder, &["build", "games.pgn", "-o", "none.bin"]);
    assert!(none.contains("no move was played in 2 games"), "{none}");
    assert!(!folder.join("none.bin").exists());
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn gzip_is_the_same_games() {
    let folder = folder_with_games("gzip");
    let file = File::create(folder.join("games.pgn.gz")).unwrap();
    let mut encoder = GzEncoder::new(file, Compression::default());
    encoder.write_all(GAMES.as_bytes()).unwrap();
    encoder.finish().unwrap();
    said(&folder, &["build", "games.pgn", "-o", "plain.bin", "--min-games", "1"]);
    said(&folder, &["build", "games.pgn.gz", "-o", "packed.bin", "--min-games", "1"]);
    let read = |name| fs::read(folder.join(name)).unwrap();
    assert_eq!(read("plain.bin"), read("packed.bin"));
    // Cut off, it is not taken for what it begins with.
    let packed = read("games.pgn.gz");
    fs::write(folder.join("cut.pgn.gz"), &packed[..packed.len() - 20]).unwrap();
    refused(&folder, &["build", "cut.pgn.gz", "-o", "cut.bin", "--min-games", "1"]);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = folder_with_games("refused");
    let missing = refused(&folder, &["build", "nothing.pgn", "-o", "a.bin"]);
    assert!(missing.contains("cannot read nothing.pgn"), "{missing}");
    let unwritable = refused(&folder, &["build", "games.pgn", "games.pgn", "-o", "no/such/a.bin"]);
    assert!(unwritable.contains("cannot write no/such/a.bin"), "{unwritable}");

    said(&folder, &["build", "games.pgn", "games.pgn", "-o", "a.bin"]);
    let bytes = fs::read(folder.join("a.bin")).unwrap();
    fs::write(folder.join("cut.bin"), &bytes[..bytes.len() - 1]).unwrap();
    let truncated = refused(&folder, &["show", "cut.bin"]);
    assert!(truncated.contains("truncated"), "{truncated}");
    let unsorted = [&bytes[bytes.len() - 16..], &bytes[..bytes.len() - 16]].concat();
    fs::write(folder.join("unsorted.bin"), unsorted).unwrap();
    let unsorted = refused(&folder, &["show", "unsorted.bin"]);
    assert!(unsorted.contains("out of order"), "{unsorted}");
    refused(&folder, &["show", "missing.bin"]);
    refused(&folder, &["show", "a.bin", "nonsense"]);
    let chess960 = refused(&folder, &["show", "a.bin", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1"]);
    assert!(chess960.contains("Chess960"), "{chess960}");
    fs::remove_dir_all(&folder).unwrap();
}

/// The match of 1997: Kasparov won the first game with the Reti and drew the third
/// with 1. d3 and the fifth with the Reti again; Deep Blue opened the others with the
/// king's pawn.
#[test]
fn games_of_a_match() {
    let folder = folder_with_games("match");
    let games =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games/kasparov-deep-blue-1997.pgn");
    let built = said(&folder, &["build", games, "-o", "match.bin", "--min-games", "1"]);
    assert!(built.starts_with("6 games read, 6 used\n"), "{built}");
    let mut first = moves(&folder, "match.bin", "startpos");
    first.sort();
    assert_eq!(first, pairs(&[("d2d3", 1), ("e2e4", 5), ("g1f3", 3)]));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
#[ignore = "needs a book that people use, which LOVEC_BOOK names"]
fn a_published_book_is_read() {
    let book = std::env::var("LOVEC_BOOK").expect("LOVEC_BOOK names a Polyglot book");
    let folder = folder_with_games("published");
    let known = moves(&folder, &book, "startpos");
    assert!(known.iter().any(|(text, weight)| text == "e2e4" && *weight > 0), "{known:?}");
    fs::remove_dir_all(&folder).unwrap();
}
