//! What `lovec annotate` does with the scores and verdicts of others.

use std::fs;

use lovec::chess::notation::pgn::{Element, PgnGame};

use crate::annotate::{annotate, flat, games, read};
use crate::folder::folder;

/// A score of others looks like one of Lovec, and stays wherever it stands.
#[test]
fn scores_of_others_are_kept() {
    let folder = folder("scores");
    let cases = [
        "1. e4 {[%eval 99,99]} e5 2. Nf3 *",
        "1. e4 {[%eval 99,99]} {[%eval 99,98]} e5 2. Nf3 *",
        "1. e4 $1 {[%eval 99,99]} e5 {[%eval 99,97]} 2. Nf3 {[%eval 99,96]} *",
        "{[%eval 99,99]} 1. e4 e5 {words} {[%eval 99,99]} 2. Nf3 *",
        "1. e4 (1. d4 {[%eval 99,99]} d5) {[%eval 99,98]} e5 2. Nf3 *",
        "1. f3 e5 2. g4 Qh4# {[%eval 99,99]} *",
        "1. f3 e5 2. g4 {[%eval 99,99]} Qh4# {mate} {[%eval 99,98]} *",
        "1. e4 -- {[%eval 99,99]} 2. d4 {[%eval 99,98]} *",
        "1. e4 e5 2. Ke3 {[%eval 99,99]} Nf6 {[%eval 99,98]} *",
        "[Annotator \"Lovec\"]\n\n1. e4 e5 {[%eval #-99,99]} *",
        "1. d4 d5 2. c4 {[%eval 99,99]} e6 {[%eval 99,98]} 3. Nc3 Nf6 {[%eval 99,97]} *",
        "[FEN \"x\"]\n\n1. e4 {[%eval 99,99]} *",
    ];
    fs::write(folder.join("0.pgn"), cases.join("\n\n")).unwrap();
    let foreign = |text: &str| -> Vec<usize> {
        let in_comment = |element: &Element| match element {
            Element::Comment(text) => {
                text.matches("[%eval 99,").count() + text.matches("#-99,").count()
            }
            _ => 0,
        };
        let count = |game: &PgnGame| game.elements().iter().map(in_comment).sum();
        games(text).iter().map(count).collect()
    };
    let before = foreign(&read(&folder, "0.pgn"));
    assert!(before.len() == cases.len() && before.iter().all(|&count| count > 0), "{before:?}");
    for options in [&[][..], &["--skip-book", "6"], &["--comments", "none"], &["--side", "black"]] {
        for round in 0..2 {
            let [input, output] = [round, round + 1].map(|number| format!("{number}.pgn"));
            annotate(&folder, &[&[&input, "-o", &output, "--force"], options].concat()).succeeded();
            assert_eq!(foreign(&read(&folder, &output)), before, "{options:?} {round}");
        }
        assert_eq!(read(&folder, "1.pgn"), read(&folder, "2.pgn"), "{options:?}");
    }
}

/// A game as Lichess writes it after its analysis, with a remark of the player.
const LICHESS: &str = "[Annotator \"lichess.org\"]\n\n\
    1. e4 { [%eval 0.18] [%clk 0:10:00] } 1... e5 { [%eval 0.21] [%clk 0:10:00] } \
    2. Qh5?! { (0.21 → -0.40) Inaccuracy. Nf3 was best. } { [%eval -0.4] [%clk 0:09:58] } \
    (2. Nf3 Nc6) 2... Nc6 { [%eval -0.38] } 3. Bc4 { [%eval -0.4] } \
    3... Nf6?? { (-0.40 → Mate in 1) Checkmate is now unavoidable. g6 was best. } \
    { [%eval #1] [%clk 0:09:31] } { I saw nothing } (3... g6 4. Qf3) \
    4. Qxf7# { [%clk 0:09:30] } { White wins by checkmate. } 1-0\n";

#[test]
fn an_analysis_of_lichess_is_replaced_if_wanted() {
    let folder = folder("lichess").with("in.pgn", LICHESS);
    let written = |options: &[&str]| {
        annotate(&folder, &[&["in.pgn", "-o", "out.pgn", "--force"], options].concat()).succeeded();
        flat(&read(&folder, "out.pgn"))
    };
    let foreign = ["[%eval 0.18]", "[%eval -0.4]", "[%eval #1]", "Inaccuracy. Nf3", "unavoidable"];
    let kept = ["[%clk 0:10:00]", "[%clk 0:09:31] I saw nothing", "White wins by checkmate."];
    let text = written(&[]);
    assert!(foreign.iter().chain(&kept).all(|part| text.contains(part)), "{text}");
    let text = written(&["--replace-marks"]);
    assert!(kept.iter().all(|part| text.contains(part)), "{text}");
    assert!(!foreign.iter().any(|part| text.contains(part)), "{text}");
    // The moves but the last have one score each.
    let blunder = text.split("3... Nf6").nth(1).unwrap();
    assert_eq!(blunder.matches("[%eval #").count(), 1, "{text}");
    assert!(blunder.starts_with(" $4 {Blunder ("), "{text}");
    // Not those of the side that is not annotated.
    let text = written(&["--replace-marks", "--side", "white"]);
    assert!(!text.contains("[%eval 0.18]") && text.contains("unavoidable. g6"), "{text}");
}
