//! The squares that a piece attacks.
//!
//! Steps of knight, king and pawn are looked up by square; sliding pieces by
//! square and occupancy, through magic multiplication or, where the target has
//! it, the `PEXT` instruction ([`magic`]). All tables are computed by the
//! compiler: there is nothing to initialise.

pub mod magic;
mod tables;

use crate::chess::bitboard::Bitboard;
use crate::chess::color::Color;
use crate::chess::piece::Piece;
use crate::chess::square::Square;

pub use magic::{bishop, rook};

/// Squares that a knight attacks.
///
/// ```
/// use lovec::chess::{Square, attacks};
/// assert_eq!(attacks::knight(Square::A1).len(), 2);
/// ```
#[inline]
pub fn knight(square: Square) -> Bitboard {
    tables::KNIGHT[square.index()]
}

/// Squares that a king attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    tables::KING[square.index()]
}

/// Squares that a pawn of `color` attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    tables::PAWN[color.index()][square.index()]
}

/// Squares that a queen attacks.
///
/// ```
/// use lovec::chess::{Bitboard, Square, attacks};
/// assert_eq!(attacks::queen(Square::A1, Bitboard::EMPTY).len(), 21);
/// ```
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// Squares that a piece other than a pawn attacks; none for a pawn, whose
/// attacks depend on its colour.
#[inline]
pub fn piece(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        Piece::Pawn => Bitboard::EMPTY,
        Piece::Knight => knight(square),
        Piece::Bishop => bishop(square, occupied),
        Piece::Rook => rook(square, occupied),
        Piece::Queen => queen(square, occupied),
        Piece::King => king(square),
    }
}

/// Squares that a bishop attacks on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    tables::BISHOP_RAYS[square.index()]
}

/// Squares that a rook attacks on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    tables::ROOK_RAYS[square.index()]
}

/// Squares that a queen attacks on an empty board.
#[inline]
pub fn queen_rays(square: Square) -> Bitboard {
    bishop_rays(square) | rook_rays(square)
}

/// Squares strictly between two squares of one line or diagonal, otherwise none.
///
/// ```
/// use lovec::chess::{Square, attacks};
/// assert_eq!(attacks::between(Square::A1, Square::H8).len(), 6);
/// assert!(attacks::between(Square::A1, Square::A1).is_empty());
/// ```
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    tables::BETWEEN[a.index()][b.index()]
}

/// The whole line or diagonal through two squares, from edge to edge, or the
/// empty set if there is none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    tables::LINE[a.index()][b.index()]
}
