//! An entry of a Polyglot book, and its sixteen bytes.
//!
//! All numbers are big-endian: eight bytes of key, two of move, two of weight, four for
//! learning programs. A move has three bits each, from the lowest, for the file and rank
//! of its destination, the file and rank of its origin, and the promotion: 1 for a knight
//! to 4 for a queen. Castling is encoded as the king capturing its rook: e1h1, e1a1, e8h8,
//! e8a8.
//!
//! In the books that Lovec builds the four bytes for learning programs hold the results of the
//! move: twelve bits [`MARK`], and ten bits each for the permille of games that the side that
//! played it has won and drawn.

use std::fmt;

use crate::chess::notation::uci::parse_move;
use crate::chess::{Color, Move, Piece, Square, State};

/// The size of an entry in bytes.
pub const ENTRY_BYTES: usize = 16;

/// Marks results in the bytes for learning programs; a learning program seldom writes it.
const MARK: u32 = 0xB0C;

/// The games with a move in permille, 1000 in all, of the side that played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookResults {
    pub wins: u16,
    pub draws: u16,
    pub losses: u16,
}

impl BookResults {
    /// From numbers of games, at least one in all.
    pub fn new(wins: u32, draws: u32, losses: u32) -> Self {
        let games = u64::from(wins) + u64::from(draws) + u64::from(losses);
        let share = |count: u32| ((2000 * u64::from(count) + games) / (2 * games.max(1))) as u16;
        let wins = share(wins);
        // Both may have been rounded up.
        let draws = share(draws).min(1000 - wins);
        Self { wins, draws, losses: 1000 - wins - draws }
    }

    /// The results as the bytes for learning programs hold them.
    pub fn to_learn(self) -> u32 {
        MARK << 20 | u32::from(self.wins) << 10 | u32::from(self.draws)
    }

    /// The results in the bytes for learning programs, if they are any.
    pub fn from_learn(learn: u32) -> Option<Self> {
        let [wins, draws] = [learn >> 10 & 0x3FF, learn & 0x3FF].map(|share| share as u16);
        let losses = 1000_u16.checked_sub(wins + draws)?;
        (learn >> 20 == MARK).then_some(Self { wins, draws, losses })
    }
}

/// A move of a position with its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The Polyglot key of the position.
    pub key: u64,
    pub m: EncodedMove,
    /// How good or frequent the move is, relative to the other moves of its position; zero
    /// for a move that is not to be played.
    pub weight: u16,
    /// For learning programs, or [`BookResults`].
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
            | u128::from(self.m.0) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        number.to_be_bytes()
    }
}

/// A move in the encoding of the file: any sixteen bits, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EncodedMove(pub u16);

impl EncodedMove {
    /// The legal move in `state`, if there is one. Castling may also be encoded as the
    /// king's own move, e1g1, as some programs write it.
    pub fn legal_in(self, state: &State) -> Option<Move> {
        parse_move(state, &self.to_string()).ok()
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
        let [origin, destination] = [self.0 >> 6, self.0].map(|bits| Square::new(bits as u8));
        write!(f, "{origin}{destination}")?;
        match self.0 >> 12 {
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
        EncodedMove(promotion << 12 | from << 6 | to)
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
    fn results_come_back() {
        for (games, expected) in [
            ([1, 0, 0], [1000, 0, 0]),
            ([0, 0, 7], [0, 0, 1000]),
            ([1, 1, 1], [333, 333, 334]),
            ([999, 1001, 0], [500, 500, 0]),
            ([u32::MAX; 3], [333, 333, 334]),
        ] {
            let results = BookResults::new(games[0], games[1], games[2]);
            assert_eq!([results.wins, results.draws, results.losses], expected);
            assert_eq!(BookResults::from_learn(results.to_learn()), Some(results));
        }
        for learn in [0, 1, u32::MAX, MARK << 20 | 600 << 10 | 401] {
            assert_eq!(BookResults::from_learn(learn), None);
        }
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
        let found: Vec<Move> =
            (0..=u16::MAX).filter_map(|bits| EncodedMove(bits).legal_in(&position)).collect();
        assert!(found.iter().all(|m| moves.contains(m)));
        assert!(moves.iter().all(|m| found.contains(m)));
        assert_eq!(encoded(48, 56, 0).legal_in(&position), None, "a missing promotion");
        assert_eq!(encoded(48, 56, 5).legal_in(&position), None, "a promotion to a king");
        assert_eq!(encoded(12, 28, 0).legal_in(&position), None, "a move of an empty square");
    }
}
