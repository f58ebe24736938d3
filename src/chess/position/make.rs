//! Making moves.

use crate::chess::bitboard::Bitboard;
use crate::chess::castling::{CastlingRights, CastlingSide};
use crate::chess::color::Color;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::Piece;
use crate::chess::position::state::State;
use crate::chess::square::{Rank, Square};
use crate::chess::{attacks, zobrist};

impl State {
    /// Plays a legal move. `observer` is called for every piece that is removed or
    /// added, in that order.
    #[inline]
    pub fn make<O: Observer>(&mut self, m: Move, observer: &mut O) {
        debug_assert!(self.is_legal(m), "{m:?} is not legal");
        let us = self.side_to_move;
        let (from, to) = (m.from(), m.to());
        let piece = self.moved_piece(m);

        self.begin_move();
        match m.kind() {
            MoveKind::Castle => self.castle(us, from, to, observer),
            MoveKind::EnPassant => {
                self.take_off(!us, Piece::Pawn, to.backward(us), observer);
                self.step(us, piece, from, to, observer);
            }
            _ => {
                if let Some(captured) = self.captured(m) {
                    self.take_off(!us, captured, to, observer);
                    self.lose_right_of_rook(!us, to);
                }
                match m.promotion() {
                    None => self.step(us, piece, from, to, observer),
                    Some(promotion) => {
                        self.take_off(us, Piece::Pawn, from, observer);
                        self.put_on(us, promotion, to, observer);
                    }
                }
            }
        }
        if piece == Piece::Pawn || m.is_capture() {
            self.halfmove_clock = 0;
        }
        match piece {
            Piece::King if self.castling.any(us) => {
                self.change_castling(|rights| rights.remove_all(us));
            }
            Piece::Rook => self.lose_right_of_rook(us, from),
            _ => {}
        }
        self.end_turn();
        if m.kind() == MoveKind::DoublePush {
            self.offer_en_passant(from.forward(us));
        }
        self.refresh_checks();
        #[cfg(debug_assertions)]
        self.assert_consistent();
    }

    /// The state after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, m: Move) -> Self {
        let mut after = *self;
        after.make(m, &mut ());
        after
    }

    /// Passes the turn. The side to move must not be in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.begin_move();
        self.plies_since_null = 0;
        self.end_turn();
        self.refresh_checks();
    }

    fn begin_move(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.full ^= zobrist::en_passant(square.file());
        }
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.plies_since_null = self.plies_since_null.saturating_add(1);
    }

    fn end_turn(&mut self) {
        if self.side_to_move == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.side_to_move = !self.side_to_move;
        self.keys.full ^= zobrist::black_to_move();
    }

    #[inline]
    fn put_on<O: Observer>(&mut self, color: Color, piece: Piece, square: Square, o: &mut O) {
        self.toggle(color, piece, square);
        o.added(color, piece, square);
    }

    #[inline]
    fn take_off<O: Observer>(&mut self, color: Color, piece: Piece, square: Square, o: &mut O) {
        self.toggle(color, piece, square);
        o.removed(color, piece, square);
    }

    #[inline]
    fn step<O: Observer>(&mut self, us: Color, piece: Piece, from: Square, to: Square, o: &mut O) {
        self.shift(us, piece, from, to);
        o.removed(us, piece, from);
        o.added(us, piece, to);
    }

    /// Removes both king and rook before adding either: in Chess960 one may end on the
    /// square of the other.
    fn castle<O: Observer>(&mut self, us: Color, king: Square, rook: Square, o: &mut O) {
        let side = CastlingSide::of(king, rook);
        let rank = king.rank();
        self.take_off(us, Piece::King, king, o);
        self.take_off(us, Piece::Rook, rook, o);
        self.put_on(us, Piece::King, Square::at(side.king_file(), rank), o);
        self.put_on(us, Piece::Rook, Square::at(side.rook_file(), rank), o);
    }

    fn change_castling(&mut self, change: impl FnOnce(&mut CastlingRights)) {
        self.keys.full ^= zobrist::castling(self.castling);
        change(&mut self.castling);
        self.keys.full ^= zobrist::castling(self.castling);
    }

    /// A rook of `color` left this square, or was taken on it.
    #[inline]
    fn lose_right_of_rook(&mut self, color: Color, square: Square) {
        if self.castling.any(color) && square.rank() == color.relative_rank(Rank::First) {
            self.change_castling(|rights| rights.remove_rook(color, square));
        }
    }

    /// Stores the en-passant square, and adds it to the key, only if a capture there is legal:
    /// otherwise equal positions would have different keys.
    #[inline]
    fn offer_en_passant(&mut self, square: Square) {
        if self.can_capture_en_passant(square) {
            self.en_passant = Some(square);
            self.keys.full ^= zobrist::en_passant(square.file());
        }
    }

    /// Whether the side to move has a legal en-passant capture on `square`,
    /// behind an enemy pawn that has just made a double step.
    pub(in crate::chess) fn can_capture_en_passant(&self, square: Square) -> bool {
        let us = self.side_to_move;
        let mut capturers = self.en_passant_capturers(square).iter();
        capturers.any(|from| self.en_passant_is_safe(us, from, square))
    }

    /// Pawns of the side to move that attack `square`.
    #[inline]
    pub(in crate::chess) fn en_passant_capturers(&self, square: Square) -> Bitboard {
        let us = self.side_to_move;
        attacks::pawn(!us, square) & self.colored(us, Piece::Pawn)
    }

    /// Whether the king is not left in check by an en-passant capture. Two
    /// pawns leave their squares, perhaps both on the king's rank, so the
    /// pins and checkers of the position do not decide it.
    pub(in crate::chess) fn en_passant_is_safe(&self, us: Color, from: Square, to: Square) -> bool {
        let victim = to.backward(us).bitboard();
        let occupied = (self.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
        let attackers = self.attackers_to(self.king(us), occupied);
        (attackers & self.color(!us)).without(victim).is_empty()
    }
}

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
