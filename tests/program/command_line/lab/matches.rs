//! `lovec lab match`: games between two algorithms.

use std::fs;

use crate::command_line::file;
use crate::folder::folder;
use crate::program::lovec;

const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1\n";

#[test]
fn a_match_repeats() {
    let arguments = ["lab", "match", "ab:order=mvv:leaf=captures", "ab", "--games", "4"];
    let play = |concurrency: &str| {
        let more = ["--nodes", "800", "--json", "--concurrency", concurrency];
        let mut json = lovec(&[&arguments[..], &more].concat()).succeeded().json();
        let players = json["players"].as_array_mut().unwrap();
        players.iter_mut().for_each(|player| player["milliseconds"] = 0.into());
        json
    };
    let json = play("1");
    assert_eq!(json, play("2"));
    let sum: u64 = ["wins", "draws", "losses"].map(|key| json[key].as_u64().unwrap()).iter().sum();
    assert_eq!((sum, &json["games"], &json["interrupted"]), (4, &4.into(), &false.into()));
    assert!(json["points"].as_f64().unwrap() >= 2.0, "{json}");
}

/// Both sides of the opening are played, and the winner mates in two.
#[test]
fn games_are_written_as_pgn() {
    let folder = folder("lab-match");
    let openings = file(&folder, "openings.epd", MATE_IN_TWO);
    let path = folder.join("games.pgn");
    let pgn = path.to_str().unwrap();
    let game = ["lab", "match", "ab", "pvs", "--games", "2", "--depth", "3", "--to-the-end"];
    let files = ["--openings", &openings, "--pgn", pgn];
    let text = lovec(&[&game[..], &files].concat()).succeeded().stdout;
    assert!(text.starts_with("player  won  drawn  lost  points"), "{text}");
    assert!(text.ends_with("Elo cannot be estimated from these games\n"), "{text}");
    let games = fs::read_to_string(&path).unwrap();
    assert!(games.contains("[White \"ab\"]\n[Black \"pvs\"]"), "{games}");
    assert!(games.contains("[White \"pvs\"]\n[Black \"ab\"]"), "{games}");
    assert_eq!(games.matches("[Termination \"normal\"]\n[Result \"1-0\"]").count(), 2);
    assert_eq!(games.matches("# {+M1/").count(), 2, "{games}");
    let book = folder.join("games.bin");
    // Other readers of PGN accept the file.
    let made = lovec(&["book", "build", pgn, "-o", book.to_str().unwrap(), "--json"]).succeeded();
    assert_eq!(made.json()["games"]["read"], 2, "{}", made.stdout);
}

#[test]
fn wrong_matches_are_refused() {
    let refused = |arguments: &[&str], text: &str| {
        lovec(&[&["lab", "match"], arguments].concat()).refused(text);
    };
    refused(&["ab", "alphabeta"], "is not an algorithm");
    refused(&["ab", "pvs", "--games", "3"], "must be even");
    refused(&["ab", "pvs", "--games", "502"], "enough for 500 different games");
    let folder = folder("lab-match-refused");
    let openings = |text: &str| file(&folder, "openings.epd", text);
    let twice = MATE_IN_TWO.repeat(2);
    for (text, error) in [
        (MATE_IN_TWO, "enough for 2 different games"),
        (&twice, "is there twice"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", "the game is over in the opening 7k/5Q2/6K1/8"),
    ] {
        let openings = openings(text);
        let games = ["ab", "pvs", "--games", "4", "--openings", &openings];
        refused(&[&games[..], &["--depth", "2"]].concat(), error);
    }
    // With a clock the games differ.
    let openings = openings(MATE_IN_TWO);
    let games = ["lab", "match", "ab", "pvs", "--games", "4", "--openings", &openings];
    lovec(&[&games[..], &["--movetime", "5"]].concat()).succeeded();
    refused(&["ab", "pvs", "--depth", "0"], "a whole number from 1 to 100");
    refused(&["ab", "pvs", "--depth", "1,2,3"], "--depth takes a value for both players");
    refused(&["ab", "pvs", "--openings", "/does/not/exist"], "cannot read");
}

/// Moves for which a row has no answer within its nodes are counted.
#[test]
fn a_player_without_an_answer_says_so() {
    let game = ["lab", "match", "b-star-95", "ab", "--games", "2", "--nodes", "100"];
    let json = lovec(&[&game[..], &["--json"]].concat()).succeeded().json();
    let players = json["players"].as_array().unwrap();
    let [moves, unanswered] = ["moves", "unanswered"].map(|key| &players[0][key]);
    assert!(unanswered.as_u64() > Some(0) && players[1]["unanswered"] == 0, "{json}");
    let line = format!(
        "b-star-95: no answer for {unanswered} of {moves} moves, played by the static value"
    );
    assert!(lovec(&game).succeeded().stdout.lines().any(|it| it == line));
}
