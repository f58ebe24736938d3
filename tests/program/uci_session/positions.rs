//! `position`: applied or refused as a whole.

use crate::referee::{Referee, check_answer, checked_go};
use crate::session::{Answer, Session};

const NO_POSITION: &str = "info string error: no position is set: the last `position` was refused";

/// Sends a command that must be refused with an error and leave no position to search.
fn refused(session: &mut Session, command: &str) -> String {
    let error = session.refused(command);
    assert!(error.starts_with("info string error: position refused, so that none is set: "));
    let answer = session.go("go depth 1");
    assert_eq!(
        (answer.best.as_str(), &answer.lines[..]),
        ("(none)", &[NO_POSITION.to_owned()][..])
    );
    for command in ["d", "eval", "explain", "perft 1"] {
        assert_eq!(session.refused(command), NO_POSITION);
    }
    error
}

/// Searches the position of these arguments; the move must be legal.
fn plays(session: &mut Session, arguments: &str) -> Answer {
    session.position(arguments);
    let answer = session.go("go depth 3");
    let referee = Referee::new(arguments, false);
    assert!(referee.is_legal(&answer.best), "{} in {arguments}", answer.best);
    answer
}

/// The FEN that `d` shows.
fn shown_fen(session: &mut Session) -> String {
    session.allow_drawings();
    session.send("d");
    let replies = session.sync();
    let is_fen = |word: &&str| word.matches('/').count() == 7;
    let line = replies.iter().find(|line| line.split_whitespace().any(|word| is_fen(&word)));
    let line = line.unwrap_or_else(|| panic!("no FEN in {replies:?}"));
    let start = line.split_whitespace().position(|word| is_fen(&word)).unwrap();
    line.split_whitespace().skip(start).take(6).collect::<Vec<_>>().join(" ")
}

/// Row 1.
#[test]
fn text_that_is_not_a_position() {
    let mut session = Session::start();
    let long = format!("position fen {}", "rnbqkbnr/".repeat(1112));
    for command in [
        "position",
        "position fen",
        "position fen blah",
        "position blah",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position fen rnbqkbnr/ppppXppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &long,
    ] {
        refused(&mut session, command);
    }
    plays(&mut session, "startpos");
}

/// Rows 2, 3 and 8.
#[test]
fn boards_of_no_game() {
    let mut session = Session::start();
    for fen in [
        // Wrong numbers of kings.
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
        "k3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "k3k3/8/8/8/8/8/8/8 b - - 0 1",
        "k3k3/8/8/8/8/8/8/K3K3 b - - 0 1",
        // A king that could be captured.
        "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
        "4k3/8/8/8/8/8/3p4/4K3 b - - 0 1",
        "4k3/8/5N2/8/8/8/8/4K3 w - - 0 1",
        "8/8/8/3kK3/8/8/8/8 w - - 0 1",
        "8/8/3k4/4K3/8/8/8/8 b - - 0 1",
        // Pawns where none can be.
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k2p/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/p3K3 b - - 0 1",
    ] {
        refused(&mut session, &format!("position fen {fen}"));
    }
}

/// Row 4, and the fields between.
#[test]
fn missing_fields() {
    let mut session = Session::start();
    for fen in [
        "4k3/8/8/8/8/8/8/R3K2R w",
        "4k3/8/8/8/8/8/8/R3K2R w KQ",
        "4k3/8/8/8/8/8/8/R3K2R w KQ -",
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 3",
    ] {
        session.position(&format!("fen {fen}"));
        let answer = session.go("go depth 3");
        assert!(Referee::new("fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", false).is_legal(&answer.best));
    }
    for side in ["w", "b"] {
        session.position(&format!("fen 4k3/7p/8/8/8/8/8/R3K2R {side}"));
        let meant = format!("4k3/7p/8/8/8/8/8/R3K2R {side} - - 0 1");
        assert_eq!(shown_fen(&mut session), meant);
    }
}

