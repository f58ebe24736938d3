//! Attacked squares, and whether a single move is legal.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::{self, CastlingSide};
use crate::chess::color::Color;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::Piece;
use crate::chess::position::state::State;
use crate::chess::square::{Rank, Square};

impl State {
    /// Pieces of both colours that attack a square, with these squares occupied.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.pieces(Piece::Queen);
        attacks::pawn(Color::White, square) & self.colored(Color::Black, Piece::Pawn)
            | attacks::pawn(Color::Black, square) & self.colored(Color::White, Piece::Pawn)
            | attacks::knight(square) & self.pieces(Piece::Knight)
            | attacks::king(square) & self.pieces(Piece::King)
            | attacks::bishop(square, occupied) & (self.pieces(Piece::Bishop) | queens)
            | attacks::rook(square, occupied) & (self.pieces(Piece::Rook) | queens)
    }

    /// The bishops, rooks and queens of a colour that would attack a square of an empty board.
    #[inline]
    pub fn snipers(&self, square: Square, color: Color) -> Bitboard {
        let queens = self.pieces(Piece::Queen);
        let diagonal = (self.pieces(Piece::Bishop) | queens) & attacks::bishop_rays(square);
        let straight = (self.pieces(Piece::Rook) | queens) & attacks::rook_rays(square);
        (diagonal | straight) & self.color(color)
    }

    /// The pieces of either colour that alone stand between a square and one of its snipers.
    #[inline]
    pub fn shields(&self, square: Square, snipers: Bitboard) -> Bitboard {
        let mut shields = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(square, sniper) & self.occupied();
            if !between.more_than_one() {
                shields |= between;
            }
        }
        shields
    }

    /// Whether a piece of `by` attacks a square, with these squares occupied.
    #[inline]
    fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let theirs = self.color(by);
        let queens = self.pieces(Piece::Queen);
        let leapers = attacks::pawn(!by, square) & self.pieces(Piece::Pawn)
            | attacks::knight(square) & self.pieces(Piece::Knight)
            | attacks::king(square) & self.pieces(Piece::King);
        if leapers.intersects(theirs) {
            return true;
        }
        let straight = (self.pieces(Piece::Rook) | queens) & theirs;
        let diagonal = (self.pieces(Piece::Bishop) | queens) & theirs;
        // Most squares are on no line with a slider: testing the rays saves the lookup.
        attacks::rook_rays(square).intersects(straight)
            && attacks::rook(square, occupied).intersects(straight)
            || attacks::bishop_rays(square).intersects(diagonal)
                && attacks::bishop(square, occupied).intersects(diagonal)
    }

    /// Whether `color` has a knight, bishop, rook or queen that is not blocked in
    /// by its own pieces: without one, zugzwang is likely.
    #[inline]
    pub fn has_mobile_piece(&self, color: Color) -> bool {
        let own = self.color(color);
        let queens = self.pieces(Piece::Queen);
        let straight = own & (self.pieces(Piece::Rook) | queens);
        let diagonal = own & (self.pieces(Piece::Bishop) | queens);
        // A slider can move if it can make a single step.
        let steps = straight.north()
            | straight.south()
            | straight.beside()
            | (diagonal.north() | diagonal.south()).beside();
        steps.without(own).any()
            || (own & self.pieces(Piece::Knight))
                .iter()
                .any(|square| attacks::knight(square).without(own).any())
    }

    /// Enemy pieces that attack the king of `color`.
    pub(in crate::chess) fn checkers_of(&self, color: Color) -> Bitboard {
        self.attackers_to(self.king(color), self.occupied()) & self.color(!color)
    }

    /// Where a non-king move must end when one piece gives check: on
    /// the checker or between it and the king. Everywhere when there is no check.
    #[inline]
    pub(in crate::chess) fn check_mask(&self) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::ALL,
            Some(checker) => {
                attacks::between(self.king(self.side_to_move), checker) | self.checkers
            }
        }
    }

    /// Whether the king of the side to move may step on a square. The king itself does not
    /// block the attackers.
    #[inline]
    fn king_may_enter(&self, square: Square) -> bool {
        let us = self.side_to_move;
        let occupied = self.occupied().without(self.colored(us, Piece::King));
        !self.is_attacked(square, !us, occupied)
    }

    /// The square of the rook with which the side to move may castle now on
    /// this side. It must not be in check.
    #[inline]
    pub(in crate::chess) fn castling_rook(&self, side: CastlingSide) -> Option<Square> {
        let us = self.side_to_move;
        let file = self.castling.rook(us, side)?;
        let rank = us.relative_rank(Rank::First);
        let path = castling::path(self.king(us).file(), file);
        let blockers = self.occupied().on_rank(rank) & path.empty;
        let rook = Square::at(file, rank);
        (blockers == 0 && self.castling_is_safe(Bitboard::from_rank(rank, path.safe), rook))
            .then_some(rook)
    }

    /// Whether no square that the king crosses is attacked, with king and rook removed: in
    /// Chess960 the rook may have shielded its king.
    fn castling_is_safe(&self, crossed: Bitboard, rook: Square) -> bool {
        let us = self.side_to_move;
        let movers = self.colored(us, Piece::King).with(rook);
        let occupied = self.occupied().without(movers);
        crossed.iter().all(|square| !self.is_attacked(square, !us, occupied))
    }

    /// Whether any value of [`Move`], for example one from a hash table, is a
    /// legal move here.
    ///
    /// ```
    /// use lovec::chess::{Move, MoveKind, Position, Square};
    /// let king_move = Move::new(Square::E1, Square::E8, MoveKind::Capture);
    /// assert!(!Position::startpos().is_legal(king_move));
    /// ```
    pub fn is_legal(&self, m: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (m.from(), m.to());
        if !self.color(us).contains(from) {
            return false;
        }
        let piece = self.piece_on_occupied(from);
        if m.is_castle() {
            return piece == Piece::King && !self.in_check() && self.is_legal_castling(to);
        }
        if self.color(us).contains(to) {
            return false;
        }
        match piece {
            Piece::King => self.is_plain_move(m, attacks::king(from)) && self.king_may_enter(to),
            Piece::Pawn if m.is_en_passant() => {
                self.en_passant == Some(to)
                    && attacks::pawn(us, from).contains(to)
                    && self.en_passant_is_safe(us, from, to)
            }
            Piece::Pawn => self.is_pawn_move(m) && self.keeps_king_safe(m),
            _ => {
                self.is_plain_move(m, attacks::piece(piece, from, self.occupied()))
                    && self.keeps_king_safe(m)
            }
        }
    }

    fn is_legal_castling(&self, rook: Square) -> bool {
        CastlingSide::ALL.into_iter().any(|side| self.castling_rook(side) == Some(rook))
    }

    /// Whether the destination is attacked and the kind of the move fits its occupant.
    fn is_plain_move(&self, m: Move, attacked: Bitboard) -> bool {
        let is_capture = self.occupied().contains(m.to());
        let kind = if is_capture { MoveKind::Capture } else { MoveKind::Quiet };
        m.kind() == kind && attacked.contains(m.to())
    }

    /// Whether a pawn move other than en passant is pseudo-legal.
    fn is_pawn_move(&self, m: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (m.from(), m.to());
        let promotes = to.rank() == us.relative_rank(Rank::Eighth);
        if promotes != m.is_promotion() {
            return false;
        }
        if m.is_capture() {
            return self.color(!us).contains(to) && attacks::pawn(us, from).contains(to);
        }
        let ahead = from.forward(us);
        let free = !self.occupied().contains(ahead);
        match m.kind() {
            MoveKind::DoublePush => {
                free && from.rank() == us.relative_rank(Rank::Second)
                    && to == ahead.forward(us)
                    && !self.occupied().contains(to)
            }
            MoveKind::Castle => false,
            _ => free && to == ahead,
        }
    }

    /// Whether a move of a piece other than the king, not en passant, answers a check and
    /// respects a pin.
    fn keeps_king_safe(&self, m: Move) -> bool {
        !self.checkers.more_than_one()
            && self.check_mask().contains(m.to())
            && (!self.pinned.contains(m.from())
                || attacks::line(self.king(self.side_to_move), m.from()).contains(m.to()))
    }
}
