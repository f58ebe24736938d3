//! Static exchange evaluation against a search of the exchange.

use cozy_chess::BitBoard;
use lovec::chess::see::{see_at_least, value as piece_value};
use lovec::chess::{Bitboard, Color, MoveKind, Piece, Square, State};

use crate::differential::visit;

/// The value of the exchange on one square by minimax, least valuable attacker first.
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
        let value = piece_value(piece);
        return (on - exchange(state, square, occupied, !side, value)).max(0);
    }
    0
}

/// Without pins every threshold agrees with the value of the exchange.
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
            let value = piece_value(taken)
                - exchange(
                    &state,
                    m.to(),
                    state.occupied() ^ m.from().bitboard(),
                    !us,
                    piece_value(piece),
                );
            for threshold in [value - 50, value - 1, value, value + 1, value + 50] {
                assert_eq!(
                    see_at_least(&state, m, threshold),
                    value >= threshold,
                    "{m:?} has the value {value}, threshold {threshold}, in {}",
                    state.fen()
                );
            }
            compared += 1;
        }
    });
    assert!(compared > 1000, "only {compared} captures");
}
