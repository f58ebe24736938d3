//! Text formats of positions, moves and games.
//!
//! Each has a reader, which returns an error for any invalid text, and a writer, whose output
//! the reader accepts.

pub mod epd;
pub mod fen;
pub mod openings;
pub mod pgn;
pub mod quoted;
pub mod san;
pub mod uci;
pub mod written;

/// The start of a text, for messages and tables.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 24;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
