//! The outcome of a Syzygy table.

use std::ops::Neg;

/// The result of best play for the side to move under the fifty-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wdl {
    Loss,
    /// A loss that takes more than fifty moves.
    BlessedLoss,
    Draw,
    /// A win that takes more than fifty moves.
    CursedWin,
    Win,
}

/// The outcome for the other side.
impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

impl Wdl {
    /// The outcome with the fifty-move rule, or without it if it is not `enabled`.
    #[must_use]
    pub fn with_fifty_move_rule(self, enabled: bool) -> Self {
        match self {
            Self::CursedWin if !enabled => Self::Win,
            Self::BlessedLoss if !enabled => Self::Loss,
            _ => self,
        }
    }
}
