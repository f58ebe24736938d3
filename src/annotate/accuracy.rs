//! Accuracy: how close the moves of a player come to the best ones, in percent.
//!
//! The formulas are Lichess's (<https://lichess.org/page/accuracy> and
//! `AccuracyPercent.scala` of lichess-org/lila): an exponential of the percent of winning
//! chances that a move loses; for a game the average of two means, a mean weighted by how
//! much the chances vary around each move, and the harmonic mean. The chances are Lovec's
//! expected score, so that the result is not the number that Lichess shows.

/// The accuracy of a move that loses `points` of 100.
pub fn of_move(points: f64) -> f64 {
    if points <= 0.0 {
        return 100.0;
    }
    // The last summand is Lichess's bonus for the uncertainty of the analysis.
    let accuracy = 103.1668 * (-0.04354 * points).exp() - 3.1669 + 1.0;
    accuracy.clamp(0.0, 100.0)
}

/// The weights of moves, from White's expected scores in points of 100: a position before
/// each move, and the last one. There is a weight for each move.
pub fn weights(points: &[f64]) -> Vec<f64> {
    let moves = points.len().saturating_sub(1);
    let size = (moves / 10).clamp(2, 8);
    // The first windows are the same: there are no positions before them.
    let start = |index: usize| (index + 2).saturating_sub(size);
    let windows = (0..moves).map(|index| &points[start(index)..][..size]);
    windows.map(|window| standard_deviation(window).clamp(0.5, 12.0)).collect()
}

/// The accuracy of moves with their weights; `None` without moves.
pub fn of_moves(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let weight: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / weight;
    let inverses: f64 = moves.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum();
    let harmonic = moves.len() as f64 / inverses;
    Some((weighted + harmonic) / 2.0)
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_lost_is_less_accurate() {
        assert_eq!((of_move(-3.0), of_move(0.0), of_move(100.0)), (100.0, 100.0, 0.0));
        assert!((of_move(10.0) - (103.1668 * 0.647_006 - 2.1669)).abs() < 0.01);
        for points in 1..100 {
            assert!(of_move(f64::from(points)) >= of_move(f64::from(points) + 1.0));
        }
    }

    #[test]
    fn each_move_has_a_weight() {
        for moves in 0..200 {
            let points: Vec<f64> = (0..=moves).map(|n| f64::from(n * 37 % 101)).collect();
            assert_eq!(weights(&points).len(), moves as usize);
        }
        assert!(weights(&[]).is_empty());
        // Thirty moves have windows of three positions; the first windows are the same.
        let mut points = [50.0; 31];
        points[2] = 80.0;
        let weights = weights(&points);
        assert_eq!(weights[0], weights[1]);
        assert!(weights[0] > 10.0 && weights[3] == weights[0] && weights[4] == 0.5, "{weights:?}");
    }

    #[test]
    fn a_game_lies_between_its_moves() {
        assert_eq!(of_moves(&[]), None);
        assert_eq!(of_moves(&[(100.0, 0.5), (100.0, 12.0)]), Some(100.0));
        let mixed = of_moves(&[(100.0, 1.0), (20.0, 1.0)]).unwrap();
        assert!((mixed - (60.0 + 2.0 / (0.01 + 0.05)) / 2.0).abs() < 1e-9, "{mixed}");
    }
}
