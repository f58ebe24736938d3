//! python-chess reads games in PGN as Lovec does, or the difference has a reason.

use std::collections::HashMap;
use std::fs;

use crate::clients::{run, script};
use crate::folder::folder;
use crate::games_in_pgn::{GameFile, Kind, files};

/// Why python-chess reads another number of plies of a file.
fn reason(file: &GameFile) -> Option<&'static str> {
    let has = |part: fn(&str) -> bool| file.text.split_whitespace().any(part);
    let castles = |word: &str| {
        let squares = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        squares.len() > 3 && ["Ke1", "Ke8"].iter().any(|king| squares.starts_with(king))
    };
    let reasons: [(&str, bool); 5] = [
        ("it does not know the word null", has(|word| word.ends_with("null"))),
        ("it does not know the word z0", has(|word| word.ends_with("z0"))),
        ("it does not know a promotion after a stroke", has(|word| word.contains("/Q"))),
        (
            "it does not read castling by both squares with the letter of the king",
            file.text.split_whitespace().any(castles),
        ),
        ("it looks for a move within a word that is none", file.kind == Kind::IllegalMoves),
    ];
    reasons.into_iter().find(|(_, applies)| *applies).map(|(reason, _)| reason)
}

#[test]
#[ignore = "needs a Python with the package chess, which LOVEC_PYTHON names"]
fn python_chess_reads_the_same_plies() {
    let folder = folder("games");
    let files = files();
    for file in &files {
        fs::write(folder.join(&file.name), &file.text).unwrap();
    }
    let ran = run(script("games_in_pgn.py").arg(&*folder));
    let read: HashMap<&str, usize> = ran
        .stdout
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, plies)| (name, plies.parse().unwrap()))
        .collect();
    assert_eq!(read.len(), files.len());
    let mut equal = 0;
    for file in &files {
        let theirs = read[&*file.name];
        if theirs == file.plies() {
            equal += 1;
            continue;
        }
        let named = reason(file);
        println!("{}: {} plies, python-chess {theirs}: {named:?}", file.name, file.plies());
        assert!(named.is_some(), "{}: {}, {theirs}: {}", file.name, file.plies(), file.text);
    }
    println!("{equal} of {} files are read alike", files.len());
    assert!(equal >= 150, "only {equal} of {} files are read alike", files.len());
}
