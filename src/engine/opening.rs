//! The opening book that the engine plays from.
//!
//! The engine thread owns it, like everything else that is slow to change. A book moves
//! only in play, not in analysis: an endless search, a search for a mate or of selected
//! moves. Nor does it move in a search that began as pondering. Since it may answer
//! every reply, its moves come without a reply to ponder on.

use std::io;
use std::path::Path;

use crate::book::{self, Book, BookError};
use crate::chess::{Move, Position};
use crate::engine::options::Settings;
use crate::search::Limits;

/// Opens the book of this [name](Book::named); the one inside Lovec if the name is empty.
pub(super) fn open(name: &str) -> Result<Book, BookError> {
    if name.is_empty() { Ok(Book::own()) } else { Book::named(Path::new(name)) }
}

/// The legal move that the book plays, if it may move and has one.
pub(super) fn choose(
    book: &mut Book,
    position: &Position,
    settings: &Settings,
    limits: &Limits,
) -> io::Result<Option<Move>> {
    if !uses_book(settings, limits) {
        return Ok(None);
    }
    let moves = book.moves(position)?;
    Ok(if settings.best_book_move {
        book::best(&moves)
    } else {
        book::draw(&moves, &mut rand::rng())
    })
}

/// Whether the book may move in a search with these settings and limits.
fn uses_book(settings: &Settings, limits: &Limits) -> bool {
    let is_analysis = limits.infinite
        || limits.ponder
        || limits.mate.is_some()
        || limits.search_moves.is_some()
        || settings.analyse;
    settings.own_book && !settings.chess960 && !is_analysis
}

/// Limits for a search that only finds the score of a book move.
pub(super) fn limits_to(m: Move, requested: &Limits) -> Limits {
    Limits {
        depth: Some(1),
        nodes: requested.nodes,
        search_moves: Some(vec![m]),
        ..Limits::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_moves_only_in_play() {
        let playing = Settings { own_book: true, ..Settings::defaults() };
        let timed = Limits { depth: Some(5), nodes: Some(5), ..Limits::default() };
        assert!(uses_book(&playing, &Limits::default()) && uses_book(&playing, &timed));
        let m = Position::startpos().legal_moves()[0];
        for limits in [
            Limits { infinite: true, ..Limits::default() },
            Limits { ponder: true, ..Limits::default() },
            Limits { mate: Some(3), ..Limits::default() },
            Limits { search_moves: Some(vec![m]), ..Limits::default() },
        ] {
            assert!(!uses_book(&playing, &limits), "{limits:?}");
        }
        for settings in [
            Settings { own_book: false, ..playing.clone() },
            Settings { chess960: true, ..playing.clone() },
            Settings { analyse: true, ..playing.clone() },
        ] {
            assert!(!uses_book(&settings, &timed), "{settings:?}");
        }
    }
}
