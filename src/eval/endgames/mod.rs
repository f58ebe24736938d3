//! Endings that are known by name.
//!
//! With few men left the ordinary terms mislead: two knights look like a large
//! advantage and cannot win; a queen against a bare king wins anywhere, but only
//! if every step of driving the king back looks like progress. Such endings are
//! recognised by their material and scored by what is known of them:
//!
//! | to read | the men |
//! |---|---|
//! | [`bare_king`] | anything against a king alone |
//! | [`kpk`] | king and pawn against king, solved |
//! | [`piece_vs_piece`] | a man against a man; two knights against a pawn |
//!
//! What is certain scores as a draw, or beyond [`Score::KNOWN_WIN`]. What only
//! usually holds stays well below that, in the neighbourhood of the ordinary
//! evaluation of the endings that it comes from, so that nobody gives a pawn
//! away to reach it.

mod bare_king;
pub(super) mod geometry;
mod known;
pub(super) mod kpk;
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
