//! Which moves give check.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::moves::Move;
use crate::chess::piece::Piece;
use crate::chess::position::state::State;
use crate::chess::square::Square;

/// Which moves of a position give check, computed once for all of them (as `CheckInfo`
/// of Stockfish 7).
pub struct CheckInfo {
    /// The king that is to be attacked.
    king: Square,
    /// By kind of piece: the squares from which it would attack the king.
    squares: [Bitboard; Piece::COUNT],
    /// Pieces of the side to move that alone stand between the king and a slider of
    /// their side.
    discoverers: Bitboard,
}

impl CheckInfo {
    #[inline]
    pub fn new(state: &State) -> Self {
        let us = state.side_to_move();
        let king = state.king(!us);
        let discoverers = state.shields(king, state.snipers(king, us)) & state.color(us);
        Self { king, squares: state.checking_squares(), discoverers }
    }

    /// Whether a legal move of `state`, the position that this belongs to, gives check.
    #[inline]
    pub fn gives_check(&self, state: &State, m: Move) -> bool {
        if m.is_special() {
            return self.special_move_gives_check(state, m);
        }
        self.squares[state.moved_piece(m).index()].contains(m.to())
            || self.discoverers.contains(m.from())
                && !attacks::line(self.king, m.from()).contains(m.to())
    }

    /// Moves after which other squares are empty or another piece is on the destination.
    #[cold]
    fn special_move_gives_check(&self, state: &State, m: Move) -> bool {
        let us = state.side_to_move();
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            return castling_gives_check(state, from, to, self.king);
        }
        let mut occupied = state.occupied().without(from.bitboard()).with(to);
        if m.is_en_passant() {
            occupied = occupied.without(to.backward(us).bitboard());
        }
        let direct = match m.promotion() {
            Some(piece) => attacks::piece(piece, to, occupied),
            None => attacks::pawn(us, to),
        };
        // What stood still attacks the king only along a line that the move has opened.
        direct.contains(self.king)
            || state.attackers_to(self.king, occupied).intersects(state.color(us))
    }
}

impl State {
    /// Whether a legal move gives check. For several moves of a position [`CheckInfo`] is
    /// faster.
    ///
    /// ```
    /// use lovec::chess::{Position, notation::san};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1").unwrap();
    /// assert!(position.gives_check(san::parse(&position, "Rh8").unwrap()));
    /// ```
    pub fn gives_check(&self, m: Move) -> bool {
        CheckInfo::new(self).gives_check(self, m)
    }

    /// By kind of piece: the squares from which a piece of the side to move would attack
    /// the enemy king.
    #[inline]
    pub fn checking_squares(&self) -> [Bitboard; Piece::COUNT] {
        let them = !self.side_to_move;
        let (king, occupied) = (self.king(them), self.occupied());
        let (diagonal, straight) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let mut squares = [Bitboard::EMPTY; Piece::COUNT];
        squares[Piece::Pawn.index()] = attacks::pawn(them, king);
        squares[Piece::Knight.index()] = attacks::knight(king);
        squares[Piece::Bishop.index()] = diagonal;
        squares[Piece::Rook.index()] = straight;
        squares[Piece::Queen.index()] = diagonal | straight;
        squares
    }
}

/// Only the rook can give check, over squares that the king has left too.
fn castling_gives_check(state: &State, from: Square, rook: Square, king: Square) -> bool {
    let side = CastlingSide::of(from, rook);
    let king_to = Square::at(side.king_file(), from.rank());
    let rook_to = Square::at(side.rook_file(), from.rank());
    let left = from.bitboard() | rook.bitboard();
    let occupied = state.occupied().without(left).with(king_to).with(rook_to);
    attacks::rook(rook_to, occupied).contains(king)
}
