//! Scores as text and as JSON.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::chess::Color;
use crate::eval::Score;

/// `+0.31`, `#-4`.
pub(super) fn pawns(score: Score) -> String {
    match score.mate_distance_moves() {
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(score.cp()) / 100.0),
    }
}

/// A score of `side` from White's side. The distance to a mate counts the moves of the side
/// that mates, so that it must not be taken from the negated score.
pub(super) fn white_pawns(score: Score, side: Color) -> String {
    match score.mate_distance_moves() {
        Some(moves) => format!("#{}", moves * side.sign()),
        None => pawns(score * side.sign()),
    }
}

/// `{"cp": 31}` or `{"mate": -3}`.
pub(super) fn mate_or_cp(score: Score) -> BTreeMap<&'static str, i32> {
    white_mate_or_cp(score, Color::White)
}

/// A score of `side` from White's side: `{"cp": 31}` or `{"mate": -3}`.
pub(super) fn white_mate_or_cp(score: Score, side: Color) -> BTreeMap<&'static str, i32> {
    let (unit, value) = match score.mate_distance_moves() {
        Some(moves) => ("mate", moves),
        None => ("cp", score.cp()),
    };
    BTreeMap::from([(unit, value * side.sign())])
}

/// [`mate_or_cp`] for serde.
pub(super) fn serialize<S: Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    mate_or_cp(*score).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_in_pawns() {
        assert_eq!(pawns(Score::new(31)), "+0.31");
        assert_eq!(pawns(Score::new(-250)), "-2.50");
        assert_eq!(pawns(Score::mated_in(4)), "#-2");
    }

    #[test]
    fn scores_are_from_the_side_of_white() {
        for (score, white, black) in [
            (Score::new(31), "+0.31", "-0.31"),
            (Score::mate_in(1), "#1", "#-1"),
            (Score::mate_in(3), "#2", "#-2"),
            (Score::mated_in(2), "#-1", "#1"),
        ] {
            assert_eq!(white_pawns(score, Color::White), white);
            assert_eq!(white_pawns(score, Color::Black), black);
        }
    }
}
