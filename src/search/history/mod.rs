//! How well moves did elsewhere in the tree (J. Schaeffer, "The history
//! heuristic", 1983).
//!
//! | to read | what it remembers |
//! |---|---|
//! | [`quiet`] | quiet moves: by squares and threats, by pawn structure, by the moves before |
//! | [`capture`] | captures: by the piece, its destination and its victim |
//! | [`correction`] | by how much the static evaluation errs in positions of a kind |

mod capture;
mod correction;
mod quiet;

use bytemuck::Zeroable;

use crate::chess::{Color, Move, Piece, Square, State, Threats};
use crate::search::stack::Stack;
use crate::util::memory::MemoryError;

pub(super) use capture::CaptureHistory;
pub(super) use correction::CorrectionHistory;
pub(super) use quiet::QuietHistory;

/// The bound of a score in the histories of moves.
pub(super) const MAX_HISTORY: i32 = 16_384;

/// A running average in the range ±`MAX`.
#[derive(Clone, Copy, Default, Zeroable)]
pub(super) struct HistoryScore<const MAX: i32>(i16);

impl<const MAX: i32> HistoryScore<MAX> {
    #[inline]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the score towards the bound that the sign of `bonus` points to.
    /// The pull back grows with the score ("gravity"), so that it never passes
    /// the bound and old experience fades.
    #[inline]
    pub fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-MAX, MAX);
        let score = i32::from(self.0);
        self.0 = (score + bonus - score * bonus.abs() / MAX) as i16;
    }
}

/// A piece and the square that it went to: a move as those after it see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Played(u16);

impl Played {
    /// Twelve kinds of men on sixty-four squares.
    pub const COUNT: usize = 12 * Square::COUNT;
    /// A null move, or nothing at all.
    pub const NOTHING: Self = Self(Self::COUNT as u16);

    #[inline]
    pub fn new(color: Color, piece: Piece, to: Square) -> Self {
        let man = Piece::COUNT * color.index() + piece.index();
        Self((Square::COUNT * man + to.index()) as u16)
    }

    /// A move of the side to move.
    #[inline]
    pub fn of(state: &State, m: Move) -> Self {
        Self::new(state.side_to_move(), state.moved_piece(m), m.to())
    }

    /// Up to [`Played::COUNT`], which stands for nothing.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What the histories want to know of a node, beyond its position.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// What the other side attacks.
    pub threats: Threats,
    /// The moves one, two and four plies before.
    pub before: [Played; 3],
}

impl Context {
    /// For nodes that only look at captures, which ask for nothing of this.
    pub const NONE: Self = Self { threats: Threats::NONE, before: [Played::NOTHING; 3] };

    pub fn new(state: &State, stack: &Stack, ply: usize) -> Self {
        Self { threats: state.threats(!state.side_to_move()), before: stack.played(ply, [1, 2, 4]) }
    }
}

/// Experience with moves and evaluations, kept from one search of a game to the
/// next.
pub(super) struct History {
    pub quiet: QuietHistory,
    pub capture: CaptureHistory,
    pub correction: CorrectionHistory,
}

impl History {
    /// No experience.
    ///
    /// # Errors
    ///
    /// If the system refuses an allocation.
    pub fn new() -> Result<Self, MemoryError> {
        Ok(Self {
            quiet: QuietHistory::new()?,
            capture: CaptureHistory::new()?,
            correction: CorrectionHistory::new()?,
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.clear();
        self.capture.clear();
        self.correction.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{HistoryScore, MAX_HISTORY};

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
        assert!(top - score.get() > 1_600, "a surprise moves it more than once the bonus");
        for _ in 0..10_000 {
            score.update(-2 * MAX_HISTORY);
            assert!(score.get() >= -MAX_HISTORY);
        }
    }
}