/// Row 5.
#[test]
fn moves_with_nothing_after_it() {
    let mut session = Session::start();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for command in
        ["startpos moves", &format!("fen {start}"), &format!("fen {start} moves"), "startpos"]
    {
        session.position("fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        session.position(command);
        assert_eq!(shown_fen(&mut session), format!("{start} 0 1"), "{command}");
        check_answer("startpos", false, &session.go("go depth 3"));
    }
}

/// Row 6.
#[test]
fn castling_rights_without_their_pieces() {
    let mut session = Session::start();
    for (fen, repaired) in [
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1"),
        ("r3k3/8/8/8/8/8/8/4K2R b KQkq - 0 1", "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1"),
        ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "r3k2r/8/8/8/8/8/4K3/R6R w kq - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K2B b HAha - 0 1", "4k3/8/8/8/8/8/8/R3K2B b Q - 0 1"),
    ] {
        session.send(&format!("position fen {fen}"));
        let replies = session.sync();
        // In Chess960 a king on d1 may castle, so the second one is sound there.
        if !fen.contains("R2K3R") {
            assert!(
                replies.iter().any(|line| line.starts_with("info string")),
                "{fen}: {replies:?}"
            );
            assert_eq!(shown_fen(&mut session), repaired);
        }
        assert_ne!(session.go("go depth 3").best, "(none)");
    }
}

/// Row 7.
#[test]
fn en_passant_squares_without_a_capture() {
    let mut session = Session::start();
    for (fen, dropped) in [
        // No pawn stands next to it.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", true),
        // The wrong rank for the side to move, and no rank at all for it.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e6 0 1", true),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1", true),
        // The capture would open the rank to the king.
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", true),
        // A real one stays.
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", false),
    ] {
        session.send(&format!("position fen {fen}"));
        session.sync();
        let shown = shown_fen(&mut session);
        assert_eq!(shown.split(' ').nth(3) == Some("-"), dropped, "{fen} became {shown}");
        assert_ne!(session.go("go depth 3").best, "(none)");
    }
}

/// Row 9.
#[test]
fn nine_queens_and_ten_knights() {
    let mut session = Session::start();
    plays(&mut session, "fen 6rk/6pp/8/8/QQQQQQQQ/Q7/8/K7 w - - 0 1");
    plays(&mut session, "fen 6rk/6pp/8/8/NNNNNNNN/NN6/8/K7 w - - 0 1");
}

/// Row 10: searched, or refused with an error.
#[test]
fn more_pieces_than_a_game_has() {
    let mut session = Session::start();
    for fen in [
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/7k/K7 b - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/7p/6pk/K5br w - - 0 1",
        "4k3/8/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
        "NNNNNNNN/NNNNNNNN/8/8/7p/6pp/5ppk/K3bqrr w - - 0 1",
        "4k3/pppppppp/pppppppp/8/8/8/8/4K3 b - - 0 1",
    ] {
        session.send(&format!("position fen {fen}"));
        let replies = session.sync();
        let refused = replies.iter().any(|line| line.starts_with("info string error: "));
        let answer = session.go("go depth 2");
        assert!(refused || answer.has_line("info depth "), "{fen}: {answer:?}");
        // The first one is mate.
        let over = refused || answer.has_line("info depth 0 score mate 0");
        assert_eq!(answer.best == "(none)", over, "{fen}: {answer:?}");
    }
    plays(&mut session, "startpos");
}

/// Row 11: found by the very first iteration.
#[test]
fn the_most_legal_moves() {
    let mut session = Session::start();
    let fen = "fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    for command in ["go nodes 1", "go depth 1", "go movetime 0", "go depth 6"] {
        let answer = checked_go(&mut session, fen, command);
        assert_eq!(answer.score(), "mate 1", "{command}");
        let mut referee = Referee::new(fen, false);
        referee.play(&answer.best);
        assert!(referee.is_checkmate());
    }
    session.set("MultiPV", "256");
    let answer = checked_go(&mut session, fen, "go depth 1");
    assert!(answer.contains(" multipv 218 "));
}

