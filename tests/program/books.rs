//! `lovec book` on the command line.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::folder::{Folder, folder};
use crate::program::{Ran, command, lovec_in, run};

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
fn folder_with_games(name: &str) -> Folder {
    folder(name).with("games.pgn", GAMES)
}

fn book(folder: &Path, arguments: &[&str]) -> Ran {
    lovec_in(folder, &[&["book"], arguments].concat())
}

/// What is wrong with the third game.
const FAULT: &str = ", line 14, 2.: Qxd5 is not legal here";

/// The output of a command that must succeed; it may name that, once for each file that is read.
fn output(folder: &Path, arguments: &[&str]) -> String {
    let ran = book(folder, arguments).succeeded();
    let files = arguments.iter().filter(|&&it| it == "games.pgn").count();
    let faults: Vec<&str> = ran.stderr.lines().collect();
    let is_right = faults.len() <= files && faults.iter().all(|line| line.ends_with(FAULT));
    assert!(is_right, "{arguments:?}: {ran:?}");
    ran.stdout
}

/// Moves and weights in a position.
fn moves(folder: &Path, name: &str, fen: &str) -> Vec<(String, u64)> {
    let json: Value =
        serde_json::from_str(&output(folder, &["show", name, fen, "--json"])).unwrap();
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
    let built = output(&folder, &["build", "games.pgn", "-o", "all.bin", "--min-games", "1"]);
    let stats = "4 games read, 3 used, 1 of them cut short at an illegal move, 1 without a result";
    assert!(built.starts_with(stats), "{built}");
    assert!(built.ends_with("all.bin: 9 moves in 7 positions\n"), "{built}");
    let from_input = ["book", "build", "-", "-o", "input.bin", "--min-games", "1"];
    run(command(&from_input).current_dir(&*folder), GAMES).succeeded();
    let [all, input] = ["all.bin", "input.bin"].map(|name| fs::read(folder.join(name)).unwrap());
    assert_eq!(input, all);
    assert_eq!(moves(&folder, "all.bin", "startpos"), pairs(&[("e2e4", 2), ("g1f3", 1)]));
    assert_eq!(moves(&folder, "all.bin", FOUR_PLIES), pairs(&[("f1b5", 2), ("f1c4", 1)]));

    let shown = output(&folder, &["show", "all.bin"]);
    let rows: Vec<Vec<&str>> =
        shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][3..], ["share", "won", "drawn", "lost", "opening"]);
    let won = ["e4", "e2e4", "2", "66.7", "%", "100.0", "%", "0.0", "%", "0.0", "%"];
    let drawn = ["Nf3", "g1f3", "1", "33.3", "%", "0.0", "%", "100.0", "%", "0.0", "%"];
    assert_eq!((&rows[1][..11], &rows[2][..11]), (&won[..], &drawn[..]));
    assert_eq!(rows.len(), 3);
    let unknown = output(&folder, &["show", "all.bin", "4k3/8/8/8/8/8/8/4K3", "w", "-", "-"]);
    assert!(unknown.contains("no moves for 4k3/8"), "{unknown}");
}

/// The names of the position and of the positions after the book moves; transpositions have
/// the same ones.
#[test]
fn openings_have_names() {
    let folder = folder_with_games("names");
    output(&folder, &["build", "games.pgn", "-o", "all.bin", "--min-games", "1"]);
    let knights = "C44 King's Knight Opening: Normal Variation";
    for position in ["startpos moves e2e4 e7e5 g1f3 b8c6", "startpos moves g1f3 b8c6 e2e4 e7e5"] {
        let shown = output(&folder, &["show", "all.bin", position]);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 4, "{shown}");
        assert_eq!(lines[0], knights);
        assert!(lines[2].ends_with(" %  C60 Ruy Lopez"), "{shown}");
        assert!(lines[3].ends_with(" %  C50 Italian Game"), "{shown}");
    }
    let show = |position: &str| -> Value {
        serde_json::from_str(&output(&folder, &["show", "all.bin", position, "--json"])).unwrap()
    };
    let json = show(FOUR_PLIES);
    let written = |opening: &Value| {
        format!("{} {}", opening["eco"].as_str().unwrap(), opening["name"].as_str().unwrap())
    };
    assert_eq!(written(&json["opening"]), knights);
    assert_eq!(written(&json["moves"][1]["opening"]), "C50 Italian Game");
    assert_eq!(show("startpos")["opening"], Value::Null);
    // A position without a name has the last one of its game.
    let game = "startpos moves e2e4 e7e5 g1f3 b8c6 a2a3 h7h6 a3a4 h6h5 h2h3 g7g6";
    assert!(!written(&show(game)["opening"]).is_empty());
    let shown = output(&folder, &["show", "all.bin", game]);
    assert!(shown.starts_with("C") && shown.contains("\nthe book has no moves for "), "{shown}");
}

/// Another program may add moves to a book of Lovec.
#[test]
fn moves_without_results_keep_the_columns() {
    let folder = folder_with_games("mixed");
    output(&folder, &["build", "games.pgn", "-o", "all.bin", "--min-games", "1"]);
    let mut bytes = fs::read(folder.join("all.bin")).unwrap();
    let start = 0x463b_9618_1691_fc9c_u64.to_be_bytes();
    let mut entries = bytes.chunks_mut(16).filter(|entry| entry.starts_with(&start));
    entries.next_back().unwrap()[12..].fill(0);
    fs::write(folder.join("mixed.bin"), bytes).unwrap();
    let shown = output(&folder, &["show", "mixed.bin"]);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!([1, 2].map(|row| lines[row].matches('%').count()), [4, 1], "{shown}");
    let columns = [lines[0].find("opening"), lines[1].find("B00 "), lines[2].find("A04 ")];
    assert!(columns[0].is_some() && columns.iter().all(|it| *it == columns[0]), "{shown}");
}

