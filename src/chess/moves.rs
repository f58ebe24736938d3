//! A move in sixteen bits, and the list that generators fill.

use std::fmt;
use std::num::NonZeroU16;

use crate::chess::castling::CastlingSide;
use crate::chess::piece::Piece;
use crate::chess::square::Square;
use crate::util::array_list::ArrayList;

/// What a move does in addition to going from one square to another.
///
/// Bit 2 marks a capture and bit 3 a promotion, whose piece is in the low two
/// bits; no kind is zero, so that `Option<Move>` fits in sixteen bits too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    Quiet = 1,
    DoublePush = 2,
    /// The king takes its own rook; this is how castling is written in Chess960.
    Castle = 3,
    Capture = 4,
    EnPassant = 5,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    CapturePromoteKnight = 12,
    CapturePromoteBishop = 13,
    CapturePromoteRook = 14,
    CapturePromoteQueen = 15,
}

impl MoveKind {
    const CAPTURE: u8 = 4;
    const PROMOTION: u8 = 8;

    /// The kind of a pawn's move to the last rank. `piece` is what it becomes;
    /// a king or a pawn counts as a queen.
    pub const fn promotion(piece: Piece, capture: bool) -> Self {
        match (piece, capture) {
            (Piece::Knight, false) => Self::PromoteKnight,
            (Piece::Bishop, false) => Self::PromoteBishop,
            (Piece::Rook, false) => Self::PromoteRook,
            (_, false) => Self::PromoteQueen,
            (Piece::Knight, true) => Self::CapturePromoteKnight,
            (Piece::Bishop, true) => Self::CapturePromoteBishop,
            (Piece::Rook, true) => Self::CapturePromoteRook,
            (_, true) => Self::CapturePromoteQueen,
        }
    }

    const fn from_bits(bits: u16) -> Option<Self> {
        Some(match bits {
            1 => Self::Quiet,
            2 => Self::DoublePush,
            3 => Self::Castle,
            4 => Self::Capture,
            5 => Self::EnPassant,
            8 => Self::PromoteKnight,
            9 => Self::PromoteBishop,
            10 => Self::PromoteRook,
            11 => Self::PromoteQueen,
            12 => Self::CapturePromoteKnight,
            13 => Self::CapturePromoteBishop,
            14 => Self::CapturePromoteRook,
            15 => Self::CapturePromoteQueen,
            _ => return None,
        })
    }
}

/// A move: six bits of origin, six of destination, four of [`MoveKind`].
///
/// It does not hold the position it belongs to; castling goes from the
/// king's square to its rook's.
///
/// ```
/// use lovec::chess::{Move, MoveKind, Square};
/// let m = Move::new(Square::E1, Square::H1, MoveKind::Castle);
/// assert!(m.is_castle() && m.is_quiet());
/// assert_eq!(Move::from_bits(m.bits()), Some(m));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// The move as a number, for storage.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move that [`Move::bits`] stored, `None` for zero and for numbers
    /// that no move has.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match (MoveKind::from_bits(bits >> 12), NonZeroU16::new(bits)) {
            (Some(_), Some(bits)) => Some(Self(bits)),
            _ => None,
        }
    }

    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.0.get() as u8)
    }

    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0.get() >> 6) as u8)
    }

    /// The square on which the moved piece ends; of castling, the king.
    ///
    /// ```
    /// use lovec::chess::{Move, MoveKind, Square};
    /// let castle = Move::new(Square::E1, Square::H1, MoveKind::Castle);
    /// assert_eq!(castle.destination().to_string(), "g1");
    /// assert_eq!(Move::new(Square::E1, Square::H1, MoveKind::Quiet).destination(), Square::H1);
    /// ```
    pub fn destination(self) -> Square {
        if !self.is_castle() {
            return self.to();
        }
        let side = CastlingSide::of(self.from(), self.to());
        Square::at(side.king_file(), self.from().rank())
    }

    /// Origin and destination as one index below 4096, for history tables.
    #[inline]
    pub const fn from_to(self) -> usize {
        (self.0.get() & 0xFFF) as usize
    }

    #[inline]
    pub const fn kind(self) -> MoveKind {
        match MoveKind::from_bits(self.0.get() >> 12) {
            Some(kind) => kind,
            None => MoveKind::Quiet,
        }
    }

    const fn flags(self) -> u8 {
        (self.0.get() >> 12) as u8
    }

    /// Captures, capturing promotions and en passant.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.flags() & MoveKind::CAPTURE != 0
    }

    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.flags() & MoveKind::PROMOTION != 0
    }

    /// Captures and promotions: what changes the material balance at once.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        self.flags() & (MoveKind::CAPTURE | MoveKind::PROMOTION) != 0
    }

    #[inline]
    pub const fn is_quiet(self) -> bool {
        !self.is_noisy()
    }

    #[inline]
    pub const fn is_castle(self) -> bool {
        self.flags() == MoveKind::Castle as u8
    }

    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.flags() == MoveKind::EnPassant as u8
    }

    /// Castling, en passant and promotions: moves that change a third square, or the piece
    /// that moves.
    #[inline]
    pub const fn is_special(self) -> bool {
        const PLAIN: u16 = 1 << MoveKind::Quiet as u16
            | 1 << MoveKind::DoublePush as u16
            | 1 << MoveKind::Capture as u16;
        PLAIN >> self.flags() & 1 == 0
    }

    /// What the pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Piece> {
        if !self.is_promotion() {
            return None;
        }
        Some(match self.flags() & 3 {
            0 => Piece::Knight,
            1 => Piece::Bishop,
            2 => Piece::Rook,
            _ => Piece::Queen,
        })
    }
}

/// Origin, destination and kind; [`crate::chess::notation::uci`] writes moves
/// for people and programs.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}({:?})", self.from(), self.to(), self.kind())
    }
}

/// No legal position has more than 218 moves.
pub const MAX_MOVES: usize = 256;

/// The moves of one position.
pub type MoveList = ArrayList<Move, MAX_MOVES>;
