//! Observers of the pieces.

use crate::chess::color::Color;
use crate::chess::piece::Piece;
use crate::chess::square::Square;

/// Is called for each piece that a move adds or removes. An incremental evaluation
/// follows a position this way, and the board does not depend on it.
pub trait Observer {
    fn added(&mut self, color: Color, piece: Piece, square: Square);
    fn removed(&mut self, color: Color, piece: Piece, square: Square);
}

/// Ignores everything.
impl Observer for () {
    #[inline(always)]
    fn added(&mut self, _: Color, _: Piece, _: Square) {}
    #[inline(always)]
    fn removed(&mut self, _: Color, _: Piece, _: Square) {}
}
