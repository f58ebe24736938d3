//! Pieces, attacks and keys.

use std::collections::HashMap;

use cozy_chess::{BitBoard, Board, get_bishop_moves, get_king_moves, get_knight_moves};
use cozy_chess::{get_pawn_attacks, get_rook_moves};
use lovec::chess::{Bitboard, CastlingSide, Color, Piece, Position, Square, attacks};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::differential::{
    identity, their_color, their_en_passant, their_moves, their_piece, their_square, visit,
};

#[test]
fn boards_are_the_same() {
    visit(3, 30, 200, |game| {
        let (ours, theirs) = (game.ours.state(), &game.theirs);
        let fen = theirs.to_string();
        assert_eq!(ours.side_to_move().index(), theirs.side_to_move() as usize, "{fen}");
        for square in Square::all() {
            let piece = theirs.piece_on(their_square(square)).map(|piece| piece as usize);
            let color = theirs.color_on(their_square(square)).map(|color| color as usize);
            assert_eq!(ours.piece_on(square).map(Piece::index), piece, "{square} in {fen}");
            assert_eq!(ours.color_on(square).map(Color::index), color, "{square} in {fen}");
        }
        for color in Color::ALL {
            assert_eq!(ours.king(color).index(), theirs.king(their_color(color)) as usize);
            for piece in Piece::ALL {
                let set = theirs.colored_pieces(their_color(color), their_piece(piece));
                assert_eq!(ours.colored(color, piece).0, set.0, "{fen}");
            }
            let rights = theirs.castle_rights(their_color(color));
            for (side, file) in
                [(CastlingSide::King, rights.short), (CastlingSide::Queen, rights.long)]
            {
                let rook = ours.castling().rook(color, side).map(|file| file.index());
                assert_eq!(rook, file.map(|file| file as usize), "{fen}");
            }
            let pieces_of_color = theirs.colors(their_color(color))
                & !theirs.pieces(cozy_chess::Piece::Pawn)
                & !theirs.pieces(cozy_chess::Piece::King);
            assert_eq!(ours.has_non_pawn_material(color), !pieces_of_color.is_empty(), "{fen}");
        }
        assert_eq!(ours.checkers().0, theirs.checkers().0, "checkers in {fen}");
        let own = theirs.colors(theirs.side_to_move());
        assert_eq!(ours.pinned().0, (theirs.pinned() & own).0, "pins in {fen}");
        assert_eq!(usize::from(ours.halfmove_clock()), usize::from(theirs.halfmove_clock()));
        assert_eq!(ours.fullmove_number(), theirs.fullmove_number());
        let en_passant = their_en_passant(theirs, &their_moves(theirs));
        assert_eq!(ours.en_passant().map(Square::index), en_passant, "en passant in {fen}");
    });
}

/// Attackers of both colours, piece by piece from the other board's tables.
fn their_attackers(board: &Board, square: cozy_chess::Square, occupied: BitBoard) -> BitBoard {
    use cozy_chess::Piece::{Bishop, King, Knight, Pawn, Queen, Rook};
    let [white, black] = [cozy_chess::Color::White, cozy_chess::Color::Black];
    let queens = board.pieces(Queen);
    (get_knight_moves(square) & board.pieces(Knight))
        | (get_king_moves(square) & board.pieces(King))
        | (get_bishop_moves(square, occupied) & (board.pieces(Bishop) | queens))
        | (get_rook_moves(square, occupied) & (board.pieces(Rook) | queens))
        | (get_pawn_attacks(square, black) & board.colored_pieces(white, Pawn))
        | (get_pawn_attacks(square, white) & board.colored_pieces(black, Pawn))
}

#[test]
fn attackers_are_the_same() {
    let mut rng = StdRng::seed_from_u64(40);
    visit(4, 30, 120, |game| {
        // Also with pieces removed, as in static exchange evaluation.
        let occupied = game.ours.occupied() & Bitboard(rng.random::<u64>() | rng.random::<u64>());
        for square in Square::all() {
            let theirs = their_attackers(&game.theirs, their_square(square), BitBoard(occupied.0));
            let ours = game.ours.attackers_to(square, occupied) & occupied;
            assert_eq!(ours.0, (theirs & BitBoard(occupied.0)).0, "{square} in {}", game.theirs);
        }
    });
}

#[test]
fn sliding_attacks_are_the_same() {
    let mut rng = StdRng::seed_from_u64(41);
    for round in 0..3000 {
        // Sparse and crowded boards.
        let mut occupied: u64 = rng.random();
        for _ in 0..round % 4 {
            occupied &= rng.random::<u64>();
        }
        for square in Square::all() {
            let (sq, blockers) = (their_square(square), BitBoard(occupied));
            let bishop = get_bishop_moves(sq, blockers);
            let rook = get_rook_moves(sq, blockers);
            assert_eq!(attacks::bishop(square, Bitboard(occupied)).0, bishop.0);
            assert_eq!(attacks::rook(square, Bitboard(occupied)).0, rook.0);
            assert_eq!(attacks::queen(square, Bitboard(occupied)).0, (bishop | rook).0);
        }
    }
}

