//! Scores as text.

use crate::eval::Score;

/// `+0.31`, `#-4`.
pub(super) fn pawns(score: Score) -> String {
    match score.mate_distance_moves() {
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(score.cp()) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_the_other_side_have_the_other_sign() {
        for (score, text, of_other_side) in [
            (Score::new(31), "+0.31", "-0.31"),
            (Score::new(-250), "-2.50", "+2.50"),
            (Score::mate_in(1), "#1", "#-1"),
            (Score::mate_in(3), "#2", "#-2"),
            (Score::mated_in(2), "#-1", "#1"),
        ] {
            assert_eq!((pawns(score).as_str(), pawns(-score).as_str()), (text, of_other_side));
        }
    }
}
