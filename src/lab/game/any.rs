//! Chess or another game.

use crate::chess::Position;
use crate::lab::game::GameTree;
use crate::lab::game::chess::Chess;
use crate::lab::game::small::{GameTextError, SmallGame};

/// Any of the games.
#[derive(Clone)]
pub enum AnyGame {
    Chess(Box<Chess>),
    Small(SmallGame),
}

impl AnyGame {
    /// The position, in chess; on a board the one before the first move.
    pub fn position(&self) -> Option<&Position> {
        match self {
            Self::Chess(game) => Some(game.position()),
            Self::Small(SmallGame::Board(game)) => Some(game.root()),
            Self::Small(_) => None,
        }
    }
}

/// Runs an expression on the game inside an [`AnyGame`]. It is compiled for chess and for the
/// other games.
macro_rules! with_game {
    ($any:expr, $game:ident => $run:expr) => {
        match $any {
            crate::lab::game::any::AnyGame::Chess($game) => {
                let $game = &mut **$game;
                $run
            }
            crate::lab::game::any::AnyGame::Small($game) => $run,
        }
    };
}

pub(in crate::lab) use with_game;

impl AnyGame {
    /// Reads a game other than chess, as [`SmallGame::parse`].
    pub fn parse(text: &str) -> Result<Self, GameTextError> {
        SmallGame::parse(text).map(Self::Small)
    }

    /// The value of a finished game, as [`GameTree::end`].
    pub fn end(&self) -> Option<i32> {
        match self {
            Self::Chess(game) => game.end(),
            Self::Small(game) => game.end(),
        }
    }
}
