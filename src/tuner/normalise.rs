//! Brings weights into a readable form.
//!
//! Some weights can change together without any score changing: a knight's material value
//! may grow if all its square values fall. Here the mean of the tables that every piece of
//! a kind counts is moved into its material value, and a pawn becomes worth 100 again.

use crate::eval::WEIGHTS;
use crate::eval::terms::Unit;
use crate::tuner::model::{Parameters, range_of};

/// Tables of which each piece of a kind counts exactly one entry, with the index in
/// `material` that takes their mean.
const PER_PIECE: [(&str, usize); 4] =
    [("knight_mobility", 1), ("bishop_mobility", 2), ("rook_mobility", 3), ("queen_mobility", 4)];

/// Kinds of pieces with a material value.
const KINDS: usize = 5;
/// The index of pawns among them.
const PAWN: usize = 0;

/// Normalises parameters. `occurrences` is the number of positions in which each term
/// occurs, its weight in the means.
pub fn normalise(parameters: &mut Parameters, occurrences: &[u32]) {
    let material = range_of("material").start;
    let squares = range_of("piece_square");
    let board = squares.len() / KINDS;
    for kind in 0..KINDS {
        let start = squares.start + kind * board;
        // Squares where no pawn can stand keep their 0.
        let edge = if kind == PAWN { board / 8 } else { 0 };
        let range = start + edge..start + board - edge;
        move_mean(parameters, occurrences, range, Some(material + kind));
    }
    move_mean(parameters, occurrences, range_of("king_square"), None);
    for (name, kind) in PER_PIECE {
        move_mean(parameters, occurrences, range_of(name), Some(material + kind));
    }
    let pawn = (parameters.0[material][0] + parameters.0[material][1]) / 2.0;
    if pawn > 1.0 {
        scale_scores(parameters, 100.0 / pawn);
    }
}

/// Multiplies every score by `factor`.
fn scale_scores(parameters: &mut Parameters, factor: f32) {
    let tables = WEIGHTS.tables();
    let units = tables.iter().flat_map(|table| table.values.iter().map(|_| table.unit));
    for (value, unit) in parameters.0.iter_mut().zip(units) {
        // The middlegame score is quadratic in the danger.
        value[0] *= if unit == Unit::Danger { factor.sqrt() } else { factor };
        value[1] *= factor;
    }
}

/// Subtracts the mean from a range of terms, and adds it to the term `into`.
fn move_mean(
    parameters: &mut Parameters,
    occurrences: &[u32],
    range: std::ops::Range<usize>,
    into: Option<usize>,
) {
    let total: f64 = range.clone().map(|term| f64::from(occurrences[term])).sum();
    for half in 0..2 {
        let weighted =
            |term: usize| f64::from(occurrences[term]) * f64::from(parameters.0[term][half]);
        let mean = (range.clone().map(weighted).sum::<f64>() / total.max(1.0)) as f32;
        // Entries that do not occur change, too: other positions have them.
        for term in range.clone() {
            parameters.0[term][half] -= mean;
        }
        if let Some(into) = into {
            parameters.0[into][half] += mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PER_PIECE, normalise, range_of};
    use crate::eval::WEIGHTS;
    use crate::tuner::SAMPLES;
    use crate::tuner::dataset::Dataset;
    use crate::tuner::model::Parameters;

    #[test]
    fn all_named_tables_exist() {
        let per_piece = PER_PIECE.map(|(name, _)| name);
        for name in ["material", "piece_square", "king_square"].into_iter().chain(per_piece) {
            assert!(!range_of(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn normalising_scales_all_scores_alike() {
        let dataset = Dataset::read(SAMPLES.as_bytes(), |_| {}).unwrap();
        let before = Parameters::from(&WEIGHTS);
        let scores = |parameters: &Parameters| -> Vec<f32> {
            dataset.rows().map(|row| parameters.score(&row)).collect()
        };
        let terms = before.0.len();
        // Most entries do not occur in a single position.
        let first = Dataset::read(SAMPLES.lines().next().unwrap().as_bytes(), |_| {}).unwrap();
        for occurrences in [vec![1; terms], first.occurrences(terms)] {
            let mut after = before.clone();
            normalise(&mut after, &occurrences);
            let pawn = (after.0[0][0] + after.0[0][1]) / 2.0;
            assert!((pawn - 100.0).abs() < 0.01, "{pawn}");
            let (before, after) = (scores(&before), scores(&after));
            let ratio = after[0] / before[0];
            for (before, after) in before.iter().zip(&after) {
                assert!((after - ratio * before).abs() < 2.0, "{before} {after} {ratio}");
            }
        }
    }

    #[test]
    fn squares_without_pawns_stay_0() {
        let mut parameters = Parameters::from(&WEIGHTS);
        let occurrences = vec![1; parameters.0.len()];
        normalise(&mut parameters, &occurrences);
        let first = range_of("piece_square").start;
        for square in (0..8).chain(56..64) {
            assert_eq!(parameters.0[first + square], [0.0; 2], "{square}");
        }
    }
}
