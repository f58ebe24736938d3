//! How well quiet moves did elsewhere in the tree (J. Schaeffer, "The history
//! heuristic", 1983).

use crate::chess::{Color, Move};

/// The bound of every history score.
pub(super) const MAX_HISTORY: i32 = 16_384;

/// A running average in the range ±[`MAX_HISTORY`].
#[derive(Clone, Copy, Default)]
struct HistoryScore(i16);

impl HistoryScore {
    /// Moves the score towards the bound that the sign of `bonus` points to.
    /// The pull back grows with the score ("gravity"), so that it never passes
    /// the bound and old experience fades.
    #[inline]
    fn update(&mut self, bonus: i32) {
        let score = i32::from(self.0);
        self.0 = (score + bonus - score * bonus.abs() / MAX_HISTORY) as i16;
    }
}

/// Experience with moves, kept from one search of a game to the next.
pub(super) struct History {
    /// By colour, origin and destination.
    quiet: Vec<[HistoryScore; 4096]>,
}

impl History {
    pub fn new() -> Self {
        Self { quiet: vec![[HistoryScore::default(); 4096]; 2] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.fill([HistoryScore::default(); 4096]);
    }

    /// The score of a quiet move of `color`.
    #[inline]
    pub fn quiet(&self, color: Color, m: Move) -> i32 {
        i32::from(self.quiet[color.index()][m.from_to()].0)
    }

    /// A quiet move caused a cutoff at `depth`; the quiet moves tried before it
    /// did not.
    pub fn reward(&mut self, color: Color, best: Move, failed: &[Move], depth: i32) {
        let bonus = bonus(depth);
        let table = &mut self.quiet[color.index()];
        table[best.from_to()].update(bonus);
        for m in failed {
            table[m.from_to()].update(-bonus);
        }
    }
}

/// What a cutoff at `depth` teaches: more, the more work it saved.
fn bonus(depth: i32) -> i32 {
    (16 * depth * depth + 32 * depth).min(1_600)
}

#[cfg(test)]
mod tests {
    use super::{HistoryScore, MAX_HISTORY};

    #[test]
    fn gravity_keeps_scores_in_bounds_and_lets_them_turn() {
        let mut score = HistoryScore::default();
        for _ in 0..10_000 {
            score.update(1_600);
            assert!(i32::from(score.0) <= MAX_HISTORY);
        }
        assert!(i32::from(score.0) > MAX_HISTORY * 9 / 10);
        let top = score.0;
        score.update(-1_600);
        assert!(i32::from(top - score.0) > 1_600, "a surprise moves it more than once the bonus");
        for _ in 0..10_000 {
            score.update(-MAX_HISTORY);
            assert!(i32::from(score.0) >= -MAX_HISTORY);
        }
    }
}
