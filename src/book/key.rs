//! The Polyglot key of a position.
//!
//! It is a Zobrist key with published random numbers for the pieces on their squares, the rights
//! to castle, the en-passant file and White to move. They are part of the format, and the crate
//! shakmaty has them.
//!
//! An en-passant file counts if a pawn can capture pseudo-legally, even if that would
//! leave its king in check.

use shakmaty::zobrist::{Zobrist64, ZobristValue};

use crate::chess::{CastlingSide, Color, Piece, Position};

/// The Polyglot key; `None` for a position with castling rights of Chess960.
pub fn key(position: &Position) -> Option<u64> {
    if position.is_chess960() {
        return None;
    }
    let mut key = Zobrist64::default();
    for (color, owner) in Color::ALL.into_iter().zip(shakmaty::Color::ALL) {
        for (piece, role) in Piece::ALL.into_iter().zip(shakmaty::Role::ALL) {
            for square in position.colored(color, piece) {
                let square = shakmaty::Square::new(square.index() as u32);
                key ^= Zobrist64::zobrist_for_piece(square, role.of(owner));
            }
        }
        for (side, wing) in CastlingSide::ALL.into_iter().zip(shakmaty::CastlingSide::ALL) {
            if position.castling().rook(color, side).is_some() {
                key ^= Zobrist64::zobrist_for_castling_right(owner, wing);
            }
        }
    }
    if let Some(square) = position.pseudo_legal_en_passant() {
        let file = shakmaty::File::new(square.file().index() as u32);
        key ^= Zobrist64::zobrist_for_en_passant_file(file);
    }
    if position.side_to_move() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    Some(key.0)
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

    use super::*;
    use crate::chess::notation::{san, uci};

    fn after(fen: &str, moves: &str) -> Position {
        let mut position = Position::from_fen(fen).unwrap();
        san::play(&mut position, moves.split_whitespace()).unwrap();
        position
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Some of the test vectors of the description of the format.
    const VECTORS: [(&str, u64, &str); 3] = [
        ("", 0x463b_9618_1691_fc9c, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        (
            "e2e4 d7d5 e4e5 f7f5",
            0x22a4_8b5a_8e47_ff78,
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ),
        (
            "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3",
            0x5c3f_9b82_9b27_9560,
            "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
        ),
    ];

    #[test]
    fn keys_equal_the_published_ones() {
        for (moves, expected, fen) in VECTORS {
            assert_eq!(key(&after(START, moves)), Some(expected), "{moves}");
            assert_eq!(key(&after(fen, "")), Some(expected), "{fen}");
        }
    }

    /// The key computed by shakmaty.
    fn independent_key(fen: &str) -> u64 {
        let mode = CastlingMode::Standard;
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
        position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
    }

    /// After the double step the neighbouring pawn is pinned on its rank, file or diagonal,
    /// or its king is in check, so that it may not capture. The file still counts; without
    /// a pawn it does not.
    #[test]
    fn en_passant_counts_if_it_is_pseudo_legal() {
        let file_c = Zobrist64::zobrist_for_en_passant_file(shakmaty::File::C);
        for (before, double_step, possible) in [
            ("8/8/8/8/k2p3R/8/2P5/4K3 w - - 0 1", "c2c4", true),
            ("3k4/8/8/8/3p4/8/2P5/3RK3 w - - 0 1", "c2c4", true),
            ("8/k7/8/8/3p4/8/2P2B2/4K3 w - - 0 1", "c2c4", true),
            ("8/8/8/8/k2p4/8/2P5/3BK3 w - - 0 1", "c2c4", true),
            ("6b1/2p5/8/3P4/8/8/K7/7k b - - 0 1", "c7c5", true),
            ("3rk3/2p5/8/3P4/8/8/8/3K4 b - - 0 1", "c7c5", true),
            ("7k/8/8/3p4/8/8/2P5/3RK3 w - - 0 1", "c2c4", false),
            ("7k/8/8/8/p3p3/8/2P5/3RK3 w - - 0 1", "c2c4", false),
        ] {
            let by_moves = after(before, double_step);
            let passed = if by_moves.side_to_move() == Color::Black { "c3" } else { "c6" };
            let fen = &by_moves.fen().replace(" - - ", &format!(" - {passed} "));
            let by_fen = after(fen, "");
            assert_eq!((by_moves.en_passant(), by_fen.en_passant()), (None, None), "{fen}");
            let key_by_fen = key(&by_fen).unwrap();
            assert_eq!(key_by_fen, key(&by_moves).unwrap(), "{fen}");
            assert_eq!(key_by_fen, independent_key(fen), "{fen}");
            let bare = key(&after(&by_fen.fen(), "")).unwrap();
            let number = if possible { file_c.0 } else { 0 };
            assert_eq!(key_by_fen ^ bare, number, "{fen}");
            // By the rules of chess both positions are equal.
            assert_eq!((by_moves.key(), by_moves.fen()), (by_fen.key(), by_fen.fen()));
        }
    }

    /// The en-passant square of a FEN holds until the next move, and again after its undoing.
    #[test]
    fn the_en_passant_square_of_a_fen_lasts_one_move() {
        let mut position = after("8/8/8/8/k1Pp3R/8/8/4K3 b - c3 0 1", "");
        let first = key(&position);
        let reply = uci::parse_move(&position, "a4a5").unwrap();
        position.make(reply);
        assert_eq!(position.pseudo_legal_en_passant(), None);
        assert_eq!(key(&position), Some(independent_key(&position.fen())));
        position.unmake();
        assert_eq!(key(&position), first);
    }

    #[test]
    fn an_impossible_en_passant_square_does_not_count() {
        for fen in ["8/8/8/8/k2p3R/8/8/4K3 b - c3 0 1", "8/8/8/8/k1Pp3R/2N5/8/4K3 b - c3 0 1"] {
            let bare = key(&after(&fen.replace("c3", "-"), ""));
            assert_eq!(key(&after(fen, "")), bare, "{fen}");
        }
    }

    #[test]
    fn only_a_double_step_allows_en_passant() {
        for (fen, moves) in [
            ("4k3/8/8/8/3p4/2P5/8/4K3 w - - 0 1", "c3c4"),
            ("4k3/8/8/8/2np4/3P4/2P5/4K3 w - - 0 1", "d3c4"),
            ("4k3/8/8/8/2Pp4/8/8/4K3 w - - 0 1", "e1e2"),
            ("4k3/8/8/8/3p4/8/2P5/4K3 w - - 0 1", "c2c4 e8e7 e1e2"),
        ] {
            assert_eq!(after(fen, moves).pseudo_legal_en_passant(), None, "{fen} {moves}");
        }
    }

    #[test]
    fn chess960_has_no_key() {
        for fen in [
            "rnkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/BRQKRNNB w EBga - 0 1",
            "4k3/8/8/8/8/8/8/4K1RR w G - 0 1",
        ] {
            assert_eq!(key(&after(fen, "")), None, "{fen}");
        }
        assert!(key(&after("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "")).is_some());
    }
}
