//! The static exchange evaluation against playing the exchange out.

use cozy_chess::BitBoard;
use lovec::chess::see::{see_at_least, value as worth};
use lovec::chess::{Bitboard, Color, MoveKind, Piece, Square, State};

use crate::differential::visit;

/// The exchange on one square by trying everything, with the pieces taking part
/// in order of value as the rule of the exchange has it.
fn exchange(state: &State, square: Square, mut occupied: Bitboard, side: Color, on: i32) -> i32 {
    let attackers = state.attackers_to(square, occupied) & occupied;
    for piece in Piece::ALL {
        let Some(from) = (attackers & state.colored(side, piece)).first() else { continue };
        occupied ^= from.bitboard();
        if piece == Piece::King
            && (state.attackers_to(square, occupied) & occupied).intersects(state.color(!side))
        {
            return 0;
        }
        let value = worth(piece);
        return (on - exchange(state, square, occupied, !side, value)).max(0);
    }
    0
}

/// Without pins the exchange has one value, and every threshold must agree with
/// it.
#[test]
fn exchanges_have_one_value() {
    let mut compared = 0;
    visit(11, 25, 120, |game| {
        let state = *game.ours.state();
        let us = state.side_to_move();
        let theirs_pinned = game.theirs.null_move().map(|board| board.pinned());
        if !state.pinned().is_empty() || theirs_pinned != Some(BitBoard::EMPTY) {
            return;
        }
        for m in state.legal_moves().into_iter().filter(|m| m.kind() == MoveKind::Capture) {
            let (piece, taken) = (state.moved_piece(m), state.captured(m).unwrap());
            if piece == Piece::King {
                continue;
            }
            let value = worth(taken)
                - exchange(
                    &state,
                    m.to(),
                    state.occupied() ^ m.from().bitboard(),
                    !us,
                    worth(piece),
                );
            for threshold in [value - 50, value - 1, value, value + 1, value + 50] {
                assert_eq!(
                    see_at_least(&state, m, threshold),
                    value >= threshold,
                    "{m:?} is worth {value}, threshold {threshold}, in {}",
                    state.fen()
                );
            }
            compared += 1;
        }
    });
    assert!(compared > 1000, "only {compared} captures");
}
