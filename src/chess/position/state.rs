//! Everything about one position, and the one primitive that changes it.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::{CastlingRights, CastlingSide};
use crate::chess::color::Color;
use crate::chess::moves::Move;
use crate::chess::piece::Piece;
use crate::chess::square::{File, Rank, Square};
use crate::chess::zobrist;

/// The hash keys of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keys {
    /// Everything: pieces, side to move, castling rights, en passant.
    pub full: u64,
    pub pawn: u64,
    /// Knights and bishops.
    pub minor: u64,
    /// King and pieces, by colour.
    pub non_pawn: [u64; 2],
}

impl Keys {
    const ZERO: Self = Self { full: 0, pawn: 0, minor: 0, non_pawn: [0; 2] };

    /// Adds or removes the key of a piece on a square, or of its step from one to another.
    #[inline]
    fn toggle(&mut self, color: Color, piece: Piece, key: u64) {
        let key_if = |included: bool| if included { key } else { 0 };
        self.full ^= key;
        self.pawn ^= key_if(piece == Piece::Pawn);
        self.minor ^= key_if(matches!(piece, Piece::Knight | Piece::Bishop));
        self.non_pawn[color.index()] ^= key_if(piece != Piece::Pawn);
    }
}

/// One position, without the game behind it.
///
/// The piece sets, the mailbox and the keys hold the same information because each is
/// fast for some purpose; pieces change in `State::toggle` and `State::shift` alone, in all
/// of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub(super) pieces: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    /// A pawn on an empty square.
    pub(super) mailbox: [Piece; 64],
    pub(super) keys: Keys,
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    pub(in crate::chess) castling: CastlingRights,
    pub(in crate::chess) en_passant: Option<Square>,
    pub(in crate::chess) halfmove_clock: u16,
    pub(in crate::chess) plies_since_null: u16,
    pub(in crate::chess) fullmove_number: u16,
    pub(in crate::chess) side_to_move: Color,
}

impl State {
    /// An empty board, White to move.
    pub(in crate::chess) const fn empty() -> Self {
        Self {
            pieces: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            mailbox: [Piece::Pawn; 64],
            keys: Keys::ZERO,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            plies_since_null: 0,
            fullmove_number: 1,
            side_to_move: Color::White,
        }
    }

    /// The initial position of standard chess.
    pub fn startpos() -> Self {
        const BACK_RANK: [Piece; 8] = [
            Piece::Rook,
            Piece::Knight,
            Piece::Bishop,
            Piece::Queen,
            Piece::King,
            Piece::Bishop,
            Piece::Knight,
            Piece::Rook,
        ];
        let mut state = Self::empty();
        for color in Color::ALL {
            for (file, piece) in File::ALL.into_iter().zip(BACK_RANK) {
                let back = color.relative_rank(Rank::First);
                let second = color.relative_rank(Rank::Second);
                state.toggle(color, piece, Square::at(file, back));
                state.toggle(color, Piece::Pawn, Square::at(file, second));
            }
            state.castling.set(color, CastlingSide::King, File::H);
            state.castling.set(color, CastlingSide::Queen, File::A);
        }
        state.refresh();
        state
    }

    /// Puts a piece on an empty square, or takes it off the square it stands
    /// on. Sets, mailbox and piece keys change together.
    #[inline]
    pub(in crate::chess) fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        let bit = square.bitboard();
        self.pieces[piece.index()] ^= bit;
        self.colors[color.index()] ^= bit;
        let here = self.colors[color.index()].contains(square);
        self.mailbox[square.index()] = if here { piece } else { Piece::Pawn };