/// Row 12.
#[test]
fn clocks_at_and_past_the_fifty_move_rule() {
    let mut session = Session::start();
    for clock in [100, 150, 5000] {
        session.position(&format!("fen 8/8/8/4k3/8/8/Q7/K7 w - - {clock} 180"));
        let answer = session.go("go depth 5");
        // The referee accepts no clock beyond 100; the legal moves do not depend on it.
        let referee = Referee::new("fen 8/8/8/4k3/8/8/Q7/K7 w - - 0 1", false);
        assert!(referee.is_legal(&answer.best));
        assert_eq!(answer.score(), "cp 0", "clock {clock}");
    }
    // Mate counts, on the hundredth ply and on the board.
    session.position("fen 7k/8/6K1/8/8/8/8/R7 w - - 99 180");
    assert_eq!(session.go("go depth 3").score(), "mate 1");
    for clock in [100, 150] {
        session.position(&format!("fen R6k/8/6K1/8/8/8/8/8 b - - {clock} 180"));
        let answer = session.go("go depth 3");
        assert_eq!(answer.lines, ["info depth 0 score mate 0"], "clock {clock}");
    }
}

/// Row 13.
#[test]
fn absurd_counters() {
    let mut session = Session::start();
    for (counters, meant) in [
        ("0 0", "0 1"),
        ("0", "0 1"),
        ("-5 -5", "0 1"),
        ("0 -1", "0 1"),
        ("0 65535", "0 65535"),
        ("0 65536", "0 65535"),
        ("0 99999999999999999999", "0 65535"),
        ("99999999999999999999 7", "10000 7"),
        ("x y", "0 1"),
        ("", "0 1"),
    ] {
        session.send(&format!("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - {counters}"));
        session.sync();
        let shown = shown_fen(&mut session);
        let expected = format!("4k3/8/8/8/8/8/4P3/4K3 w - - {meant}");
        assert_eq!(shown, expected, "{counters:?}");
        let answer = session.go("go depth 3");
        let referee = Referee::new("fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false);
        assert!(referee.is_legal(&answer.best), "{counters:?}: {}", answer.best);
    }
}

/// Row 14.
#[test]
fn illegal_move_in_the_list() {
    let mut session = Session::start();
    let error = refused(&mut session, "position startpos moves e2e4 e7e5 d1d8 g8f6");
    assert!(error.contains("d1d8") && error.contains("number 3 of 4"), "{error}");
    let error = refused(&mut session, "position fen 8/8/8/8/8/4k3/8/4K3 w - - 0 1 moves e1e2");
    assert!(error.contains("e1e2") && error.contains("number 1 of 1"), "{error}");
    for moves in ["e2e5", "e7e5", "e2e4q", "xyzzy", "e2", "0000", "e2e4 e2e4", "é2é4"] {
        refused(&mut session, &format!("position startpos moves {moves}"));
    }
    // As a person pastes them.
    session.position("startpos moves 1.e4 e5 2.Nf3");
    assert!(shown_fen(&mut session).starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/"));
    // Nothing of a refused command is applied.
    session.position("startpos moves e2e4");
    assert_ne!(session.go("go depth 1").best, "(none)");
}

#[test]
fn promotion_letters() {
    let mut session = Session::start();
    plays(&mut session, "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8n h7g7");
    refused(&mut session, "position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8");
    refused(&mut session, "position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8k");
}

/// Row 15: both forms of castling are accepted in both modes.
#[test]
fn castling_in_either_form() {
    let mut session = Session::start();
    let ready = "fen r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1 moves";
    for mode in ["false", "true"] {
        session.set("UCI_Chess960", mode);
        for (moves, board) in [
            (["e1g1", "e1h1"], "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 b kq"),
            (["e1c1", "e1a1"], "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/2KR3R b kq"),
            (["a2a3 e8g8", "a2a3 e8h8"], "r4rk1/pppppppp/8/8/8/P7/1PPPPPPP/R3K2R w KQ"),
            (["a2a3 e8c8", "a2a3 e8a8"], "2kr3r/pppppppp/8/8/8/P7/1PPPPPPP/R3K2R w KQ"),
        ] {
            for written in moves {
                session.position(&format!("{ready} {written}"));
                let fen = shown_fen(&mut session);
                assert!(fen.starts_with(board), "{written}: {fen}");
            }
        }
    }
}

/// Row 16: the form of castling in answers depends on the mode.
#[test]
fn castling_in_answers() {
    let mut session = Session::start();
    for (mode, fen, castle) in [
        ("true", "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1h1"),
        ("true", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1"),
        ("false", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
        ("false", "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1c1"),
        ("true", "rk2r3/8/8/8/8/8/8/RK6 b Aea - 0 1", "b8e8"),
        ("true", "rk2r3/8/8/8/8/8/8/1K1R4 b ea - 0 1", "b8a8"),
    ] {
        session.set("UCI_Chess960", mode);
        session.position(&format!("fen {fen}"));
        let answer = session.go(&format!("go depth 3 searchmoves {castle}"));
        assert_eq!(answer.best, castle, "{fen}");
        assert_eq!(answer.field("pv", 1), [castle], "{fen}");
    }
}

/// Row 16: the same form in lines of play; the referee accepts no other.
#[test]
fn castling_in_lines() {
    let mut session = Session::start();
    for (mode, castles) in [("false", ["e1g1", "e8g8"]), ("true", ["e1h1", "e8h8"])] {
        session.set("UCI_Chess960", mode);
        let mut seen = 0;
        for position in [
            "startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 d2d3 g8f6",
            "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 d2d3 f8c5 c2c3",
            "startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7",
            "startpos moves d2d4 g8f6 g1f3 e7e6 e2e3 f8e7 f1d3",
        ] {
            session.position(position);
            let answer = session.go("go depth 8");
            check_answer(position, mode == "true", &answer);
            for info in answer.infos() {
                seen += info.pv.iter().skip(1).filter(|m| castles.contains(m)).count();
            }
        }
        assert!(seen > 0, "no line with castling");
    }
}

/// Moves of knights there and back, with a pawn move before the fifty-move rule applies.
fn long_game(plies: usize) -> Vec<&'static str> {
    const SHUFFLE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];
    const PAWNS: [&str; 28] = [
        "a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6", "e2e3", "e7e6", "g2g3",
        "g7g6", "h2h3", "h7h6", "a3a4", "a6a5", "b3b4", "b6b5", "c3c4", "c6c5", "d3d4", "d6d5",
        "e3e4", "e6e5", "g3g4", "g6g5", "h3h4", "h6h5",
    ];
    let pairs = PAWNS.chunks(2).flat_map(|pair| SHUFFLE.iter().cycle().take(96).chain(pair));
    let shuffles = SHUFFLE.iter().cycle();
    pairs.chain(shuffles).take(plies).copied().collect()
}

/// Row 17: games of any length are accepted.
#[test]
fn long_games() {
    let mut session = Session::start();
    for plies in [600, 1200, 3000] {
        for game in [long_game(plies), long_game(plies - 1)] {
            let arguments = format!("startpos moves {}", game.join(" "));
            checked_go(&mut session, &arguments, "go depth 4");
        }
    }
}

/// Row 17: repetition over the whole game. The kings walk in circles of three
/// and seven steps, so that no position comes back within forty-two plies, and
/// each has been there three times after twice as many.
#[test]
fn repetition_far_back() {
    const WHITE: [&str; 3] = ["e1d1", "d1d2", "d2e1"];
    const BLACK: [&str; 7] = ["e8d8", "d8c8", "c8b7", "b7c7", "c7d7", "d7e7", "e7e8"];
    let walk = WHITE.iter().cycle().zip(BLACK.iter().cycle()).flat_map(|(w, b)| [*w, *b]);
    let walk: Vec<&str> = walk.take(84).collect();
    let mut session = Session::start();
    for setup in [
        "fen 4k3/8/8/8/8/7P/6PP/4K3 w - - 0 1 moves",
        "fen 4k3/8/8/8/8/8/6PP/5K2 w - - 0 1 moves h2h3 e8f8 f1e1 f8e8",
    ] {
        for (plies, drawn) in [(42, false), (82, false), (84, true)] {
            let arguments = format!("{setup} {}", walk[..plies].join(" "));
            session.send("ucinewgame");
            session.position(&arguments);
            let answer = session.go("go depth 6");
            assert_eq!(answer.score() == "cp 0", drawn, "{arguments}: {answer:#?}");
        }
    }
}

/// Row 18.
#[test]
fn threefold_at_the_root() {
    let mut session = Session::start();
    let game = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let answer = plays(&mut session, game);
    assert_eq!(answer.score(), "cp 0");
    // However well one side stands.
    let answer = plays(
        &mut session,
        "fen 7k/8/8/8/8/8/8/K2Q4 b - - 0 1 \
         moves h8g8 a1b1 g8h8 b1a1 h8g8 a1b1 g8h8 b1a1",
    );
    assert_eq!(answer.score(), "cp 0");
}
