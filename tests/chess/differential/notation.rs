//! Text is read back, and `cozy-chess` reads the same.

use std::collections::BTreeSet;

use cozy_chess::Board;
use lovec::chess::notation::{san, uci};
use lovec::chess::{Color, Position, State};

use crate::differential::{identity, visit};

/// Equality of everything that a FEN holds.
fn assert_same(ours: &State, other: &State, context: &str) {
    assert_eq!(ours.fen(), other.fen(), "{context}");
    assert_eq!(ours.key(), other.key(), "key, {context}");
    assert_eq!(ours.pawn_key(), other.pawn_key(), "pawn key, {context}");
    assert_eq!(ours.minor_key(), other.minor_key(), "minor key, {context}");
    for color in Color::ALL {
        assert_eq!(ours.non_pawn_key(color), other.non_pawn_key(color), "{context}");
    }
    assert_eq!(ours.checkers(), other.checkers(), "checkers, {context}");
    assert_eq!(ours.pinned(), other.pinned(), "pins, {context}");
    assert_eq!(ours.castling(), other.castling(), "castling, {context}");
}

#[test]
fn fens_are_read_back() {
    visit(5, 60, 200, |game| {
        let (fen, shredder) = (game.ours.fen(), game.ours.shredder_fen());
        for text in [&fen, &shredder, &format!("{:#}", game.theirs)] {
            let (position, warnings) = Position::from_fen_with_warnings(text).unwrap();
            assert!(warnings.is_empty(), "{text}: {}", warnings[0]);
            assert_same(&game.ours, &position, text);
        }
        // `cozy-chess` reads our FEN as well.
        let theirs: Board = shredder.parse().unwrap();
        assert_eq!(identity(&theirs), identity(&game.theirs));
    });
}

#[test]
fn notations_are_read_back() {
    visit(9, 12, 120, |game| {
        let mut written = BTreeSet::new();
        for m in game.ours.legal_moves() {
            for chess960 in [false, true] {
                let text = uci::format_move(m, chess960);
                assert_eq!(uci::parse_move(&game.ours, &text), Ok(m), "{text} in {}", game.theirs);
            }
            let text = san::format(&game.ours, m);
            assert_eq!(san::parse(&game.ours, &text).ok(), Some(m), "{text} in {}", game.theirs);
            assert!(written.insert(text), "one SAN for two moves in {}", game.theirs);
        }
    });
}
