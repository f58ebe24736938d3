//! The games as they come from a file, one after the other.
//!
//! A database may be larger than the memory: games to annotate come as they are needed, and
//! the text of all others passes through.

use std::error::Error;
use std::sync::mpsc::Receiver;

use crate::chess::notation::pgn::PgnGame;

/// A part of the games of a file.
#[derive(Debug)]
pub enum GameItem {
    /// A game to annotate.
    Selected(Box<PgnGame>),
    /// The text of games that stay as they are.
    Kept(String),
}

/// Where the games come from, in the order of the file. After an error there are no more.
pub type GameInbox = Receiver<Result<GameItem, Box<dyn Error + Send + Sync>>>;
