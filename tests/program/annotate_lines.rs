//! The lines that `lovec annotate` writes for its words.

use std::fs;

use crate::annotate::{annotate, flat, read};
use crate::folder::folder;
use crate::program::lovec_in;

const OPENING: &str = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Nxe5";

#[test]
fn what_the_words_of_a_fault_are_about_is_written() {
    let folder = folder("lines");
    let annotated = |input: &str, output: &str| {
        annotate(&folder, &[input, "-o", output, "--force"]).succeeded();
        read(&folder, output)
    };
    // The game has the reply, ends before it, or has another one.
    for (rest, written) in
        [("Nxe5", None), ("", Some("(4. Nxe5 Nxe5 ")), ("Be7", Some("4... Be7 $4 {Blunder ("))]
    {
        fs::write(folder.join("in.pgn"), format!("{OPENING} {rest} *\n")).unwrap();
        let once = annotated("in.pgn", "once.pgn");
        let text = flat(&once);
        assert!(text.contains("It loses a knight for a pawn: 4...Nxe5 takes"), "{text}");
        assert!(written.is_none_or(|written| text.contains(written)), "{text}");
        // Beside the moves of the game, and as one variation at most.
        let replies = text.matches("4... Nxe5 ").count() + text.matches("(4. Nxe5 Nxe5 ").count();
        assert_eq!(replies, 1, "{text}");
        if rest == "Be7" {
            // Its words are about the line behind the end of the game.
            assert!(
                text.contains(" 5.Nxf7 forks ") && text.contains("(4... Be7 5. Nxf7 "),
                "{text}"
            );
        }
        assert_eq!(annotated("once.pgn", "twice.pgn"), once);
    }
}

#[test]
fn a_threat_that_a_fault_ignores_is_told() {
    let game = "[FEN \"6k1/5ppp/8/1p6/B7/8/2r2PPP/5RK1 w - - 0 1\"]\n\n1. h3 *\n";
    let folder = folder("threat").with("in.pgn", game);
    let options = ["in.pgn", "-o", "out.pgn", "--nodes", "5000", "--hash", "1"];
    lovec_in(&folder, &[&["annotate"], &options[..]].concat()).succeeded();
    let text = flat(&read(&folder, "out.pgn"));
    assert!(text.contains("Black threatens 1...bxa4, which wins a bishop"), "{text}");
    assert!(text.contains(" 1.h3 does not meet that."), "{text}");
}
