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
pub(super) mod kpk;
mod piece_vs_piece;

use crate::chess::{Bitboard, Color, File, Rank, Square, State};
use crate::eval::score::Score;

/// An ending that is known: its name and its score from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownEndgame {
    pub(super) name: &'static str,
    pub(super) score: Score,
}

impl KnownEndgame {
    const fn draw(name: &'static str) -> Self {
        Self { name, score: Score::DRAW }
    }

    /// So many centipawns for `strong`.
    fn better(name: &'static str, strong: Color, centipawns: i32) -> Self {
        Self { name, score: (Score::new(centipawns) * strong.sign()).clamp_eval() }
    }
}

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

/// A square as `side` sees it when it plays up the board.
#[inline]
pub(super) const fn seen_by(side: Color, square: Square) -> Square {
    match side {
        Color::White => square,
        Color::Black => square.flip(),
    }
}

/// How far a king is from being mated: steps from the nearest corner, the nearer
/// edge counted twice. 0 in a corner, up to 9 in the centre.
fn edge_distance(king: Square) -> i32 {
    let [file, rank] = inwards(king);
    file + rank + file.min(rank)
}

/// Steps from the nearer edge, along the rank and along the file.
fn inwards(king: Square) -> [i32; 2] {
    [king.file().index(), king.rank().index()].map(|i| i.min(7 - i) as i32)
}

/// The corner where pawns queen that all stand on one rook file.
pub(super) fn pawns_corner(pawns: Bitboard, strong: Color) -> Option<Square> {
    let file = [File::A, File::H].into_iter().find(|file| pawns.is_subset(file.bitboard()))?;
    Some(Square::at(file, strong.relative_rank(Rank::Eighth)))
}

/// Steps of a king between two squares, as a number to count with.
pub(super) fn steps(from: Square, to: Square) -> i32 {
    i32::from(from.distance(to))
}
