//! What is wrong with a game.

use std::fmt;

use thiserror::Error;

use crate::chess::notation::fen::FenError;
use crate::chess::notation::pgn::line_stack::MAX_DEPTH;
use crate::chess::notation::pgn::movetext::MoveNumber;
use crate::chess::notation::san::SanError;

/// Problems that are kept of a game.
pub(super) const MAX_PROBLEMS: usize = 100;

/// A mistake in a game and where it is.
///
/// `line 12, 17... (in a variation): Nf6 is not legal here`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnProblem {
    /// The line of the file, from 1.
    pub line: u64,
    /// The number of the next move; `None` in the tags, or if the moves cannot be followed.
    pub number: Option<MoveNumber>,
    /// Whether it is in a variation.
    pub in_variation: bool,
    pub kind: ProblemKind,
}

/// The mistake.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProblemKind {
    #[error("{0:?} is not a well-formed tag")]
    Tag(String),
    #[error("tag FEN: {0}")]
    Fen(#[from] FenError),
    #[error("the variant {0:?} is not known")]
    Variant(String),
    /// The rest of the line of play is not followed.
    #[error(transparent)]
    Move(#[from] SanError),
    #[error("a null move in check")]
    NullMoveInCheck,
    #[error("{0:?} has no meaning")]
    Word(String),
    #[error("{0:?} stands outside a comment; it is read as one")]
    Command(String),
    #[error("{0:?} closes nothing")]
    Bracket(char),
    #[error("a variation of no move")]
    VariationOfNothing,
    #[error("variations are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    #[error("a variation is not closed")]
    OpenVariation,
    #[error("a comment is not closed")]
    OpenComment,
    #[error("the result is missing")]
    NoResult,
    #[error("more problems follow")]
    More,
}

impl PgnProblem {
    /// Adds it to the problems of a game; of very many, the first ones and what ends the game
    /// are kept.
    pub(super) fn add_to(mut self, problems: &mut Vec<Self>) {
        match problems.len() {
            ..MAX_PROBLEMS => {}
            _ if self.ends_game() => {}
            MAX_PROBLEMS => self.kind = ProblemKind::More,
            _ => return,
        }
        problems.push(self);
    }

    /// Whether the game itself cannot be followed after it.
    pub(super) fn ends_game(&self) -> bool {
        !self.in_variation && self.kind.ends_line()
    }
}

impl fmt::Display for PgnProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(number) = self.number {
            write!(f, ", {number}")?;
        }
        if self.in_variation {
            f.write_str(" (in a variation)")?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl ProblemKind {
    /// Whether the rest of the line of play is not followed.
    fn ends_line(&self) -> bool {
        matches!(self, Self::Fen(_) | Self::Variant(_) | Self::Move(_) | Self::NullMoveInCheck)
    }
}
