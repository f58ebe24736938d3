//! An entry of a Polyglot book, and its sixteen bytes.
//!
//! All numbers are big-endian: eight bytes of key, two of move, two of weight, four for
//! learning programs. A move has three bits each, from the lowest, for the file and rank
//! of its destination, the file and rank of its origin, and the promotion: 1 for a knight
//! to 4 for a queen. Castling is encoded as the king capturing its rook: e1h1, e1a1, e8h8,
//! e8a8.

use std::fmt;

use crate::chess::notation::uci::parse_move;
use crate::chess::{Color, Move, Piece, Square, State};

/// The size of an entry in bytes.
pub const ENTRY_BYTES: usize = 16;

/// A move of a position with its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The Polyglot key of the position.
    pub key: u64,
    pub m: EncodedMove,
    /// How good or frequent the move is, relative to the other moves of its position; zero
    /// for a move that is not to be played.
    pub weight: u16,
    /// For learning programs; Lovec ignores it and writes zero.
    pub learn: u32,
}

impl BookEntry {
    /// Decodes an entry; any sixteen bytes are valid.
    pub fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Self {
        let number = u128::from_be_bytes(bytes);
        Self {
            key: (number >> 64) as u64,
            m: EncodedMove((number >> 48) as u16),
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }

    /// The bytes of the entry in a file.
    pub fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let number = u128::from(self.key) << 64
            | u128::from(self.m.bits()) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        number.to_be_bytes()
    }
}

/// A move in the encoding of the file: any sixteen bits, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EncodedMove(u16);

impl EncodedMove {
    /// The move of these bits.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The legal move in `state`, if there is one. Castling may also be encoded as the
    /// king's own move, e1g1, as some programs write it.
    pub fn legal_in(self, state: &State) -> Option<Move> {
        parse_move(state, &self.to_string()).ok()
    }

    const fn origin(self) -> Square {
        Square::new((self.0 >> 6) as u8)
    }

    const fn destination(self) -> Square {
        Square::new(self.0 as u8)
    }

    const fn promotion(self) -> u16 {
        self.0 >> 12
    }
}

/// Castling moves go from the king's square to the rook's in both encodings.
impl From<Move> for EncodedMove {
    fn from(m: Move) -> Self {
        let promotion = m.promotion().map_or(0, Piece::index) as u16;
        Self(m.to().index() as u16 | (m.from().index() as u16) << 6 | promotion << 12)
    }
}

/// In UCI notation, with castling as in Chess960; `?` for an invalid promotion.
impl fmt::Display for EncodedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), self.destination())?;
        match self.promotion() {
            0 => Ok(()),
            number => {
                let possible = |piece: &&Piece| piece.index() == usize::from(number);
                let piece = Piece::PROMOTIONS.iter().find(possible);
                write!(f, "{}", piece.map_or('?', |piece| piece.letter(Color::Black)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{MoveKind, Position};

    fn encoded(from: u16, to: u16, promotion: u16) -> EncodedMove {
        EncodedMove::from_bits(promotion << 12 | from << 6 | to)
    }

    #[test]
    fn fields_have_the_offsets_of_the_format() {
        let bytes = [0, 1, 2, 3, 4, 5, 6, 7, 0x03, 0x1C, 0xAB, 0xCD, 0x10, 0x20, 0x30, 0x40];
        let entry = BookEntry::from_bytes(bytes);
        assert_eq!(entry.key, 0x0001_0203_0405_0607);
        assert_eq!(entry.m.to_string(), "e2e4");
        assert_eq!((entry.weight, entry.learn), (0xABCD, 0x1020_3040));
        assert_eq!(entry.to_bytes(), bytes);
    }

    #[test]
    fn encodings_of_legal_moves_are_unique_and_decoded() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut seen = Vec::new();
            for m in position.legal_moves() {
                let encoded = EncodedMove::from(m);
                assert_eq!(encoded.legal_in(&position), Some(m), "{encoded} in {fen}");
                assert!(!seen.contains(&encoded), "{encoded} in {fen}");
                seen.push(encoded);
            }
        }
    }

    #[test]
    fn castling_is_encoded_as_king_takes_rook() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let castles: Vec<_> =
            position.legal_moves().into_iter().filter(|m| m.is_castle()).collect();
        let mut texts: Vec<_> = castles.iter().map(|&m| EncodedMove::from(m).to_string()).collect();
        texts.sort();
        assert_eq!(texts, ["e1a1", "e1h1"]);
        // The encoding of some programs.
        let castle = encoded(4, 6, 0).legal_in(&position);
        assert_eq!(castle.map(Move::kind), Some(MoveKind::Castle));
    }

    /// Of all 65 536 encodings, exactly the legal moves are decoded.
    #[test]
    fn other_encodings_are_no_move() {
        let position = Position::from_fen("4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
        let moves = position.legal_moves();
        let found: Vec<Move> = (0..=u16::MAX)
            .filter_map(|bits| EncodedMove::from_bits(bits).legal_in(&position))
            .collect();
        assert!(found.iter().all(|m| moves.contains(m)));
        assert!(moves.iter().all(|m| found.contains(m)));
        assert_eq!(encoded(48, 56, 0).legal_in(&position), None, "a missing promotion");
        assert_eq!(encoded(48, 56, 5).legal_in(&position), None, "a promotion to a king");
        assert_eq!(encoded(12, 28, 0).legal_in(&position), None, "a move of an empty square");
    }
}
