//! Moves in SAN and in UCI notation.

use lovec::chess::notation::san::{self, SanError};
use lovec::chess::notation::uci::{self, ParseMoveError};
use lovec::chess::{Move, Position};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position as _};

use crate::notation::{CHESS960, KIWIPETE, STANDARD, fens, position, random_games};

/// Our legal moves, each with shakmaty's.
fn moves_of_both(game: &Position) -> (Chess, Vec<(Move, shakmaty::Move)>) {
    let fen: Fen = game.fen().parse().unwrap();
    let chess: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
    let theirs = chess.legal_moves();
    let pairs: Vec<_> = game
        .legal_moves()
        .into_iter()
        .map(|m| {
            let name = uci::format_move(m, true);
            let same =
                |other: &&shakmaty::Move| other.to_uci(CastlingMode::Chess960).to_string() == name;
            (m, *theirs.iter().find(same).unwrap_or_else(|| panic!("{name} in {}", game.fen())))
        })
        .collect();
    assert_eq!(pairs.len(), theirs.len(), "{}", game.fen());
    (chess, pairs)
}

#[test]
fn moves_of_random_games_are_written_as_shakmaty_writes_them_and_read_back() {
    let starts: Vec<&str> = fens(STANDARD).step_by(9).chain(fens(CHESS960).step_by(48)).collect();
    random_games(&starts, 3, |game| {
        let (chess, pairs) = moves_of_both(game);
        for (m, theirs) in pairs {
            let text = san::format(game, m);
            assert_eq!(text, SanPlus::from_move(chess.clone(), theirs).to_string());
            assert_eq!(san::parse(game, &text), Ok(m), "{text} in {}", game.fen());
            for chess960 in [false, true] {
                let text = uci::format_move(m, chess960);
                assert_eq!(uci::parse_move(game, &text), Ok(m), "{text} in {}", game.fen());
            }
            if !m.is_castle() {
                let standard = theirs.to_uci(CastlingMode::Standard).to_string();
                assert_eq!(uci::format_move(m, false), standard);
            }
        }
    });
}

#[test]
fn castling_is_read_in_both_spellings() {
    let board = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (texts, san_text) in [(["e1g1", "e1h1"], "O-O"), (["e1c1", "e1a1"], "O-O-O")] {
        let m = uci::parse_move(&board, texts[0]).unwrap();
        assert_eq!(uci::parse_move(&board, texts[1]), Ok(m));
        assert_eq!([uci::format_move(m, false), uci::format_move(m, true)], texts);
        assert_eq!(san::format(&board, m), san_text);
    }
}

#[test]
fn a_king_step_is_not_castling() {
    // Both castling and the king move end on g1.
    let board = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let step = uci::parse_move(&board, "f1g1").unwrap();
    let castling = uci::parse_move(&board, "f1h1").unwrap();
    assert!(!step.is_castle());
    assert!(castling.is_castle());
    assert_eq!(uci::format_move(castling, false), "f1h1");

    // The rook stands where the king would end on the other side.
    let board = position("4k3/8/8/8/8/8/8/RKR5 w CA - 0 1");
    let castling = uci::parse_move(&board, "b1c1").unwrap();
    assert_eq!(san::format(&board, castling), "O-O");
}

#[test]
fn malformed_uci_moves_and_illegal_ones_give_different_errors() {
    let start = Position::startpos();
    for text in ["", "e2", "e2e", "e2e9", "e2e4qq", "e2e4k", "0000", "e7e8=", "é2e4", "e2é4"] {
        let error = ParseMoveError::Malformed(text.to_owned());
        assert_eq!(uci::parse_move(&start, text), Err(error));
    }
    for text in ["e2e5", "e7e5", "e1g1", "e1h1", "e2e4q", "a1a1"] {
        let error = ParseMoveError::Illegal(text.to_owned());
        assert_eq!(uci::parse_move(&start, text), Err(error));
    }
    let board = position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(uci::parse_move(&board, "a7a8Q"), uci::parse_move(&board, "a7a8q"));
    assert!(uci::parse_move(&board, "a7a8").is_err());
    let message = uci::parse_move(&start, &"x".repeat(1 << 20)).unwrap_err().to_string();
    assert!(message.len() < 200, "{message}");
}

#[test]
fn san_is_read_in_many_spellings() {
    for (fen, texts, meant) in [
        (KIWIPETE, &["O-O", "0-0", "o-o", "O-O!?", "0-0+"][..], "e1g1"),
        (KIWIPETE, &["O-O-O", "0-0-0", "O-O-O#"], "e1c1"),
        (KIWIPETE, &["Nxg6", "Ng6", "Ne5g6", "Ne5xg6", "Ne5-g6", "N5g6", "Nexg6!!"], "e5g6"),
        (KIWIPETE, &["dxe6", "d5e6", "d5xe6", "dxe6+", "de6", "Pd5xe6"], "d5e6"),
        (KIWIPETE, &["gxh3", "g2xh3", "gxh3 !", " gxh3"], "g2h3"),
        (
            "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1",
            &["bxa8=Q+", "bxa8Q", "ba8=Q", "b7xa8=Q", "bxa8(Q)", "bxa8/Q", "bxa8q"],
            "b7a8q",
        ),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &["exd6", "exd6 e.p.", "exd6e.p."], "e5d6"),
    ] {
        let board = position(fen);
        let m = uci::parse_move(&board, meant).unwrap();
        for text in texts {
            assert_eq!(san::parse(&board, text), Ok(m), "{text}");
        }
    }
}

#[test]
fn san_errors_name_the_fault() {
    let board = position("4k3/8/8/8/8/8/3K4/R6R w - - 0 1");
    for text in ["", "+", "e", "Xe4", "Rz1", "Re9", "é4", "Rre1", "e8=K", "O-O-O-O", "--"] {
        assert!(matches!(san::parse(&board, text), Err(SanError::Malformed(_))), "{text}");
    }
    for text in ["Re3", "O-O", "e4", "Nf3", "Rae1=Q"] {
        assert!(matches!(san::parse(&board, text), Err(SanError::Illegal(_))), "{text}");
    }
    let error = san::parse(&board, "Re1").unwrap_err();
    assert_eq!(error.to_string(), "Re1 may mean Rae1 or Rhe1");
}

#[test]
fn moves_are_played_as_they_are_pasted() {
    for text in ["1.e4 e5 2.Nf3", "1. e4 e5 2. Nf3", "e2e4 e7e5 g1f3", "1.e4 1...e5 Nf3"] {
        let mut game = Position::startpos();
        san::play(&mut game, text.split(' ')).unwrap();
        assert_eq!(game.plies(), 3, "{text}");
    }
    for text in
        ["e2-e4 d7-d5 e4xd5", "e2e4 d5 e4-d5", "Pe4 d5 Pexd5", "e4! d5? exd5!", "e4+ d5 e:d5"]
    {
        let mut game = Position::startpos();
        san::play(&mut game, text.split(' ')).unwrap();
        let after = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
        assert_eq!(game.fen(), after, "{text}");
    }
    let mut game = Position::startpos();
    let (word, number, _) = san::play(&mut game, "1. e4 e5 2. Nf4".split(' ')).unwrap_err();
    assert_eq!((word, number, game.plies()), ("Nf4", 3, 2));
}
