//! Chess in letters: positions and moves as people and programs write them.
//!
//! Each format has a file, with a reader that survives any text and says what is
//! wrong with it, and a writer whose output the reader takes back.

pub mod epd;
pub mod fen;
pub mod san;
pub mod uci;

/// As much of a text as an error message should repeat.
fn excerpt(text: &str) -> String {
    const LENGTH: usize = 24;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
