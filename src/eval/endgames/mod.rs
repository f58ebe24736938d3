//! Endings that are known by name.
//!
//! With few pieces left the ordinary terms mislead: two knights look like a large
//! advantage and cannot win; a queen against a bare king wins anywhere, but only
//! if every step of driving the king back looks like progress. Such endings are
//! recognised by their material and scored by what is known of them:
//!
//! | module | the pieces |
//! |---|---|
//! | [`bare_king`] | anything against a king alone; a lone pawn by its endgame table |
//! | [`piece_vs_piece`] | a piece against a piece; two knights against a pawn |
//!
//! A certain result scores as a draw or beyond [`Score::KNOWN_WIN`]. A usual result
//! stays well below that, near the ordinary
//! evaluation of the endings before it, so that no side gives up a pawn to reach
//! it.

mod bare_king;
pub(super) mod geometry;
mod known;
mod piece_vs_piece;

use crate::chess::{Color, State};
use crate::eval::endgames::known::KnownEndgame;

/// Recognises a known ending.
#[inline]
pub(super) fn recognise(state: &State) -> Option<KnownEndgame> {
    let bare = Color::ALL.into_iter().find(|&side| !state.color(side).more_than_one());
    match bare {
        Some(weak) => bare_king::recognise(state, !weak),
        None if state.occupied().len() <= 5 => piece_vs_piece::recognise(state),
        None => None,
    }
}
