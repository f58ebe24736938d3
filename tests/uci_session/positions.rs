//! `position`: wholly applied or wholly refused.

use crate::referee::Referee;
use crate::session::Session;

/// Sends a command that must be refused with an error, after which there is no
/// position to search until a valid one comes.
fn refused(session: &mut Session, command: &str) -> String {
    session.send(command);
    let said = session.sync();
    let shown: String = command.chars().take(100).collect();
    let error = said.iter().find(|line| line.starts_with("info string error"));
    let error = error.unwrap_or_else(|| panic!("{shown:?} was answered {said:?}")).clone();
    assert_eq!(session.go("go depth 1").best, "(none)", "after {shown:?}");
    error
}

/// Searches the position of these arguments; the move must be legal.
fn plays(session: &mut Session, arguments: &str) -> crate::session::Answer {
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
    let said = session.sync();
    let is_fen = |word: &&str| word.matches('/').count() == 7;
    let line = said.iter().find(|line| line.split_whitespace().any(|word| is_fen(&word)));
    let line = line.unwrap_or_else(|| panic!("no FEN in {said:?}"));
    let start = line.split_whitespace().position(|word| is_fen(&word)).unwrap();
    line.split_whitespace().skip(start).take(6).collect::<Vec<_>>().join(" ")
}

#[test]
fn text_that_is_no_position() {
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
    session.quit();
}

#[test]
fn wrong_numbers_of_kings() {
    let mut session = Session::start();
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
        "k3k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        refused(&mut session, &format!("position fen {fen}"));
    }
    session.quit();
}

#[test]
fn king_that_could_be_taken() {
    let mut session = Session::start();
    for fen in [
        "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
        "4k3/8/8/8/8/8/3p4/4K3 b - - 0 1",
        "8/8/8/3kK3/8/8/8/8 w - - 0 1",
    ] {
        refused(&mut session, &format!("position fen {fen}"));
    }
    session.quit();
}

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
    session.position("fen 4k3/8/8/8/8/8/8/R3K2R w");
    assert_eq!(shown_fen(&mut session), "4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
    session.quit();
}

#[test]
fn moves_with_nothing_after_it() {
    let mut session = Session::start();
    session.position("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - moves");
    assert!(Referee::new("startpos", false).is_legal(&session.go("go depth 3").best));
    session.position("startpos moves");
    assert!(Referee::new("startpos", false).is_legal(&session.go("go depth 3").best));
    session.quit();
}

#[test]
fn castling_rights_without_their_pieces() {
    let mut session = Session::start();
    for (fen, repaired) in [
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1"),
        ("r3k3/8/8/8/8/8/8/4K2R b KQkq - 0 1", "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1"),
    ] {
        session.send(&format!("position fen {fen}"));
        let said = session.sync();
        // In Chess960 a king on d1 may castle, so the second one is sound there.
        if !fen.contains("R2K3R") {
            assert!(said.iter().any(|line| line.starts_with("info string")), "{fen}: {said:?}");
            assert_eq!(shown_fen(&mut session), repaired);
        }
        assert_ne!(session.go("go depth 3").best, "(none)");
    }
    session.quit();
}

