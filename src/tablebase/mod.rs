//! Layer 2: endings whose outcome is known.
//!
//! | to read | what it does |
//! |---|---|
//! | [`syzygy`] | the tables of R. de Man: who wins, and how soon a capture or pawn move comes |
//! | [`rank`] | which moves of the position on the board keep what the tables promise |
//! | [`chunks`] | files that are read where they are asked, and kept |
//! | [`checksum`], [`city_hash`] | whether a file is the table that was published |
//! | [`egtb`] | Lovec's own tables: how many plies away the mate is |

pub mod checksum;
mod chunks;
mod city_hash;
pub mod egtb;
pub mod rank;
pub mod syzygy;

use std::ops::Neg;

pub use rank::RankedMove;
pub use syzygy::Syzygy;

/// What best play leads to, for the side to move, when fifty moves without a
/// capture or a pawn move make a draw.
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
    /// The outcome when games are played on beyond the fifty moves, or else that
    /// which holds if they are not.
    #[must_use]
    pub fn with_fifty_move_rule(self, counted: bool) -> Self {
        match self {
            Self::CursedWin if !counted => Self::Win,
            Self::BlessedLoss if !counted => Self::Loss,
            _ => self,
        }
    }
}