        self.keys.toggle(color, piece, zobrist::piece(color, piece, square));
    }

    /// Moves a piece to an empty square: faster than to toggle both squares.
    #[inline]
    pub(super) fn shift(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        let both = from.bitboard() | to.bitboard();
        self.pieces[piece.index()] ^= both;
        self.colors[color.index()] ^= both;
        self.mailbox[from.index()] = Piece::Pawn;
        self.mailbox[to.index()] = piece;
        let key = zobrist::piece(color, piece, from) ^ zobrist::piece(color, piece, to);
        self.keys.toggle(color, piece, key);
    }

    /// Recomputes the full key, the checkers and the pins after fields were set
    /// directly.
    pub(in crate::chess) fn refresh(&mut self) {
        self.keys.full = self.computed_key();
        self.refresh_checks();
    }

    /// The full key, computed from the fields it describes.
    fn computed_key(&self) -> u64 {
        let mut key = zobrist::castling(self.castling);
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in self.colored(color, piece) {
                    key ^= zobrist::piece(color, piece, square);
                }
            }
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square.file());
        }
        if self.side_to_move == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }

    /// Recomputes the checkers, and the pinned pieces of the side to move.
    #[inline]
    pub(super) fn refresh_checks(&mut self) {
        let us = self.side_to_move;
        let (ours, theirs) = (self.color(us), self.color(!us));
        let king = self.king(us);
        let occupied = ours | theirs;
        let mut checkers = theirs
            & (attacks::knight(king) & self.pieces(Piece::Knight)
                | attacks::pawn(us, king) & self.pieces(Piece::Pawn));
        let mut pinned = Bitboard::EMPTY;
        for sniper in self.snipers(king, !us) {
            let shield = attacks::between(king, sniper) & occupied;
            if shield.is_empty() {
                checkers |= sniper.bitboard();
            } else if !shield.more_than_one() {
                pinned |= shield & ours;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned;
    }

    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Pieces of this kind, of both colours.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        self.pieces[piece.index()]
    }

    /// All pieces of one colour.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Pieces of one kind and colour.
    #[inline]
    pub fn colored(&self, color: Color, piece: Piece) -> Bitboard {
        self.pieces[piece.index()] & self.colors[color.index()]
    }

    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The kind of the piece on a square; `None` on an empty one.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.occupied().contains(square).then_some(self.piece_on_occupied(square))
    }

    /// The kind of the piece on a square that is known to be occupied: one load. On an empty
    /// square the answer is a pawn.
    #[inline]
    pub fn piece_on_occupied(&self, square: Square) -> Piece {
        self.mailbox[square.index()]
    }

    #[inline]
    pub fn color_on(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.color(color).contains(square))
    }

    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.colored(color, Piece::King).lowest()
    }

    /// Enemy pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square behind a pawn that has just made a double step, if it can be
    /// captured there by a legal move.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move as in FEN, from 1, going up after Black's move.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The Zobrist key of the whole position.
    ///
    /// ```
    /// use lovec::chess::Position;
    /// let mut position = Position::startpos();
    /// let key = position.key();
    /// position.make_null();
    /// assert_ne!(position.key(), key);
    /// ```
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.full
    }

    /// The key after a move, without castling, en passant, promotion and changes of rights:
    /// for prefetching.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let us = self.side_to_move;
        let (from, to, piece) = (m.from(), m.to(), self.moved_piece(m));
        let mut key = self.keys.full
            ^ zobrist::black_to_move()
            ^ zobrist::piece(us, piece, from)
            ^ zobrist::piece(us, piece, to);
        if m.is_capture() {
            key ^= zobrist::piece(!us, self.piece_on_occupied(to), to);
        }
        match self.en_passant {
            Some(square) => key ^ zobrist::en_passant(square.file()),
            None => key,
        }
    }

    /// The key of the pawns alone.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawn
    }

    /// The key of knights and bishops alone.
    #[inline]
    pub fn minor_key(&self) -> u64 {
        self.keys.minor
    }

    /// The key of one colour's king and pieces.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.non_pawn[color.index()]
    }

    /// Whether neither side has other pieces than pawns and the king.
    #[inline(always)]
    pub fn is_pawn_ending(&self) -> bool {
        self.occupied() == self.pieces(Piece::Pawn) | self.pieces(Piece::King)
    }

    /// Whether a colour has anything but pawns and its king.
    #[inline]
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        let bare = self.pieces(Piece::Pawn) | self.pieces(Piece::King);
        self.color(color).without(bare).any()
    }

    /// The kind of the piece that a move moves. The origin must be occupied;
    /// otherwise the answer is a pawn.
    #[inline]
    pub fn moved_piece(&self, m: Move) -> Piece {
        debug_assert!(self.piece_on(m.from()).is_some());
        self.piece_on_occupied(m.from())
    }

    /// The kind of the piece that a move captures.
    #[inline]
    pub fn captured(&self, m: Move) -> Option<Piece> {
        // The destination of en passant is empty, so that the answer is a pawn.
        m.is_capture().then_some(self.piece_on_occupied(m.to()))
    }

    /// Whether a king or rook that may castle starts elsewhere than in standard
    /// chess, so that castling can only be written as king takes rook.
    pub fn is_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let king = self.king(color).file();
            CastlingSide::ALL.into_iter().zip([File::H, File::A]).any(|(side, file)| {
                let rook = self.castling().rook(color, side);
                rook.is_some_and(|rook| rook != file || king != File::E)
            })
        })
    }
}
