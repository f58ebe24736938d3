//! Weights in the form in which people read them.
//!
//! A fit is free in some directions: a knight may be worth more and all its
//! squares less without any score changing. Here what every piece of a kind gets
//! is moved into its material value, the first entry of a table that is always
//! counted becomes 0, a table of which we know that it can only fall is made to,
//! and the unit becomes a hundredth of a pawn again.

use crate::eval::WEIGHTS;
use crate::tuner::model::Parameters;

/// Tables of which each piece of a kind counts exactly one entry, and the entry of
/// `material` that takes what they have in common.
const PER_PIECE: [(&str, usize); 4] =
    [("knight_mobility", 1), ("bishop_mobility", 2), ("rook_mobility", 3), ("queen_mobility", 4)];

/// Kinds of pieces that have a material value.
const KINDS: usize = 5;

/// A table that may only fall: more danger is never better.
const FALLING: &str = "king_danger";

/// Brings parameters into their normal form. `occurrences` says in how many
/// positions each term counts: rare ones weigh little in a mean.
pub fn normalise(parameters: &mut Parameters, occurrences: &[u32]) {
    let material = place("material").start;
    let squares = place("piece_square");
    let kinds = squares.len() / (KINDS + 1);
    for kind in 0..=KINDS {
        let start = squares.start + kind * kinds;
        let into = (kind < KINDS).then_some(material + kind);
        centre(parameters, occurrences, start..start + kinds, into);
    }
    for (name, kind) in PER_PIECE {
        centre(parameters, occurrences, place(name), Some(material + kind));
    }
    make_falling(parameters, occurrences, place(FALLING));
    let pawn = (parameters.0[material][0] + parameters.0[material][1]) / 2.0;
    if pawn > 1.0 {
        for value in parameters.0.iter_mut().flatten() {
            *value *= 100.0 / pawn;
        }
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

/// Makes a range begin with 0 and never rise, changing it as little as possible
/// (pool adjacent violators: M. Ayer et al., 1955).
fn make_falling(parameters: &mut Parameters, occurrences: &[u32], range: std::ops::Range<usize>) {
    for half in 0..2 {
        // Value, weight and number of the entries in each pool.
        let mut pools: Vec<(f64, f64, usize)> = Vec::new();
        let first = range.clone().next().map_or(0.0, |term| parameters.0[term][half]);
        for term in range.clone() {
            let value = f64::from(parameters.0[term][half] - first);
            let mut pool = (value, f64::from(occurrences[term]) + 1.0, 1);
            while let Some(&(before, weight, count)) = pools.last()
                && before < pool.0
            {
                let both = weight + pool.1;
                pool = ((before * weight + pool.0 * pool.1) / both, both, count + pool.2);
                pools.pop();
            }
            pools.push(pool);
        }
        let values = pools.iter().flat_map(|&(value, _, count)| std::iter::repeat_n(value, count));
        for (term, value) in range.clone().zip(values) {
            parameters.0[term][half] = value as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{make_falling, normalise, place};
    use crate::eval::WEIGHTS;
    use crate::tuner::SAMPLES;
    use crate::tuner::dataset::Dataset;
    use crate::tuner::model::Parameters;

    #[test]
    fn every_named_table_exists() {
        for name in ["material", "piece_square", super::FALLING] {
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
            let score =
                |index| parameters.score(&dataset.labels()[index], dataset.coefficients(index));
            (0..dataset.len()).map(score).collect()
        };
        let (before, after) = (scores(&before), scores(&after));
        let ratio = after[0] / before[0];
        for (before, after) in before.iter().zip(&after) {
            assert!((after - ratio * before).abs() < 2.0, "{before} {after} {ratio}");
        }
    }

    #[test]
    fn a_table_falls_afterwards_and_stays_close() {
        let mut parameters = Parameters(vec![[5.0, 0.0], [3.0, 0.0], [4.0, 0.0], [-9.0, 0.0]]);
        make_falling(&mut parameters, &[0, 0, 0, 0], 0..4);
        let halves: Vec<f32> = parameters.0.iter().map(|value| value[0]).collect();
        assert_eq!(halves, [0.0, -1.5, -1.5, -14.0]);
    }
}
