//! Draws that need no agreement: repetition, fifty moves, dead positions.

use crate::chess::bitboard::Bitboard;
use crate::chess::piece::Piece;
use crate::chess::position::{Position, State};

impl State {
    /// Neither side can ever mate: bare kings, one minor piece, or nothing but
    /// bishops on squares of one colour.
    pub fn insufficient_material(&self) -> bool {
        let others = self.occupied().without(self.pieces(Piece::King));
        if !others.many() {
            return others.is_subset(self.pieces(Piece::Knight) | self.pieces(Piece::Bishop));
        }
        others.is_subset(self.pieces(Piece::Bishop))
            && (others.is_subset(Bitboard::LIGHT_SQUARES)
                || others.is_subset(Bitboard::DARK_SQUARES))
    }

    /// A hundred plies without a capture or a pawn move, unless the last of
    /// them mated.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock >= 100 && !self.is_checkmate()
    }
}

impl Position {
    /// Whether the game ends here for the search, `ply` plies below its root:
    /// by repetition, the fifty-move rule or insufficient material.
    #[inline]
    pub fn is_draw(&self, ply: usize) -> bool {
        self.is_repetition(ply) || self.is_fifty_move_draw() || self.insufficient_material()
    }

    /// Whether the position occurred before: once within the last `ply` plies
    /// (what can be repeated once in the search can be repeated again), or
    /// twice at any time, which is the rule of the game.
    pub fn is_repetition(&self, ply: usize) -> bool {
        let reversible = self.halfmove_clock.min(self.plies_since_null) as usize;
        let reach = reversible.min(self.history.len());
        let mut seen_before_root = false;
        for distance in (4..=reach).step_by(2) {
            if self.history[self.history.len() - distance].key() != self.key() {
                continue;
            }
            if distance < ply || seen_before_root {
                return true;
            }
            seen_before_root = true;
        }
        false
    }
}
