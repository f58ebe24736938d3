//! Legal moves and their effects.

use std::collections::BTreeSet;

use cozy_chess::Board;
use lovec::chess::{Move, MoveKind, MoveList, Piece, movegen};

use crate::differential::{Plain, plain, their_moves, their_plain, their_square, visit};

#[test]
fn moves_are_the_same() {
    visit(1, 30, 200, |game| {
        let fen = game.theirs.to_string();
        let moves = game.ours.legal_moves();
        let ours: BTreeSet<Plain> = moves.iter().copied().map(plain).collect();
        let theirs: BTreeSet<Plain> =
            their_moves(&game.theirs).into_iter().map(their_plain).collect();
        assert_eq!(ours, theirs, "{fen}");
        assert_eq!(ours.len(), moves.len(), "a move is generated twice: {fen}");
        assert_eq!(movegen::count_legal(&game.ours), moves.len(), "{fen}");
        assert_eq!(game.ours.is_checkmate(), theirs.is_empty() && game.ours.in_check(), "{fen}");
        assert_eq!(game.ours.is_stalemate(), theirs.is_empty() && !game.ours.in_check(), "{fen}");

        let (mut noisy, mut quiets) = (MoveList::new(), MoveList::new());
        movegen::generate_noisy(&game.ours, &mut noisy);
        movegen::generate_quiets(&game.ours, &mut quiets);
        assert!(noisy.iter().all(|m| m.is_noisy()) && quiets.iter().all(|m| m.is_quiet()));
        let union: BTreeSet<u16> = noisy.iter().chain(&quiets).map(|m| m.bits()).collect();
        assert_eq!(union, moves.iter().map(|m| m.bits()).collect(), "{fen}");
        assert_eq!(noisy.len() + quiets.len(), moves.len(), "{fen}");
    });
}

/// The kind of a move according to `cozy-chess`.
fn expected_kind(board: &Board, m: Move) -> MoveKind {
    let (from, to) = (their_square(m.from()), their_square(m.to()));
    let pawn = board.piece_on(from) == Some(cozy_chess::Piece::Pawn);
    let taken = board.color_on(to);
    if taken == Some(board.side_to_move()) {
        return MoveKind::Castle;
    }
    match m.promotion() {
        Some(piece) => MoveKind::promotion(piece, taken.is_some()),
        None if taken.is_some() => MoveKind::Capture,
        None if pawn && from.file() != to.file() => MoveKind::EnPassant,
        None if pawn && m.from().distance(m.to()) == 2 => MoveKind::DoublePush,
        None => MoveKind::Quiet,
    }
}

#[test]
fn moves_change_both_boards_alike() {
    visit(2, 60, 150, |game| {
        let before = *game.ours.state();
        let fen = before.fen();
        for m in game.ours.legal_moves() {
            assert_eq!(m.kind(), expected_kind(&game.theirs, m), "{m:?} in {fen}");
            let taken = game.theirs.piece_on(their_square(m.to())).filter(|_| m.is_capture());
            let taken = taken.map(|piece| piece as usize);
            let expected = if m.is_en_passant() { Some(Piece::Pawn.index()) } else { taken };
            assert_eq!(before.captured(m).map(Piece::index), expected, "{m:?} in {fen}");
            assert_eq!(Some(before.moved_piece(m)), before.piece_on(m.from()));

            let check = before.gives_check(m);
            game.ours.make(m);
            assert_eq!(game.ours.in_check(), check, "check by {m:?} in {fen}");
            game.ours.unmake();
            assert_eq!(*game.ours.state(), before, "{m:?} unmade in {fen}");
        }
    });
}

/// A hash table may return any sixteen bits.
#[test]
fn legality_of_any_sixteen_bits() {
    let mut node = 0;
    visit(7, 25, 160, |game| {
        node += 1;
        if node % 32 != 0 {
            return;
        }
        let legal: BTreeSet<u16> = game.ours.legal_moves().iter().map(|m| m.bits()).collect();
        for bits in 0..=u16::MAX {
            let answer = Move::from_bits(bits).is_some_and(|m| game.ours.is_legal(m));
            assert_eq!(answer, legal.contains(&bits), "{bits:#06x} in {}", game.theirs);
        }
    });
}
