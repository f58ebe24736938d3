//! Special evaluations of known endgames (as in Stockfish's `endgame.cpp`).
//!
//! With few pieces the ordinary terms mislead: two knights look like a large advantage and
//! cannot win; a queen wins against a bare king, but only if each step towards the mate
//! scores more. Such endgames are recognised by their material:
//!
//! | module | the pieces |
//! |---|---|
//! | [`bare_king`] | anything against a king alone; a lone pawn by its endgame table |
//! | [`piece_vs_piece`] | a piece against a piece; two knights against a pawn |
//!
//! A certain result scores as a draw or beyond
//! [`Score::KNOWN_WIN`](crate::eval::Score::KNOWN_WIN). A likely result scores well below,
//! near the ordinary evaluation, so that no side gives up a pawn for it.

mod bare_king;
pub(super) mod geometry;
mod known;
mod piece_vs_piece;

use crate::chess::{Color, State};
use crate::eval::endgames::known::KnownEndgame;

/// Recognises a known endgame.
#[inline]
pub(super) fn recognise(state: &State) -> Option<KnownEndgame> {
    let bare = Color::ALL.into_iter().find(|&side| !state.color(side).more_than_one());
    match bare {
        Some(weak) => bare_king::recognise(state, !weak),
        None if state.occupied().len() <= 5 => piece_vs_piece::recognise(state),
        None => None,
    }
}
