//! Dialogues of fastchess, Cute Chess, Arena and others.

use std::time::Duration;

use crate::referee::{Referee, check_answer, checked_go};
use crate::session::{PATIENCE, Session};

const POSITIONS: [&str; 8] = [
    "startpos",
    "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    // Mates for either side.
    "fen 4k3/8/4K3/8/8/8/8/7R w - - 0 1",
    "fen 8/8/8/8/7k/5q2/8/7K w - - 0 1",
    "fen r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
];

/// The order of fastchess's start and of each of its moves.
#[test]
fn a_game_of_fastchess() {
    let mut session = Session::start();
    session.uci();
    session.set("Threads", "1");
    session.set("Hash", "16");
    session.send("ucinewgame");
    session.expect_silence();
    let mut game = String::from("startpos");
    for ply in 0..60 {
        session.expect_silence();
        session.position(&game);
        session.expect_silence();
        session.send("go wtime 1000 btime 1000 winc 10 binc 10 movestogo 400");
        let answer = session.answer();
        check_answer(&game, false, &answer);
        session.expect_silence();
        game.push_str(if ply == 0 { " moves " } else { " " });
        game.push_str(&answer.best);
        let mut referee = Referee::new(&game, false);
        if referee.is_over() {
            break;
        }
        // A fixed reply keeps the game from being decided by the search alone.
        let reply = referee.first_move();
        referee.play(&reply);
        game.push(' ');
        game.push_str(&reply);
        if referee.is_over() {
            break;
        }
    }
}

#[test]
fn every_line_is_sound() {
    let mut session = Session::start();
    for arguments in POSITIONS {
        for command in ["go depth 7", "go nodes 20000", "go movetime 50", "go wtime 100"] {
            checked_go(&mut session, arguments, command);
        }
    }
}

/// Near the fifty-move rule and a repetition, a line must end with the game.
#[test]
fn lines_end_with_the_game() {
    let mut session = Session::start();
    for arguments in [
        "fen 8/8/4k3/8/8/3K4/3R4/8 w - - 94 150",
        "fen 8/5k2/8/8/8/3K4/4Q3/8 w - - 97 150",
        "fen 6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1",
        "fen 6k1/8/8/8/8/8/1q6/4K2R w - - 0 1 moves h1h3 g8g7 h3h1 g7g8 h1h3 g8g7",
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1",
    ] {
        checked_go(&mut session, arguments, "go depth 9");
    }
}

#[test]
fn the_same_position_twice() {
    let mut session = Session::start();
    for arguments in POSITIONS {
        session.send("ucinewgame");
        session.position(arguments);
        for _ in 0..2 {
            check_answer(arguments, false, &session.go("go depth 5"));
        }
        check_answer(arguments, false, &session.go("go wtime 100 btime 100"));
    }
}

#[test]
fn chess960_lines() {
    let mut session = Session::start();
    session.uci();
    session.set("UCI_Chess960", "true");
    for fen in [
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        "1rk1r3/8/8/8/8/8/8/RK4R1 w GAeb - 0 1",
        "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 1",
        // White and Black began from different back ranks.
        "rnkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/BRQKRNNB w EBga - 0 1",
    ] {
        for command in ["go depth 6", "go movetime 50"] {
            let arguments = format!("fen {fen}");
            session.position(&arguments);
            check_answer(&arguments, true, &session.go(command));
        }
    }
}

/// lichess-bot rejects an engine that does not offer the options of its configuration, with
/// these values in their bounds.
#[test]
fn a_stock_configuration() {
    let mut session = Session::start();
    let options = session.uci();
    for (name, value) in [
        ("Move Overhead", "100"),
        ("Threads", "4"),
        ("Hash", "512"),
        ("SyzygyPath", "./syzygy/"),
        ("Ponder", "true"),
        ("UCI_Chess960", "false"),
        ("UCI_ShowWDL", "true"),
    ] {
        let start = format!("option name {name} type ");
        let option = options.iter().find_map(|line| line.strip_prefix(&start));
        let option = option.unwrap_or_else(|| panic!("no option {name} in {options:#?}"));
        if let Some((_, max)) = option.split_once(" max ") {
            let (value, max): (u32, u32) = (value.parse().unwrap(), max.parse().unwrap());
            assert!(value <= max, "{option}");
        }
        session.send(&format!("setoption name {name} value {value}"));
        let replies = session.sync();
        // Only the missing tables are an error.
        let errors = replies.iter().filter(|line| line.contains("error"));
        assert_eq!(errors.count(), usize::from(name == "SyzygyPath"), "{name}: {replies:?}");
    }
    checked_go(&mut session, "startpos", "go depth 4");
}

/// Arena sends `xboard` first. Nothing may come before the answer to `uci`.
#[test]
fn the_first_words() {
    let mut session = Session::start();
    session.send("xboard\nuci");
    let first = session.line_within(PATIENCE).expect("an answer");
    assert!(first.starts_with("id name Lovec"), "{first:?}");
    session.until("uciok");
    session.sync();
}

/// Shredder sends no counters and no moves after `moves`, and a new game after
/// each position that it analyses.
#[test]
fn an_analysis_of_shredder() {
    let mut session = Session::start();
    session.uci();
    for arguments in POSITIONS {
        let Some(fen) = arguments.strip_prefix("fen ") else { continue };
        let four: Vec<&str> = fen.split(' ').take(4).collect();
        session.send("ucinewgame");
        session.position(&format!("fen {} moves", four.join(" ")));
        session.send("go infinite");
        session.expect_none_within("bestmove", Duration::from_millis(50));
        session.send("stop");
        check_answer(arguments, false, &session.answer());
        session.expect_silence();
    }
}

/// Scid sends `stop` and `isready` together when the opponent does not play the move that was
/// pondered on, and takes the first `bestmove` after `readyok` for its next move.
#[test]
fn a_stopped_search_answers_before_it_is_ready() {
    let mut session = Session::start();
    session.set("MultiPV", "40");
    session.set("Explain Move", "true");
    for go in ["go ponder movetime 1000", "go infinite", "go depth 60"] {
        for position in POSITIONS {
            session.position(position);
            session.send(go);
            std::thread::sleep(Duration::from_millis(10));
            session.send("stop");
            let lines = session.sync();
            let answered = lines.iter().any(|line| line.starts_with("bestmove "));
            assert!(answered, "ready before the answer to {go} in {position}: {lines:#?}");
            session.expect_silence();
        }
    }
}