#[test]
fn limits_exclude_moves() {
    let lost = "[Result \"0-1\"]\n\n1. e4 e5 0-1\n";
    let folder = folder_with_games("limits").with("lost.pgn", lost);
    output(&folder, &["build", "games.pgn", "-o", "one.bin", "--min-games", "1", "--max-ply", "1"]);
    assert_eq!(moves(&folder, "one.bin", "startpos"), pairs(&[("e2e4", 2), ("g1f3", 1)]));
    assert_eq!(moves(&folder, "one.bin", FOUR_PLIES), []);
    // The same file may be read twice.
    output(&folder, &["build", "games.pgn", "games.pgn", "-o", "two.bin"]);
    assert_eq!(moves(&folder, "two.bin", FOUR_PLIES), pairs(&[("f1b5", 4), ("f1c4", 2)]));
    for (arguments, read, least) in [
        (
            &["games.pgn"][..],
            "4 games read, 3 used, 1 of them cut short at an illegal move",
            "2 games",
        ),
        // The only move has lost.
        (&["lost.pgn", "--max-ply", "1", "--min-games", "1"], "1 game read, 1 used", "1 game"),
        (&["lost.pgn", "--min-rating", "2000", "--json"], "1 below the rating", "2 games"),
    ] {
        let none = book(&folder, &[&["build", "-o", "none.bin"], arguments].concat());
        let left = format!("no move with a point was played in {least}; no book written\n");
        let error = &none.stderr;
        assert!(error.contains(read) && error.ends_with(&left), "{none:?}");
        assert_eq!((none.status, none.stdout.as_str()), (Some(2), ""));
    }
    assert!(!folder.join("none.bin").exists());
}

#[test]
fn broken_games_are_named() {
    let folder = folder_with_games("broken")
        .with("b.pgn", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
    let faults = |games: &[&str]| {
        let arguments = [&["build", "-o", "a.bin", "--force", "--min-games", "1"], games].concat();
        book(&folder, &arguments).succeeded().stderr
    };
    assert_eq!(faults(&["games.pgn"]), format!("warning: game 3{FAULT}\n"));
    assert_eq!(
        faults(&["b.pgn", "games.pgn"]),
        format!(
            "warning: b.pgn, game 1, line 1: tag FEN: FEN position: White has no king\n\
             warning: games.pgn, game 4{FAULT}\n"
        )
    );
    let many = faults(&["games.pgn"; 7]);
    assert_eq!(many.lines().count(), 6);
    assert!(many.ends_with("warning: and 2 games more\n"), "{many}");
}

/// The players of two games have ratings, of one game good ones.
#[test]
fn ratings_exclude_games() {
    let game = |white: &str, black: &str| {
        format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n")
    };
    let games = [game("2500", "2400"), game("2500", "1800"), game("2500", "?")].concat();
    let folder = folder("rated").with("games.pgn", games + "[Result \"1-0\"]\n\n1. d4 1-0\n");
    let build = |rating: &str| {
        let rating = ["--min-rating", rating, "--min-games", "1", "--force"];
        output(&folder, &[&["build", "games.pgn", "-o", "a.bin"], &rating[..]].concat())
    };
    assert!(build("0").starts_with("4 games read, 4 used\n"));
    assert!(build("2400").starts_with("4 games read, 1 used, 3 below the rating\n"));
    assert_eq!(moves(&folder, "a.bin", "startpos"), pairs(&[("e2e4", 2)]));
}

#[test]
fn lines_are_listed_by_their_order() {
    let folder = folder("lines");
    let lines = |position: &[&str]| output(&folder, &[&["lines"], position].concat());
    let sicilian = lines(&["e4", "c5"]);
    assert!(sicilian.starts_with("B20 Sicilian Defense\nmove"), "{sicilian}");
    assert!(sicilian.contains("\nNf3 "), "{sicilian}");
    // The same position by a transposition is another line.
    assert!(lines(&["Nf3", "c5", "e4", "d6", "d4"]).contains("no line with a name goes on"));
    book(&folder, &["lines", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]).refused("begins with");
}

#[test]
fn errors_are_reported() {
    let folder = folder_with_games("refused");
    book(&folder, &["build", "nothing.pgn", "-o", "a.bin"]).refused("cannot read nothing.pgn");
    output(&folder, &["build", "games.pgn", "games.pgn", "-o", "a.bin"]);
    // A book is no PGN.
    book(&folder, &["build", "games.pgn", "a.bin", "-o", "b.bin"]).refused("a.bin holds no game");
    for (option, least) in [("--min-rating", 0), ("--min-games", 1), ("--max-ply", 1)] {
        let expected = format!("a whole number from {least} to 4294967295 is expected");
        book(&folder, &["build", "games.pgn", "-o", "b.bin", option, "-1"]).refused(&expected);
    }
    book(&folder, &["show", "missing.bin"]).refused("missing.bin");
    book(&folder, &["show", "a.bin", "nonsense"]).refused("is not a position");
    book(&folder, &["show", "a.bin", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1"]).refused("Chess960");
}
