//! `lovec explain`.

use std::fs;

use crate::folder::folder;
use crate::program::lovec;

const TWO_KNIGHTS: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

fn explain(arguments: &[&str]) -> crate::program::Ran {
    lovec(&[&["explain", "--nodes", "5000", "--hash", "1"], arguments].concat())
}

#[test]
fn a_blunder_has_a_mark_a_reason_and_a_table() {
    let text = explain(&[TWO_KNIGHTS, "Nxe5"]).succeeded().stdout;
    for part in [
        "C55 Italian Game: Two Knights Defense",
        "White to move",
        "[♟]",
        "4.Nxe5?? is a blunder",
        "4...Nxe5 takes the knight on e5, and nothing can take back.",
        "Played     4.Nxe5 Nxe5",
        "  Static evaluation ",
        "  Search ",
        "  Score ",
        "confirmed by a longer search",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let club = explain(&[TWO_KNIGHTS, "Nxe5", "--words", "club", "--board", "none"]).succeeded();
    assert!(!club.stdout.contains("Static evaluation") && !club.stdout.contains('♟'));
    let full = explain(&[TWO_KNIGHTS, "Nxe5", "--words", "full"]).succeeded();
    assert!(full.stdout.contains("    piece square"), "{}", full.stdout);
}

#[test]
fn small_groups_of_a_position_are_one_row() {
    let rows = |arguments: &[&str]| -> Vec<(String, [i32; 2])> {
        let text = explain(arguments).succeeded().stdout;
        let (_, table) = text.split_once("(centipawns, White)").unwrap();
        let row = |row: &str| {
            let (name, values) = row.split_at(40);
            let mut values = values.split_whitespace().map(|value| value.parse().unwrap());
            (name.trim().to_owned(), [values.next().unwrap(), values.next().unwrap()])
        };
        table.lines().skip(1).take_while(|row| !row.starts_with("  Search")).map(row).collect()
    };
    let mut groups = rows(&[TWO_KNIGHTS]);
    let (_, sums) = groups.pop().unwrap();
    for (column, sum) in sums.into_iter().enumerate() {
        assert_eq!(groups.iter().map(|(_, values)| values[column]).sum::<i32>(), sum, "{groups:?}");
    }
    assert_eq!(groups.pop().unwrap().0, "Other");
    let is_large = |(_, values): &(_, [i32; 2])| values.iter().any(|value| value.abs() >= 10);
    assert!(groups.iter().all(is_large), "{groups:?}");
    let played = rows(&[TWO_KNIGHTS, "Nxe5"]);
    assert!(played.iter().all(|(name, _)| name != "Other"), "{played:?}");
}

#[test]
fn the_board_can_be_turned_and_written_in_ascii() {
    let board = |arguments: &[&str]| -> Vec<String> {
        let ran =
            explain(&[&["startpos", "e4", "--board", "ascii"], arguments].concat()).succeeded();
        ran.stdout.lines().take(9).map(str::to_owned).collect()
    };
    let (white, black) = (board(&[]), board(&["--flip"]));
    assert!(white[0].starts_with("  8   r  n  b  q  k  b  n  r"), "{white:?}");
    assert!(black[0].starts_with("  1   R  N  B  K  Q  B  N  R"), "{black:?}");
    assert!(black[8].trim().starts_with('h'), "{black:?}");
}

#[test]
fn all_forms_of_a_move_and_of_a_position_are_read() {
    let moves = "startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6";
    let found = |arguments: &[&str]| {
        let few = ["explain", "--nodes", "100", "--hash", "1", "--json"];
        let json = lovec(&[&few, arguments].concat()).succeeded().json();
        (json["played"]["uci"][0].clone(), json["fen"].clone())
    };
    let expected = found(&[TWO_KNIGHTS, "Nxe5"]);
    assert_eq!(expected.0, "f3e5");
    assert_eq!(found(&[TWO_KNIGHTS, "f3e5"]), expected);
    assert_eq!(found(&[TWO_KNIGHTS, "--move", "Nxe5"]), expected);
    assert_eq!(found(&[TWO_KNIGHTS, "4.Nxe5?!"]), expected);
    assert_eq!(found(&[TWO_KNIGHTS, "--move", "4.Nxe5"]), expected);
    let fields = TWO_KNIGHTS.strip_suffix(" 4 4").unwrap();
    assert_eq!(found(&[&format!("{fields} hmvc 4; fmvn 4; bm d3;"), "Nxe5"]), expected);
    assert_eq!(found(&[moves, "--move", "Nxe5"]), expected);
    let folder = folder("game");
    let path = folder.join("game.pgn");
    fs::write(&path, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Nxe5 Nxe5 *").unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(found(&["--pgn", path, "--at", "4w"]), expected);
    let best = found(&["--pgn", path, "--at", "start"]);
    assert!(best.0.is_null(), "{best:?}");
}

#[test]
fn mistakes_are_refused() {
    explain(&[TWO_KNIGHTS, "Nxe6"]).refused("Nxe6");
    explain(&[TWO_KNIGHTS, "--move", "x"]).refused("\"x\"");
    explain(&[TWO_KNIGHTS, "d4", "--move", "Ng5"]).refused("two moves are given");
    explain(&["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]).refused("the game is over");
    let repeated = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    explain(&[repeated, "--move", "e4"]).refused("the game is over");
}
