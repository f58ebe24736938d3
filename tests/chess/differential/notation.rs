//! A FEN is read back, and so is the Shredder-FEN of `cozy-chess`.

use lovec::chess::{Color, Position, State};

use crate::differential::visit;

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
    visit(5, 30, 200, |game| {
        for text in [game.ours.fen(), format!("{:#}", game.theirs)] {
            let (position, warnings) = Position::from_fen_with_warnings(&text).unwrap();
            assert!(warnings.is_empty(), "{text}: {}", warnings[0]);
            assert_same(&game.ours, &position, &text);
        }
    });
}
