//! Layer 2: endings whose outcome is known.
//!
//! | file | contents |
//! |---|---|
//! | [`syzygy`] | R. de Man's tables: the winner, and the distance to the next capture or pawn move |
//! | [`rank`] | ranks root moves by Syzygy distance |
//! | [`chunks`] | cached reading of Syzygy files |
//! | [`egtb`] | Lovec's own tables: the distance to mate in plies |

mod chunks;
pub mod egtb;
pub mod rank;
pub mod syzygy;

use std::ops::Neg;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub use rank::RankedMove;
pub use syzygy::{Dtz, Syzygy};

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

/// The files of a directory with one of these extensions, sorted by name.
fn files_of(directory: &Path, extensions: &[&str]) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.extension().is_some_and(|it| extensions.iter().any(|end| it == *end)));
    paths.sort();
    Ok(paths)
}