#[test]
fn en_passant_squares_without_a_capture() {
    let mut session = Session::start();
    for (fen, dropped) in [
        // Nobody stands beside the pawn.
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
    session.quit();
}

#[test]
fn pawns_where_none_can_be() {
    let mut session = Session::start();
    for fen in ["4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/p3K3 w - - 0 1"] {
        refused(&mut session, &format!("position fen {fen}"));
    }
    session.quit();
}

#[test]
fn nine_queens_and_ten_knights() {
    let mut session = Session::start();
    plays(&mut session, "fen 6rk/6pp/8/8/QQQQQQQQ/Q7/8/K7 w - - 0 1");
    plays(&mut session, "fen 6rk/6pp/8/8/NNNNNNNN/NN6/8/K7 w - - 0 1");
    session.quit();
}

#[test]
fn more_men_than_there_are() {
    let mut session = Session::start();
    for fen in [
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/7k/K7 b - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/7p/6pk/K5br w - - 0 1",
        "4k3/8/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
        "NNNNNNNN/NNNNNNNN/8/8/7p/6pp/5ppk/K3bqrr w - - 0 1",
        "4k3/pppppppp/pppppppp/8/8/8/8/4K3 b - - 0 1",
    ] {
        session.send(&format!("position fen {fen}"));
        session.sync();
        session.go("go depth 1");
    }
    plays(&mut session, "startpos");
    session.quit();
}

#[test]
fn most_moves_of_all() {
    let mut session = Session::start();
    let fen = "fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    let answer = plays(&mut session, fen);
    assert_eq!(answer.score(), "mate 1");
    let mut referee = Referee::new(fen, false);
    referee.play(&answer.best);
    assert!(referee.is_checkmate());
    session.quit();
}

#[test]
fn clocks_at_and_past_the_fifty_move_rule() {
    let mut session = Session::start();
    for clock in [100, 150, 5000] {
        session.position(&format!("fen 8/8/8/4k3/8/8/Q7/K7 w - - {clock} 180"));
        let answer = session.go("go depth 5");
        // The referee knows no clock beyond 100, and the moves do not depend on it.
        let referee = Referee::new("fen 8/8/8/4k3/8/8/Q7/K7 w - - 0 1", false);
        assert!(referee.is_legal(&answer.best));
        assert_eq!(answer.score(), "cp 0", "clock {clock}");
    }
    // Mate on the hundredth ply counts.
    session.position("fen 7k/8/6K1/8/8/8/8/R7 w - - 99 180");
    assert_eq!(session.go("go depth 3").score(), "mate 1");
    session.quit();
}

#[test]
fn absurd_counters() {
    let mut session = Session::start();
    for counters in [
        "0 0",
        "0",
        "-5 -5",
        "0 -1",
        "0 65536",
        "99999999999999999999 99999999999999999999",
        "x y",
        "",
    ] {
        session.send(&format!("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - {counters}"));
        session.sync();
        let answer = session.go("go depth 3");
        let referee = Referee::new("fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false);
        assert!(referee.is_legal(&answer.best), "{counters:?}: {}", answer.best);
        let shown = shown_fen(&mut session);
        let number: u32 = shown.split(' ').nth(5).unwrap().parse().unwrap();
        assert!(number >= 1, "{counters:?}: {shown}");
    }
    session.quit();
}

#[test]
fn illegal_move_in_the_list() {
    let mut session = Session::start();
    let error = refused(&mut session, "position startpos moves e2e4 e7e5 d1d8 g8f6");
    assert!(error.contains("d1d8"), "{error}");
    let rest = error.replace("d1d8", "");
    assert!(rest.contains('2') || rest.contains('3'), "no index in {error:?}");
    for moves in ["e2e5", "e7e5", "e2e4q", "xyzzy", "e2", "0000", "e2e4 e2e4", "é2é4"] {
        refused(&mut session, &format!("position startpos moves {moves}"));
    }
    // Nothing of a refused command is applied.
    session.position("startpos moves e2e4");
    assert_ne!(session.go("go depth 1").best, "(none)");
    session.quit();
}

#[test]
fn promotion_letters() {
    let mut session = Session::start();
    plays(&mut session, "fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8n h7g7");
    refused(&mut session, "position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8");
    refused(&mut session, "position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8k");
    session.quit();
}

#[test]
fn castling_in_either_form() {
    let mut session = Session::start();
    let game = "startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";
    for castle in ["e1g1", "e1h1"] {
        session.position(&format!("{game} {castle}"));
        let fen = shown_fen(&mut session);
        assert!(fen.contains("/RNBQ1RK1 b kq"), "{castle}: {fen}");
    }
    session.quit();
}

/// What castling looks like in answers depends on the mode.
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
    session.quit();
}

#[test]
fn long_games() {
    let mut session = Session::start();
    for plies in [600, 1200, 3000] {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let moves: Vec<&str> = shuffle.iter().copied().cycle().take(plies).collect();
        session.position(&format!("startpos moves {}", moves.join(" ")));
        let answer = session.go("go depth 4");
        assert!(Referee::new("startpos", false).is_legal(&answer.best), "{}", answer.best);
    }
    session.quit();
}

/// Every Cute Chess game sends the whole list again before each move.
#[test]
fn growing_move_list() {
    let mut session = Session::start();
    let mut game = String::from("startpos moves");
    for ply in 0..120 {
        session.position(&game);
        let answer = session.go("go nodes 50");
        if answer.best == "(none)" {
            assert!(ply > 20, "the game ended after {ply} plies");
            break;
        }
        assert!(Referee::new(&game, false).is_legal(&answer.best));
        game = format!("{game} {}", answer.best);
    }
    session.quit();
}

#[test]
fn threefold_at_the_root() {
    let mut session = Session::start();
    let game = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let answer = plays(&mut session, game);
    assert_eq!(answer.score(), "cp 0");
    session.quit();
}
