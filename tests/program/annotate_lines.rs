//! The lines that `lovec annotate` writes for its words.

use std::fs;

use crate::annotate::{annotate, flat, read};
use crate::folder::folder;

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
