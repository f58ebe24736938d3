//! `lovec analyse`: which depths are shown, and when the search ends.

use crate::program::lovec;

/// The rows of the table: everything between the head and the best move.
fn rows(text: &str) -> Vec<&str> {
    let (_, rows) = text.split_once("  line\n").unwrap();
    rows.lines().filter(|line| !line.starts_with("best move")).collect()
}

#[test]
fn a_mate_in_one_is_one_row() {
    let ran = lovec(&["analyse", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]).succeeded();
    let rows = rows(&ran.stdout);
    assert_eq!(rows.len(), 1, "{}", ran.stdout);
    assert!(rows[0].contains(" #1 ") && rows[0].ends_with("  1. Ra8#"), "{}", rows[0]);
}

#[test]
fn a_mate_that_is_proven_to_be_the_shortest_ends_the_search() {
    let mate_in_two = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    let json = lovec(&["analyse", mate_in_two, "--depth", "60", "--json"]).succeeded().json();
    assert_eq!(json["lines"][0]["score"]["mate"], 2, "{json}");
    assert_eq!(json["lines"][0]["uci"][0], json["best_move"]["uci"], "{json}");
    assert_eq!(json["lines"][0]["san"][0], json["best_move"]["san"], "{json}");
    assert!(json["depth"].as_u64().unwrap() < 60, "{json}");
    assert_eq!(json["interrupted"], false);
}

#[test]
fn moves_are_numbered_from_the_number_of_the_position() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 17";
    let ran = lovec(&["analyse", fen, "--depth", "6"]).succeeded();
    let row = *rows(&ran.stdout).last().unwrap();
    let line: Vec<&str> = row.split_whitespace().skip(4).collect();
    assert_eq!((line[0], line.get(2)), ("17...", Some(&"18.")), "{row}");
    let ran = lovec(&["analyse", "startpos", "--depth", "4"]).succeeded();
    assert!(rows(&ran.stdout).iter().all(|row| row.contains("  1. ")), "{}", ran.stdout);
}

#[test]
fn the_last_line_is_the_best_move_or_the_result() {
    for (fen, last) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "best move: Ra8# (a1a8)"),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "checkmate"),
        ("k7/8/1Q6/8/8/8/8/6K1 b - - 0 1", "stalemate"),
    ] {
        assert_eq!(lovec(&["analyse", fen, "--depth", "3"]).succeeded().last_line(), last);
    }
}

/// When the search ends, it reports its last depth again.
#[test]
fn no_depth_is_shown_twice() {
    for arguments in
        [&["7k/R7/8/8/8/8/8/1R5K b - - 0 1", "--depth", "9"][..], &["startpos", "--nodes", "20000"]]
    {
        let ran = lovec(&[&["analyse"], arguments].concat()).succeeded();
        // Without seconds and nodes.
        let row = |row: &&str| {
            let words: Vec<String> = row.split_whitespace().map(str::to_owned).collect();
            [&words[..2], &words[4..]].concat()
        };
        let rows: Vec<Vec<String>> = rows(&ran.stdout).iter().map(row).collect();
        assert!(rows.windows(2).all(|pair| pair[0] != pair[1]), "{}", ran.stdout);
    }
}
