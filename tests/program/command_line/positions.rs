//! Positions as arguments: every command accepts every form.

use crate::command_line::{file, lovec_with_input};
use crate::folder::folder;
use crate::program::{Ran, lovec};

/// King and pawn against king, which every command accepts.
const FEN: &str = "8/8/8/8/4P3/4k3/8/4K3 w - - 3 9";

/// Runs each command that takes a position.
fn run_each(position: &[&str], input: &str) -> Vec<Ran> {
    let folder = folder("positions");
    let book = file(&folder, "book.bin", &"\x01".repeat(16));
    let commands: [&[&str]; 5] = [
        &["analyse", "--depth", "1", "--json"],
        &["eval", "--json"],
        &["egtb", "probe", "--json"],
        &["book", "show", &book, "--json"],
        &["perft", "1", "--json"],
    ];
    let run = |command: &[&str]| lovec_with_input(&[command, position].concat(), input);
    commands.into_iter().map(run).collect()
}

#[test]
fn every_command_accepts_every_form() {
    let words: Vec<&str> = FEN.split(' ').collect();
    let before = "8/8/8/8/4k3/8/4P3/4K3 b - - 2 8 moves e4e3";
    let forms: [(&[&str], &str, &str); 6] = [
        (&[FEN], "", FEN),
        (&words, "", FEN),
        (&["--fen", FEN], "", FEN),
        (&["-"], &format!("\n{FEN}\nnonsense\n"), FEN),
        (&["8/8/8/8/4P3/4k3/8/4K3 w - - fmvn 9; hmvc 3;"], "", FEN),
        (&[before], "", "8/8/8/8/8/4k3/4P3/4K3 w - - 3 9"),
    ];
    for (position, input, fen) in forms {
        for ran in run_each(position, input) {
            assert_eq!(ran.succeeded().json()["fen"], fen, "{position:?}");
        }
    }
}

#[test]
fn moves_may_follow_the_starting_position() {
    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let words = ["perft", "1", "startpos", "moves", "e2e4", "e7e5", "--json"];
    assert_eq!(lovec(&words).succeeded().json()["fen"], after);
    for pasted in ["1.e4 e5", "1. e4 e5", "e4 e7e5"] {
        assert_eq!(lovec(&["perft", "1", pasted, "--json"]).succeeded().json()["fen"], after);
    }
    let option = ["eval", "--json", "--fen", "startpos moves e2e4 e7e5"];
    assert_eq!(lovec(&option).succeeded().json()["fen"], after);
}

#[test]
fn a_wrong_position_is_named_once() {
    for (position, input, sentence) in [
        (&["startpos", "moves", "e2e5"][..], "", "move 1.: e2e5 is not legal here"),
        (&[FEN, "--fen", FEN], "", "two positions are given"),
        (&["-"], "1. e4 e5 2. Nf4\n", "move 2.: Nf4 is not legal here"),
    ] {
        for ran in run_each(position, input) {
            let ran = ran.refused(sentence);
            assert_eq!(ran.stderr.matches(sentence).count(), 1, "{ran:?}");
        }
    }
    let endless = "8/".repeat(100_000);
    lovec_with_input(&["eval", "-"], &endless).refused("longer than 65536 bytes");
}

/// Two games with all that PGN allows; the second is broken at move 3.
const GAMES: &str = "\
[Event \"one\"]
[FEN \"8/8/8/8/4k3/8/4P3/4K3 b - - 2 8\"]

8... Ke5 { a comment (1. e4) } (8... Kd4 9. Kd2 (9. Kf2 $1)) 9. e4 Ke6 1/2-1/2

[Event \"two\"]

1. e4 e5 2. Nf3! Nc6 3. Ke3 a6 *
";

#[test]
fn every_command_takes_a_position_of_a_game() {
    let folder = folder("games");
    let games = file(&folder, "games.pgn", GAMES);
    for (arguments, fen) in [
        (&["--pgn", &games][..], "8/8/4k3/8/4P3/8/8/4K3 w - - 1 10"),
        (&["--pgn", &games, "--at", "9b"], "8/8/4k3/8/4P3/8/8/4K3 w - - 1 10"),
        (&["--pgn", &games, "--at", "8b"], "8/8/8/4k3/8/8/4P3/4K3 w - - 3 9"),
        (&["--pgn", &games, "--game", "1", "--at=start"], "8/8/8/8/4k3/8/4P3/4K3 b - - 2 8"),
        (&["--pgn", "-", "--at", "9w"], "8/8/8/4k3/4P3/8/8/4K3 b - - 0 9"),
    ] {
        for ran in run_each(arguments, GAMES) {
            assert_eq!(ran.succeeded().json()["fen"], fen, "{arguments:?}");
        }
    }
    let second = ["eval", "--json", "--pgn", &games, "--game", "2", "--at", "2b"];
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    assert_eq!(lovec(&second).succeeded().json()["fen"], fen);
}

#[test]
fn a_wrong_position_of_a_game_is_named() {
    let folder = folder("wrong-games");
    let games = file(&folder, "games.pgn", GAMES);
    for (arguments, sentence) in [
        (&["--game", "3"][..], "games.pgn has 2 games, and no game 3"),
        (
            &["--at", "8w"],
            "games.pgn, game 1: there is no such move; the game has the moves 8b to 9b",
        ),
        (&["--at", "10w"], "game 1: there is no such move; the game has the moves 8b to 9b"),
        (&["--game", "2"], "games.pgn, game 2, line 8, 3.: Ke3 is not legal here"),
        (&["--game", "2", "--at", "3w"], "game 2, line 8, 3.: Ke3 is not legal here"),
        (&["--at", "17"], "a move such as 17w or 17b"),
    ] {
        lovec(&[&["eval", "--pgn", &games], arguments].concat()).refused(sentence);
    }
    lovec(&["eval", "--pgn", "nothing.pgn"]).refused("cannot read nothing.pgn");
    let empty = file(&folder, "empty.pgn", "\n");
    lovec(&["eval", "--pgn", &empty]).refused("empty.pgn holds no game");
    let notes = file(&folder, "notes.txt", "hello\nworld\n");
    lovec(&["eval", "--pgn", &notes]).refused("notes.txt holds no game");
    let like_moves = file(&folder, "moves.txt", "Qh9 hello\n");
    lovec(&["eval", "--pgn", &like_moves]).refused("moves.txt holds no game");
}

#[test]
fn some_commands_need_no_position() {
    for command in [&["eval", "--json"][..], &["perft", "1", "--json"]] {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(lovec(command).succeeded().json()["fen"], fen);
    }
}

#[test]
fn a_file_in_the_place_of_a_position_is_named() {
    let folder = folder("files");
    let games = file(&folder, "games.pgn", GAMES);
    for command in [
        &["analyse"][..],
        &["eval"],
        &["explain"],
        &["perft", "1"],
        &["egtb", "probe"],
        &["book", "show", &games],
    ] {
        for option in [&[][..], &["--fen"]] {
            let ran = lovec(&[command, option, &[&games]].concat());
            ran.refused(&format!("{games} is a file, not a position; use --pgn {games}"));
        }
    }
    lovec(&["explain", &games, "Nf3"]).refused("use --pgn");
    for command in ["compare", "solve"] {
        lovec(&["lab", command, &games]).refused(&format!("use --epd {games}"));
    }
    for command in [&["epd"][..], &["perft-suite"], &["compare", "a", "b"]] {
        lovec(&[command, &[&games]].concat()).failed("line 1: a game in PGN begins here");
    }
}
