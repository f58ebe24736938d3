//! Weights in the form in which people read them.
//!
//! A fit is free in some directions: a knight may be worth more and all its
//! squares less without any score changing. Here what every piece of a kind gets
//! is moved into its material value, and the unit becomes a hundredth of a pawn
//! again.

use crate::eval::WEIGHTS;
use crate::eval::terms::Unit;
use crate::tuner::model::Parameters;

/// Tables of which each piece of a kind counts exactly one entry, and the entry of
/// `material` that takes what they have in common.
const PER_PIECE: [(&str, usize); 4] =
    [("knight_mobility", 1), ("bishop_mobility", 2), ("rook_mobility", 3), ("queen_mobility", 4)];

/// Kinds of pieces that have a material value.
const KINDS: usize = 5;

/// Brings parameters into their normal form. `occurrences` says in how many
/// positions each term counts: rare ones weigh little in a mean.
pub fn normalise(parameters: &mut Parameters, occurrences: &[u32]) {
    let material = place("material").start;
    let squares = place("piece_square");
    let board = squares.len() / KINDS;
    for kind in 0..KINDS {
        let start = squares.start + kind * board;
        centre(parameters, occurrences, start..start + board, Some(material + kind));
    }
    centre(parameters, occurrences, place("king_square"), None);
    for (name, kind) in PER_PIECE {
        centre(parameters, occurrences, place(name), Some(material + kind));
    }
    let pawn = (parameters.0[material][0] + parameters.0[material][1]) / 2.0;
    if pawn > 1.0 {
        stretch(parameters, 100.0 / pawn);
    }
}

/// Multiplies every score by `factor`.
fn stretch(parameters: &mut Parameters, factor: f32) {
    let tables = WEIGHTS.tables();
    let units = tables.iter().flat_map(|table| table.values.iter().map(|_| table.unit()));
    for (value, unit) in parameters.0.iter_mut().zip(units) {
        // The middlegame pays the square of the danger.
        value[0] *= if unit == Unit::Danger { factor.sqrt() } else { factor };
        value[1] *= factor;
    }
}

/// The places of a term's entries; empty if there is no such term.
fn place(name: &str) -> std::ops::Range<usize> {
    let mut start = 0;
    for table in WEIGHTS.tables() {
        let end = start + table.values.len();
        if table.name == name {
            return start..end;
        }
        start = end;
    }
    start..start
}

/// Moves the mean of a range into another term.
fn centre(
    parameters: &mut Parameters,
    occurrences: &[u32],
    range: std::ops::Range<usize>,
    into: Option<usize>,
) {
    let total: f64 = range.clone().map(|term| f64::from(occurrences[term])).sum();
    for half in 0..2 {
        let weighed =
            |term: usize| f64::from(occurrences[term]) * f64::from(parameters.0[term][half]);
        let mean = (range.clone().map(weighed).sum::<f64>() / total.max(1.0)) as f32;
        for term in range.clone().filter(|&term| occurrences[term] > 0) {
            parameters.0[term][half] -= mean;
        }
        if let Some(into) = into {
            parameters.0[into][half] += mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{normalise, place};
    use crate::eval::WEIGHTS;
    use crate::tuner::SAMPLES;
    use crate::tuner::dataset::Dataset;
    use crate::tuner::model::Parameters;

    #[test]
    fn every_named_table_exists() {
        for name in ["material", "piece_square", "king_square"] {
            assert!(!place(name).is_empty(), "{name}");
        }
        for (name, _) in super::PER_PIECE {
            assert!(!place(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn moving_means_changes_scores_by_the_unit_alone() {
        let dataset = Dataset::read(SAMPLES.as_bytes(), |_| {}).unwrap();
        let before = Parameters::from(&WEIGHTS);
        // Every term counts alike, so that no entry is left where it was.
        let mut after = before.clone();
        normalise(&mut after, &vec![1; before.0.len()]);
        let pawn = (after.0[0][0] + after.0[0][1]) / 2.0;
        assert!((pawn - 100.0).abs() < 0.01, "{pawn}");
        let scores = |parameters: &Parameters| -> Vec<f32> {
            dataset.rows().map(|row| parameters.score(&row)).collect()
        };
        let (before, after) = (scores(&before), scores(&after));
        let ratio = after[0] / before[0];
        for (before, after) in before.iter().zip(&after) {
            assert!((after - ratio * before).abs() < 2.0, "{before} {after} {ratio}");
        }
    }
}
