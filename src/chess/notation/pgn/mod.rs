//! Portable Game Notation (S. J. Edwards, 1994): whole games with their tags, comments,
//! annotation glyphs and variations.
//!
//! [`PgnReader`] reads one game at a time from a file of any size; [`PgnGame`] writes
//! itself. Nothing that a person wrote is lost on the way: tags keep their order, comments
//! and variations their places, and words that cannot be understood are kept as they are.
//! Each mistake is a [`PgnProblem`] with its line and move.
//!
//! | file | contents |
//! |---|---|
//! | [`game`] | a game: tags, elements, result |
//! | [`reader`] | reads games from a file |
//! | [`movetext`] | reads the moves of a game, word by word |
//! | [`line_stack`] | the positions on the way |
//! | [`tag`], [`result`] | a tag, and the names of variants; the notation of results |
//! | [`problem`] | what is wrong with a game |
//! | [`writer`] | writes games |
//! | [`edit`] | changes games |
//!
//! The moves of a game are a flat list of elements, in which brackets open and close
//! variations. No function follows them by recursion, so that variations of any depth
//! need no stack.

mod edit;
pub mod game;
mod line_stack;
mod movetext;
pub mod problem;
pub mod reader;
pub mod result;
pub mod tag;
#[cfg(test)]
mod tests;
mod writer;

pub use edit::PgnEditError;
pub use game::{Element, PgnGame, without_variations};
pub use movetext::MoveNumber;
pub use problem::{PgnProblem, ProblemKind};
pub use reader::{PgnError, PgnReader};
pub use tag::PgnTag;
