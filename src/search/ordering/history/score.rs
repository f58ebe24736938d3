//! The score of one history entry.

use bytemuck::Zeroable;

/// A running average in the range ±`MAX`.
#[derive(Clone, Copy, Default, Zeroable)]
pub struct HistoryScore<const MAX: i32>(i16);

impl<const MAX: i32> HistoryScore<MAX> {
    #[inline]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the score towards the bound with the sign of `bonus`. A pull towards zero
    /// that grows with the score ("gravity", as in Stockfish) keeps it in bounds and lets
    /// old results fade.
    #[inline]
    pub fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-MAX, MAX);
        let score = i32::from(self.0);
        self.0 = (score + bonus - score * bonus.abs() / MAX) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::HistoryScore;

    const MAX_HISTORY: i32 = 16_384;

    #[test]
    fn gravity_keeps_scores_in_bounds_and_lets_them_turn() {
        let mut score = HistoryScore::<MAX_HISTORY>::default();
        for _ in 0..10_000 {
            score.update(1_600);
            assert!(score.get() <= MAX_HISTORY);
        }
        assert!(score.get() > MAX_HISTORY * 9 / 10);
        let top = score.get();
        score.update(-1_600);
        assert!(top - score.get() > 1_600, "a change of sign moves it by more than the bonus");
        for _ in 0..10_000 {
            score.update(-2 * MAX_HISTORY);
            assert!(score.get() >= -MAX_HISTORY);
        }
    }
}
