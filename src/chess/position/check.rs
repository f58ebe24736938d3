//! The full recomputation that debug builds run after every move.

use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::color::Color;
use crate::chess::piece::Piece;
use crate::chess::position::state::State;
use crate::chess::square::{Rank, Square};

impl State {
    /// Asserts that everything kept incrementally equals its recomputation.
    ///
    /// # Panics
    ///
    /// If it does not. This would be an error in this crate, never in its input.
    pub fn assert_consistent(&self) {
        self.assert_board();
        self.assert_rights();

        let mut fresh = Self::empty();
        for color in Color::ALL {
            assert_eq!(self.colored(color, Piece::King).len(), 1, "one king each");
            for piece in Piece::ALL {
                for square in self.colored(color, piece) {
                    fresh.toggle(color, piece, square);
                }
            }
        }
        fresh.side_to_move = self.side_to_move;
        fresh.castling = self.castling;
        fresh.en_passant = self.en_passant;
        fresh.refresh();
        assert_eq!(self.keys, fresh.keys, "hash keys");
        let us = self.side_to_move;
        let king = self.king(us);
        assert_eq!(self.checkers, self.checkers_of(us), "checkers");
        let shields = self.shields(king, self.snipers(king, !us));
        assert_eq!(self.pinned, shields & self.color(us), "pins");
        assert!(self.checkers_of(!self.side_to_move).is_empty(), "a king could be captured");
    }

    fn assert_board(&self) {
        assert!((self.color(Color::White) & self.color(Color::Black)).is_empty());
        let union = Piece::ALL.into_iter().fold(Bitboard::EMPTY, |u, p| u | self.pieces(p));
        assert_eq!(union, self.occupied(), "pieces and colours cover the same squares");
        for square in Square::all() {
            let listed = Piece::ALL.into_iter().find(|&p| self.pieces(p).contains(square));
            let expected = listed.unwrap_or(Piece::Pawn);
            assert_eq!(self.piece_on_occupied(square), expected, "mailbox on {square}");
        }
    }

    fn assert_rights(&self) {
        for color in Color::ALL {
            let rank = color.relative_rank(Rank::First);
            for side in CastlingSide::ALL {
                if let Some(file) = self.castling.rook(color, side) {
                    let rook = Square::at(file, rank);
                    assert!(self.colored(color, Piece::Rook).contains(rook), "castling rook");
                    assert_eq!(self.king(color).rank(), rank, "castling king");
                }
            }
        }
        if let Some(square) = self.en_passant {
            assert!(self.can_capture_en_passant(square), "en passant without a capturer");
        }
    }
}