#[test]
fn null_moves() {
    visit(6, 60, 150, |game| {
        let Some(theirs) = game.theirs.null_move() else { return };
        let before = *game.ours.state();
        game.ours.make_null();
        let fresh = Position::from_fen(&format!("{theirs:#}")).unwrap();
        assert_eq!(game.ours.key(), fresh.key(), "{}", game.theirs);
        assert_eq!(game.ours.checkers(), fresh.checkers());
        assert_eq!(game.ours.pinned(), fresh.pinned());
        assert_eq!(game.ours.side_to_move(), fresh.side_to_move());
        assert_eq!(game.ours.en_passant(), None);
        assert_eq!(game.ours.legal_moves(), fresh.legal_moves());
        game.ours.unmake();
        assert_eq!(*game.ours.state(), before);
    });
}

#[test]
fn equal_positions_have_equal_keys_and_different_positions_different_keys() {
    let mut keys: HashMap<String, u64> = HashMap::new();
    let mut identities: HashMap<u64, String> = HashMap::new();
    let mut pawns: HashMap<(u64, u64), u64> = HashMap::new();
    let mut transpositions = 0;
    visit(8, 300, 60, |game| {
        let name = identity(&game.theirs);
        let key = game.ours.key();
        if let Some(&known) = keys.get(&name) {
            transpositions += 1;
            assert_eq!(known, key, "one position, two keys: {name}");
        }
        if let Some(known) = identities.get(&key) {
            assert_eq!(known, &name, "two positions, one key");
        }
        let structure = Color::ALL.map(|color| game.ours.colored(color, Piece::Pawn).0);
        let pawn_key = *pawns.entry(structure.into()).or_insert(game.ours.pawn_key());
        assert_eq!(pawn_key, game.ours.pawn_key(), "one pawn structure, two keys: {name}");
        keys.insert(name.clone(), key);
        identities.insert(key, name);
    });
    assert!(transpositions > 300, "only {transpositions} transpositions");
}

/// The sets of attacked squares agree with the attackers of each square, which are compared
/// above; `cozy-chess` has no such sets.
#[test]
fn a_square_is_attacked_if_it_has_attackers() {
    visit(9, 30, 120, |game| {
        let state = game.ours.state();
        for color in Color::ALL {
            let threats = state.threats(color);
            let pawns = state.pieces(Piece::Pawn);
            let minors = pawns | state.pieces(Piece::Knight) | state.pieces(Piece::Bishop);
            let rooks = minors | state.pieces(Piece::Rook);
            for square in Square::all() {
                let attackers = state.attackers_to(square, state.occupied()) & state.color(color);
                for (attacked, attackers_of) in [
                    (threats.by_pawns, pawns),
                    (threats.by_minors, minors),
                    (threats.by_rooks, rooks),
                ] {
                    let expected = attackers.intersects(attackers_of);
                    assert_eq!(attacked.contains(square), expected, "{square}: {}", game.theirs);
                }
            }
        }
    });
}

/// A piece gives direct check exactly from its checking squares.
#[test]
fn checking_squares_give_check() {
    let mut direct = 0;
    visit(10, 60, 120, |game| {
        let state = *game.ours.state();
        let squares = state.checking_squares();
        for m in state.legal_moves().into_iter().filter(|m| m.is_quiet() && !m.is_castle()) {
            let piece = state.moved_piece(m);
            game.ours.make(m);
            let (checkers, fen) = (game.ours.checkers(), &game.theirs);
            game.ours.unmake();
            let expected = squares[piece.index()].contains(m.to());
            assert_eq!(checkers.contains(m.to()), expected, "{m:?} in {fen}");
            direct += usize::from(expected);
        }
    });
    assert!(direct > 1_000, "only {direct} direct checks");
}

/// The predicted key, for prefetching, is right except for castling, en passant, promotion and
/// changes of rights.
#[test]
fn key_after_predicts_the_key() {
    let mut predicted = 0;
    visit(11, 60, 120, |game| {
        for m in game.ours.legal_moves() {
            let (key, castling) = (game.ours.key_after(m), game.ours.castling());
            game.ours.make(m);
            let plain = !m.is_special()
                && game.ours.castling() == castling
                && game.ours.en_passant().is_none();
            if plain {
                assert_eq!(key, game.ours.key(), "{m:?} in {}", game.theirs);
                predicted += 1;
            }
            game.ours.unmake();
        }
    });
    assert!(predicted > 10_000, "only {predicted} plain moves");
}

/// A side without a mobile piece has only king and pawn moves.
#[test]
fn immobile_pieces_do_not_move() {
    let mut immobile = 0;
    visit(12, 200, 200, |game| {
        let us = game.ours.side_to_move();
        if !game.ours.has_mobile_piece(us) {
            let movers = game.ours.legal_moves().into_iter().map(|m| game.ours.moved_piece(m));
            let pieces = movers.filter(|piece| !matches!(piece, Piece::Pawn | Piece::King)).count();
            assert_eq!(pieces, 0, "{}", game.theirs);
            immobile += 1;
        }
    });
    assert!(immobile > 40, "only {immobile} positions without a mobile piece");
    // Blocked, free, and blocked by a piece that can be captured.
    let free = |fen: &str| Position::from_fen(fen).unwrap().has_mobile_piece(Color::Black);
    assert!(!free("6Q1/8/8/7k/8/8/3p1pp1/3Kbrrb w - - 0 1"));
    assert!(free("6Q1/8/8/7k/8/8/3p1p2/3Kbrrb w - - 0 1"));
    assert!(free("6Q1/8/8/7k/8/8/3P1pp1/3Kbrrb w - - 0 1"));
}
