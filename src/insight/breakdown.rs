//! A score as a sum of terms, in whole centipawns.

use crate::chess::{Color, State};
use crate::eval::{Explanation, Score, Standing, Tapered, explain};

/// The value of a term at the end of a line, in centipawns for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermValue {
    pub group: &'static str,
    pub term: &'static str,
    pub value: i32,
    /// The part of the other side alone, rounded: what the value is less by.
    pub theirs: i32,
}

/// The score of a line by the terms of the static evaluation at its end. All values are in
/// centipawns for one side, and add up: `terms` to `static_score`, and with `residual` to
/// `score`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    pub terms: Vec<TermValue>,
    /// The static evaluation at the end of the line; 0 for stalemate.
    pub static_score: i32,
    /// What the search knows and the static evaluation does not.
    pub residual: i32,
    pub score: i32,
}

/// The row of a position that is scored without the terms.
const KNOWN_ENDGAME: [&str; 2] = ["Known endgame", "known_endgame"];

impl Breakdown {
    /// The breakdown of a score of `side` by the position at the end of its line. `None` for
    /// wins and losses, which no term explains.
    pub fn new(end: &State, score: Score, side: Color) -> Option<Self> {
        if score.is_decisive() {
            return None;
        }
        let explanation = explain(end);
        let static_score = match explanation.standing {
            Standing::Checkmate => return None,
            Standing::Stalemate => 0,
            Standing::Quiet | Standing::Check => explanation.white_score.cp() * side.sign(),
        };
        let terms = terms(&explanation, static_score, side);
        let score = score.cp();
        Some(Self { terms, static_score, residual: score - static_score, score })
    }

    /// The sum of a group of terms.
    pub fn group(&self, group: &str) -> i32 {
        self.terms.iter().filter(|term| term.group == group).map(|term| term.value).sum()
    }
}

/// The rows of the explanation for `side`, with `total` as their sum.
fn terms(explanation: &Explanation, total: i32, side: Color) -> Vec<TermValue> {
    let [group, term] = KNOWN_ENDGAME;
    let is_known = explanation.known_endgame.is_some() || explanation.standing.is_game_over();
    let known = TermValue { group, term, value: if is_known { total } else { 0 }, theirs: 0 };
    let share = |value: Tapered| if is_known { 0.0 } else { explanation.share(value) };
    let sign = f64::from(side.sign());
    let shares: Vec<f64> = explanation.rows.iter().map(|row| sign * share(row.total())).collect();
    let values = apportion(&shares, total - known.value);
    let rows = explanation.rows.iter().zip(values);
    rows.map(|(row, value)| {
        let theirs = if side == Color::White { row.black } else { row.white };
        let theirs = share(theirs).round() as i32;
        TermValue { group: row.group, term: row.name, value, theirs }
    })
    .chain([known])
    .collect()
}

/// Whole numbers that add up to `total`, each near its share: the shares rounded down, and
/// one more for those with the largest fractions (the method of the largest remainder).
fn apportion(shares: &[f64], total: i32) -> Vec<i32> {
    let mut values: Vec<i32> = shares.iter().map(|share| share.floor() as i32).collect();
    let missing = total - values.iter().sum::<i32>();
    let mut order: Vec<usize> = (0..shares.len()).filter(|&index| shares[index] != 0.0).collect();
    order.sort_by(|&left, &right| {
        let fraction = |index: usize| shares[index] - shares[index].floor();
        fraction(right).total_cmp(&fraction(left))
    });
    let count = order.len() as i32;
    for (place, &index) in (0..).zip(&order) {
        // The sum of the shares may differ from the total by more than the fractions, since
        // the evaluation rounds in steps.
        values[index] += missing.div_euclid(count) + i32::from(place < missing.rem_euclid(count));
    }
    values
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::Position;

    #[test]
    fn a_known_endgame_is_a_row() {
        let end = Position::from_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1").unwrap();
        let known = Breakdown::new(&end, Score::new(10), Color::White).unwrap();
        let sum: i32 = known.terms.iter().map(|term| term.value).sum();
        assert_eq!(sum, known.static_score);
        assert_eq!(known.group("Known endgame"), known.static_score);
    }

    #[test]
    fn no_term_explains_a_mate() {
        let start = Position::startpos();
        assert_eq!(Breakdown::new(&start, Score::mate_in(3), Color::White), None);
    }

    proptest! {
        #[test]
        fn shares_become_whole_numbers_with_the_right_sum(
            shares in proptest::collection::vec(-200.0_f64..200.0, 1..40),
            rounding in -3_i32..=3,
        ) {
            let total = shares.iter().sum::<f64>().round() as i32 + rounding;
            let values = apportion(&shares, total);
            prop_assert_eq!(values.iter().sum::<i32>(), total);
            for (share, value) in shares.iter().zip(values) {
                prop_assert!((share - f64::from(value)).abs() < 5.0);
            }
        }
    }
}
