//! The squares that one side attacks, by the value of the attacker.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::color::Color;
use crate::chess::piece::Piece;
use crate::chess::position::state::State;

/// Squares that one side attacks with less than a queen, occupied or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats {
    pub by_pawns: Bitboard,
    /// By pawns, knights and bishops.
    pub by_minors: Bitboard,
    /// By all of these and rooks.
    pub by_rooks: Bitboard,
}

impl Threats {
    /// Squares where a piece of the other side is attacked by one worth less.
    #[inline]
    pub fn by_less_valuable_than(&self, piece: Piece) -> Bitboard {
        match piece {
            Piece::Knight | Piece::Bishop => self.by_pawns,
            Piece::Rook => self.by_minors,
            Piece::Queen => self.by_rooks,
            Piece::Pawn | Piece::King => Bitboard::EMPTY,
        }
    }
}

impl State {
    /// What the pawns, knights, bishops and rooks of `color` attack.
    pub fn threats(&self, color: Color) -> Threats {
        let occupied = self.occupied();
        let by_pawns = self.colored(color, Piece::Pawn).pawn_attacks(color);
        let mut by_minors = by_pawns;
        for square in self.colored(color, Piece::Knight) {
            by_minors |= attacks::knight(square);
        }
        for square in self.colored(color, Piece::Bishop) {
            by_minors |= attacks::bishop(square, occupied);
        }
        let mut by_rooks = by_minors;
        for square in self.colored(color, Piece::Rook) {
            by_rooks |= attacks::rook(square, occupied);
        }
        Threats { by_pawns, by_minors, by_rooks }
    }
}
