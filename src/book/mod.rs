//! Layer 2: opening books in the Polyglot format.
//!
//! A Polyglot book is a file of entries of sixteen bytes, sorted by the hash key
//! of the position, each with a move and its weight. It is the format that most
//! interfaces and engines have in common; Fabien Letouzey made it for his adapter
//! Polyglot, and Michel Van den Bergh described it ("The Polyglot book format").
//!
//! | to read | what it does |
//! |---|---|
//! | [`mod@key`], [`random`] | the hash key of a position, and its random numbers |
//! | [`entry`] | one entry in its sixteen bytes, and how moves are encoded |
//! | [`polyglot`] | finds a position in a book on the disk |
//! | [`builder`], [`games`] | makes a book from games |
//!
//! The format knows the castling of standard chess only. A position of Chess960
//! therefore has no key, and no book says anything about it.

pub mod builder;
pub mod entry;
pub mod games;
pub mod key;
pub mod polyglot;
mod random;

use rand::RngExt;

use crate::chess::Move;

pub use builder::Builder;
pub use entry::{BookEntry, EncodedMove};
pub use key::key;
pub use polyglot::{Book, BookError};

/// A legal move that a book knows in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub m: Move,
    /// How good or how frequent the move is, next to the others of its position.
    pub weight: u16,
}

/// The move of the greatest weight, the first of several. A weight of zero marks
/// a move that is not to be played.
pub fn best(moves: &[BookMove]) -> Option<Move> {
    let greatest = moves.iter().map(|known| known.weight).max().filter(|&weight| weight > 0)?;
    moves.iter().find(|known| known.weight == greatest).map(|known| known.m)
}

/// One of the moves at random, each as likely as its share of all weights. A
/// weight of zero marks a move that is not to be played.
pub fn draw(moves: &[BookMove], rng: &mut impl RngExt) -> Option<Move> {
    let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
    if total == 0 {
        return None;
    }
    let mut drawn = rng.random_range(0..total);
    let chosen = moves.iter().find(|known| {
        let weight = u64::from(known.weight);
        let found = drawn < weight;
        drawn = drawn.saturating_sub(weight);
        found
    });
    chosen.map(|known| known.m)
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
    fn the_best_move_is_the_first_of_the_heaviest() {
        let moves = weighted(&[3, 9, 0, 9]);
        assert_eq!(best(&moves), Some(moves[1].m));
        assert_eq!(best(&weighted(&[0, 0])), None);
        assert_eq!(best(&[]), None);
    }

    /// Within four standard deviations of the binomial distribution.
    #[test]
    fn moves_are_drawn_by_weight() {
        const DRAWS: u32 = 40_000;
        let weights = [1, 0, 65_535, 30_000, 4_464];
        let moves = weighted(&weights);
        let mut counts = [0_u32; 5];
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..DRAWS {
            let m = draw(&moves, &mut rng).unwrap();
            counts[moves.iter().position(|known| known.m == m).unwrap()] += 1;
        }
        for (weight, count) in weights.into_iter().zip(counts) {
            let share = f64::from(weight) / 100_000.0;
            let expected = share * f64::from(DRAWS);
            let deviation = (expected * (1.0 - share)).sqrt();
            assert!((f64::from(count) - expected).abs() <= 4.0 * deviation, "{weight}: {count}");
        }
        assert_eq!(counts[1], 0, "a move of no weight was drawn");
    }

    #[test]
    fn nothing_is_drawn_from_nothing() {
        let mut rng = StdRng::seed_from_u64(1);
        assert_eq!(draw(&[], &mut rng), None);
        assert_eq!(draw(&weighted(&[0, 0, 0]), &mut rng), None);
    }
}
