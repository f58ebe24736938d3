//! Scores and verdicts that other programs wrote into a game.

use crate::annotate::own_notes::{EVAL, split_score};

/// The glyphs for the quality of a move: `!`, `?`, `!!`, `??`, `!?`, `?!`.
pub const QUALITY: std::ops::RangeInclusive<u8> = 1..=6;

/// The verdicts of Lichess.
const VERDICTS: [&str; 6] = [
    "Inaccuracy.",
    "Mistake.",
    "Blunder.",
    "Checkmate is now unavoidable.",
    "Lost forced checkmate sequence.",
    "Not the most efficient checkmate.",
];

/// Removes scores from the notes behind a move, and the verdict of Lichess with its mark.
pub fn remove(nags: &mut Vec<u8>, comments: &mut Vec<String>) {
    for comment in comments.iter_mut() {
        *comment = without_scores(comment);
        if let Some(rest) = behind_verdict(comment) {
            *comment = rest.to_owned();
            nags.retain(|nag| !QUALITY.contains(nag));
        }
    }
    comments.retain(|comment| !comment.is_empty());
}

/// A comment with a space for each score; the element of a comment makes one space of several.
fn without_scores(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some(start) = rest.find(EVAL) {
        let (before, score) = rest.split_at(start);
        text += before;
        let (kept, behind) = match split_score(score) {
            Some((_, behind)) => (" ", behind),
            None => score.split_at(EVAL.len()),
        };
        text += kept;
        rest = behind;
    }
    text += rest;
    text.trim().to_owned()
}

/// What follows a verdict such as `(0.05 → -5.10) Blunder. Bxf7+ was best.` at the beginning of
/// a comment.
fn behind_verdict(comment: &str) -> Option<&str> {
    let (change, rest) = comment.strip_prefix('(')?.split_once(") ")?;
    let rest = VERDICTS.iter().find_map(|verdict| rest.strip_prefix(verdict))?.trim_start();
    let best = rest.split_once(" was best.").filter(|(best, _)| !best.contains(' '));
    change.contains(" → ").then(|| best.map_or(rest, |(_, behind)| behind.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_verdicts_are_removed_and_words_of_people_stay() {
        for (before, after, keeps_mark) in [
            ("[%eval 0.18] [%clk 0:10:00]", "[%clk 0:10:00]", true),
            ("Good! [%clk 0:01:00] [%eval #-3,20]", "Good! [%clk 0:01:00]", true),
            ("[%eval 1]a[%eval 2]b", "a b", true),
            ("(0.17 → 1.00) Inaccuracy. Nf6 was best.", "", false),
            ("[%eval 1.0] (0.17 → 1.00) Mistake. Nf6 was best. I missed it", "I missed it", false),
            ("(-9.00 → Mate in 1) Checkmate is now unavoidable. Qe2 was best.", "", false),
            ("(Mate in 2 → 3.10) Lost forced checkmate sequence. Bad luck", "Bad luck", false),
            ("(0.17) Inaccuracy. Nf6 was best.", "(0.17) Inaccuracy. Nf6 was best.", true),
            ("(1 → 2) Nf6 was best.", "(1 → 2) Nf6 was best.", true),
            ("Blunder. Nf6 was best.", "Blunder. Nf6 was best.", true),
            ("[%eval x] [%eval 1", "[%eval x] [%eval 1", true),
        ] {
            let (mut nags, mut comments) = (vec![6, 16], vec![before.to_owned()]);
            remove(&mut nags, &mut comments);
            assert_eq!(comments.join(" "), after, "{before}");
            assert_eq!(nags, if keeps_mark { vec![6, 16] } else { vec![16] }, "{before}");
        }
    }

    #[test]
    fn scores_that_are_not_closed_are_passed_in_time_by_their_number() {
        let open = "[%eval 1,".repeat(400_000);
        assert_eq!(without_scores(&open), open);
    }
}
