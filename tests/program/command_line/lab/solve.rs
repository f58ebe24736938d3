//! `lovec lab solve`: proofs of mates and of other results.

use std::fs;

use serde_json::Value;

use crate::command_line::file;
use crate::folder::folder;
use crate::program::lovec;

const ALGORITHMS: [&str; 3] = ["pn", "pn2", "dfpn"];
const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
/// The positions of WAC with a mate in at most five moves, by number, with the moves of the
/// mate. Stockfish 15.1 has found all but one with 100 000 nodes each; df-pn with 30 000 nodes
/// has found the other one, WAC.055.
#[rustfmt::skip]
const MATES: [(usize, u64); 64] = [
    (1, 2), (4, 2), (5, 2), (9, 5), (12, 2), (14, 4), (27, 2), (35, 4), (50, 3), (54, 2), (55, 4), (57, 3), (60, 2), (61, 2), (64, 3), (79, 3), (84, 2), (88, 5), (97, 3), (99, 2), (102, 3), (103, 4), (104, 3), (132, 3), (134, 4), (136, 3), (138, 5), (139, 4), (143, 3), (154, 2), (156, 2), (158, 3), (160, 2), (161, 4), (167, 5), (172, 3), (173, 3), (177, 3), (179, 3), (184, 2), (186, 3), (188, 2), (191, 3), (197, 3), (203, 3), (211, 5), (212, 5), (215, 4), (217, 5), (219, 3), (225, 3), (244, 4), (246, 2), (253, 4), (260, 5), (263, 4), (267, 5), (278, 5), (282, 4), (283, 4), (285, 5), (290, 4), (295, 3), (298, 4),
];

/// Those that take more nodes than all others.
const LONG_PROOFS: [usize; 2] = [14, 138];

/// The only move is answered by mate.
const MATED: &str = "7k/R7/8/8/8/8/8/1R5K b - - 0 1";

fn solve(arguments: &[&str]) -> Value {
    let json = lovec(&[&["lab", "solve", "--json"], arguments].concat()).succeeded().json();
    assert_eq!(json["interrupted"], false);
    json
}

#[test]
fn a_mate_is_proved_with_its_line() {
    for algorithm in ALGORITHMS {
        let found = solve(&[MATE_IN_TWO, "--algo", algorithm, "--depth", "3"]);
        let mate = &found["results"][0];
        assert_eq!((&mate["kind"], &mate["plies_to_win"]), (&"proved".into(), &3.into()));
        let line = mate["line"]["san"].as_array().unwrap();
        assert!(line.len() == 3 && line[2].as_str().unwrap().ends_with('#'), "{mate}");
        assert!(mate["nodes"].as_u64().unwrap() > 3 && mate["stopped"].is_null());
        let none = solve(&[MATE_IN_TWO, "--algo", algorithm, "--depth", "2"]);
        assert_eq!(none["results"][0]["kind"], "disproved");
    }
    let ran = lovec(&["lab", "solve", MATE_IN_TWO, "--depth", "3"]).succeeded();
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].contains(" proved, mate in 2, ") && lines[0].ends_with(" nodes"), "{lines:?}");
    assert!(lines.len() == 2 && lines[1].starts_with("  1. ") && lines[1].ends_with('#'));
}

#[test]
fn goals() {
    let proof = |arguments: &[&str]| solve(arguments)["results"][0]["kind"].clone();
    assert_eq!(proof(&[MATED, "--depth", "2", "--goal", "not-lose"]), "disproved");
    assert_eq!(proof(&[MATED, "--depth", "1", "--goal", "not-lose"]), "proved");
    assert_eq!(proof(&["--game", "tictactoe"]), "disproved");
    assert_eq!(proof(&["--game", "tictactoe", "--goal", "not-lose"]), "proved");
    // In a tree a value above 0 is a win.
    for (value, win, not_lose) in
        [(1, "proved", "proved"), (0, "disproved", "proved"), (-1, "disproved", "disproved")]
    {
        let game = format!("explicit:[-9 [{value} 3]]");
        assert_eq!(proof(&["--game", &game]), win, "{value}");
        assert_eq!(proof(&["--game", &game, "--goal", "not-lose"]), not_lose, "{value}");
    }
}

/// The limits end a search without a proof, and are named.
#[test]
fn limits() {
    let long = ["startpos", "--depth", "20"];
    let stopped = |limit: &[&str]| {
        let found = solve(&[&long, limit].concat());
        let it = &found["results"][0];
        assert_eq!(it["kind"], "open");
        it["stopped"].clone()
    };
    assert_eq!(stopped(&["--nodes", "2000"]), "the limit of nodes");
    assert_eq!(stopped(&["--movetime", "20"]), "the limit of time");
    let memory = ["--algo", "pn", "--memory", "1", "--movetime", "60000"];
    assert_eq!(stopped(&memory), "the limit of memory");
    // Df-pn drops what it has kept, and goes on.
    assert_eq!(stopped(&["--memory", "1", "--nodes", "100000"]), "the limit of nodes");
}

#[test]
fn wrong_arguments_are_explained() {
    let refused = |arguments: &[&str], text: &str| {
        lovec(&[&["lab", "solve"], arguments].concat()).refused(text);
    };
    refused(&["startpos", "--algo", "ab"], "does not prove goals; pn, pn2 and dfpn do");
    refused(&["startpos", "--algo", "pn:soft"], "pn has no setting \"soft\"");
    for setting in ["goal=win", "at-least=9"] {
        refused(&["startpos", "--algo", &format!("pn:{setting}")], "--goal says what is to be");
    }
    refused(&["--game", "go"], "is not a game");
    refused(&["--epd", "/does/not/exist"], "cannot read");
}

#[test]
fn short_mates_of_wac_are_proved() {
    let wac = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wac.epd");
    let wac = fs::read_to_string(wac).unwrap();
    let lines: Vec<&str> = wac.lines().collect();
    let quick = MATES.into_iter().filter(|(number, _)| !LONG_PROOFS.contains(number));
    let mates: Vec<&str> = quick.clone().map(|(number, _)| lines[number - 1]).collect();
    let folder = folder("mates");
    let suite = file(&folder, "mates.epd", &mates.join("\n"));
    let found = solve(&["--epd", &suite, "--nodes", "1000000"]);
    assert_eq!(found["proved"], mates.len(), "{found}");
    for (mate, (number, moves)) in found["results"].as_array().unwrap().iter().zip(quick) {
        assert_eq!(mate["name"], format!("WAC.{number:03}"));
        let plies = mate["plies_to_win"].as_u64().unwrap();
        assert!((2 * moves - 1..=9).contains(&plies), "{mate}");
        assert_eq!(mate["line"]["san"].as_array().unwrap().len() as u64, plies);
    }
}

/// A suite of mates may have their lengths in place of the moves.
#[test]
fn a_suite_needs_no_best_moves() {
    let folder = folder("lengths");
    let suite = file(&folder, "mates.epd", "7k/8/8/8/8/8/R7/1R5K w - - bm #2;\n");
    let found = solve(&["--epd", &suite, "--depth", "3"]);
    assert_eq!((&found["proved"], &found["total"]), (&1.into(), &1.into()));
}
