//! The moves of a book in a position, and the choice among them.

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::chess::Move;

/// A legal book move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub m: Move,
    /// How good or frequent the move is, relative to the other moves of the position.
    pub weight: u16,
}

/// The first move of the greatest weight. Moves of weight zero are never played.
pub fn best(moves: &[BookMove]) -> Option<Move> {
    let greatest =
        moves.iter().map(|book_move| book_move.weight).max().filter(|&weight| weight > 0)?;
    moves.iter().find(|book_move| book_move.weight == greatest).map(|book_move| book_move.m)
}

/// A random move, with probabilities in proportion to the weights; `None` if all are zero.
pub fn draw(moves: &[BookMove], rng: &mut impl Rng) -> Option<Move> {
    let drawn = moves.choose_weighted(rng, |book_move| u64::from(book_move.weight));
    drawn.ok().map(|book_move| book_move.m)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::chess::Position;

    /// The first moves of the start position, with these weights.
    fn weighted(weights: &[u16]) -> Vec<BookMove> {
        let moves = Position::startpos().legal_moves();
        moves.into_iter().zip(weights).map(|(m, &weight)| BookMove { m, weight }).collect()
    }

    #[test]
    fn the_first_of_the_heaviest_moves_is_best() {
        let moves = weighted(&[3, 9, 0, 9]);
        assert_eq!(best(&moves), Some(moves[1].m));
        assert_eq!(best(&weighted(&[0, 0])), None);
        assert_eq!(best(&[]), None);
    }

    /// The counts are within four standard deviations of the binomial distribution.
    #[test]
    fn moves_are_drawn_in_proportion_to_their_weights() {
        const DRAWS: u32 = 40_000;
        let weights = [1, 0, 65_535, 30_000, 4_464];
        let moves = weighted(&weights);
        let mut counts = [0_u32; 5];
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..DRAWS {
            let m = draw(&moves, &mut rng).unwrap();
            counts[moves.iter().position(|book_move| book_move.m == m).unwrap()] += 1;
        }
        for (weight, count) in weights.into_iter().zip(counts) {
            let share = f64::from(weight) / 100_000.0;
            let expected = share * f64::from(DRAWS);
            let deviation = (expected * (1.0 - share)).sqrt();
            assert!((f64::from(count) - expected).abs() <= 4.0 * deviation, "{weight}: {count}");
        }
        assert_eq!(counts[1], 0, "a move of weight zero was drawn");
    }

    #[test]
    fn no_move_is_drawn_without_weights() {
        let mut rng = StdRng::seed_from_u64(1);
        assert_eq!(draw(&[], &mut rng), None);
        assert_eq!(draw(&weighted(&[0, 0, 0]), &mut rng), None);
    }
}
