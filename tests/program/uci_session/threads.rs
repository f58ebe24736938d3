//! Commands that arrive during a search. How soon they are answered is measured by
//! `benches/latency.rs`.

use std::time::Duration;

use crate::referee::{Referee, check_answer, checked_go};
use crate::session::Session;
use crate::uci_session::KIWIPETE;

/// Long enough for an endless search to be well under way.
const A_WHILE: Duration = Duration::from_millis(100);

fn is_legal(position: &str, text: &str) -> bool {
    Referee::new(position, false).is_legal(text)
}

/// A session that is searching without end.
fn searching() -> Session {
    let mut session = Session::start();
    session.position(KIWIPETE);
    session.send("go infinite");
    session.expect_of_search("info depth 6 ");
    session
}

#[test]
fn stop_right_after_go() {
    let mut session = Session::start();
    session.position(KIWIPETE);
    for _ in 0..50 {
        session.send("go infinite\nstop");
        assert!(is_legal(KIWIPETE, &session.answer().best));
    }
    session.expect_silence();
}

/// Row 38: `quit` abandons every search, the end of the input those without a fixed limit.
#[test]
fn quit_while_searching() {
    for (search, last) in [
        ("go infinite", "quit"),
        ("go depth 100", "quit"),
        ("go movetime 9000000", "quit"),
        ("go wtime 9000000 btime 9000000", "quit"),
        ("go ponder wtime 1000 btime 1000", "quit"),
        ("go infinite", ""),
        ("go wtime 9000000 btime 9000000", ""),
        ("go ponder depth 3", ""),
    ] {
        let mut session = Session::start();
        session.position(KIWIPETE);
        session.send(search);
        session.expect("info depth 3 ");
        session.try_send(last);
        session.close_input();
        session.finish();
    }
}

/// Searches with a fixed limit are finished after the end of the input.
#[test]
fn end_of_input_during_a_bounded_search() {
    let mate = "fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1";
    for (position, command) in [
        ("startpos", "go depth 6"),
        ("startpos", "go nodes 20000"),
        ("startpos", "go movetime 200"),
        (mate, "go mate 2"),
        ("startpos", "go depth 6\ngo depth 4"),
    ] {
        let mut session = Session::start();
        session.send(&format!("position {position}\n{command}"));
        session.close_input();
        let lines = session.finish();
        let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, command.lines().count(), "{command:?}: {lines:?}");
        assert!(lines.last().unwrap().starts_with("bestmove "), "{command:?}: {lines:?}");
        let depth = command.lines().last().unwrap().strip_prefix("go depth ");
        let finished = depth.is_none_or(|depth| {
            lines.iter().rev().any(|line| line.starts_with(&format!("info depth {depth} ")))
        });
        assert!(finished, "{command:?}: {lines:?}");
    }
}

#[test]
fn end_of_input_when_idle() {
    let mut session = Session::start();
    session.close_input();
    assert!(session.finish().is_empty());
}

/// Row 33.
#[test]
fn stop_and_ponderhit_without_a_search() {
    for command in ["stop", "stop\nstop", "ponderhit", "ponderhit\nponderhit"] {
        let mut session = Session::start();
        session.send(command);
        session.expect_silence();
        // It affects neither the first search nor the next one.
        assert_eq!(session.go("go depth 5").number("depth"), 5, "{command:?}");
        session.send(command);
        session.expect_silence();
        assert_eq!(session.go("go depth 6").number("depth"), 6, "{command:?}");
    }
    // A search that does not ponder ignores `ponderhit`.
    let mut session = Session::start();
    session.send("go infinite");
    session.send("ponderhit");
    session.send("ponderhit");
    session.expect_none_within("bestmove", A_WHILE);
    session.send("stop\nstop");
    check_answer("startpos", false, &session.answer());
    session.expect_silence();
}

/// Row 34.
#[test]
fn go_during_a_bounded_search() {
    let mut session = Session::start();
    session.position("startpos");
    session.send("go depth 7\ngo depth 3");
    let first = session.answer();
    let second = session.answer();
    assert_eq!(first.number("depth"), 7);
    assert_eq!(second.number("depth"), 3);
    for answer in [first, second] {
        check_answer("startpos", false, &answer);
    }
    session.expect_silence();
}

/// Row 34.
#[test]
fn go_during_an_endless_search() {
    let mut session = searching();
    session.send("go depth 3");
    assert!(is_legal(KIWIPETE, &session.answer().best));
    assert_eq!(session.answer().number("depth"), 3);
    session.send("go ponder\ngo depth 2\ngo infinite\ngo depth 1");
    for _ in 0..4 {
        assert!(is_legal(KIWIPETE, &session.answer().best));
    }
    session.expect_silence();
}

/// Row 35.
#[test]
fn position_during_a_search() {
    let mut session = searching();
    session.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    session.expect_ready_during_search();
    session.send("stop");
    check_answer(KIWIPETE, false, &session.answer());
    assert_eq!(session.go("go depth 3").best, "a1a8");

    // Nor does a refused position affect it.
    session.position(KIWIPETE);
    session.send("go infinite");
    session.send("position startpos moves e2e5");
    session.expect_ready_during_search();
    session.send("stop");
    let answer = session.answer();
    assert!(answer.has_line("info string error: "), "{answer:?}");
    check_answer(KIWIPETE, false, &answer);
    assert_eq!(session.go("go depth 3").best, "(none)");

    // Each of two searches that wait keeps its position.
    session.send("position startpos\ngo depth 6\nposition startpos moves e2e4\ngo depth 5");
    session.send(&format!("position {KIWIPETE}"));
    check_answer("startpos", false, &session.answer());
    check_answer("startpos moves e2e4", false, &session.answer());
    session.expect_silence();
}

/// Rows 36 and 37.
#[test]
fn options_and_new_game_during_a_search() {
    for command in [
        "setoption name Threads value 2",
        "setoption name Hash value 0",
        "setoption name UCI_Chess960 value true",
        "setoption name Hash value 64",
        "setoption name Clear Hash",
        "ucinewgame",
        "setoption name MultiPV value 2",
        "setoption name Move Overhead value 20",
    ] {
        let mut session = searching();
        session.send(command);
        session.expect_ready_during_search();
        session.send("stop");
        let answer = session.answer();
        check_answer(KIWIPETE, false, &answer);
        assert!(!answer.contains(" multipv 2 "), "{command}");
        session.expect_silence();
        session.position(KIWIPETE);
        let chess960 = command.contains("Chess960");
        check_answer(KIWIPETE, chess960, &session.go("go depth 5"));
    }
}

/// Row 37: a new game does not affect the running search, and clears the tables for the
/// next one.
#[test]
fn new_game_during_a_search() {
    let mut session = Session::start();
    session.position(KIWIPETE);
    let alone = session.go("go depth 8").number("nodes");
    assert_ne!(session.go("go depth 8").number("nodes"), alone, "the tables have no effect");
    session.send("go infinite");
    session.send(&["ucinewgame"; 3].join("\n"));
    session.expect_none_within("bestmove", A_WHILE);
    session.send("stop");
    check_answer(KIWIPETE, false, &session.answer());
    assert_eq!(session.go("go depth 8").number("nodes"), alone);
}

/// Row 39: a ponder search that has reached its limit is not answered before `ponderhit`
/// or `stop`.
#[test]
fn pondering_waits() {
    let mut session = Session::start();
    for position in ["startpos", "fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"] {
        for command in [
            "go ponder depth 3",
            "go ponder nodes 500",
            "go ponder movetime 20",
            "go ponder mate 1",
            "go ponder wtime 100 btime 100",
            "go ponder wtime 1 btime 1 depth 2",
        ] {
            for release in ["ponderhit", "stop"] {
                session.position(position);
                session.send(command);
                session.expect_none_within("bestmove", Duration::from_millis(40));
                session.send(release);
                let answer = session.answer();
                check_answer(position, false, &answer);
                session.send("ponderhit");
                session.expect_silence();
            }
        }
    }
}

/// Row 39.
#[test]
fn pondering_to_the_last_depth() {
    let mut session = Session::start();
    let position = "fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1";
    for release in ["ponderhit", "stop"] {
        session.position(position);
        session.send("go ponder wtime 60000 btime 60000");
        session.expect("info depth 1 ");
        while session.line_within(A_WHILE).is_some() {}
        session.send(release);
        assert!(is_legal(position, &session.answer().best));
        session.expect_silence();
    }
}

/// Row 47.
#[test]
fn perft_is_interrupted() {
    for command in ["perft 6", "go perft 6"] {
        let mut session = Session::start();
        session.position(KIWIPETE);
        session.send(command);
        session.expect_none_within("Nodes searched", A_WHILE);
        session.expect_silence();
        session.send("stop");
        assert!(session.expect("info string").contains("stopped"));
        session.expect_silence();
        session.send("position startpos");
        check_answer("startpos", false, &session.go("go depth 3"));
        session.position(KIWIPETE);
        session.send(command);
        session.sync();
    }
}

/// Every number of threads gives sound answers, from one search to the next.
#[test]
fn any_number_of_threads() {
    let mut session = Session::start();
    for threads in ["2", "5", "64", "1", "3"] {
        session.set("Threads", threads);
        for command in [
            "go depth 7",
            "go nodes 30000",
            "go movetime 50",
            "go wtime 500 btime 500 winc 5 binc 5",
            "go mate 2 depth 6",
            "go depth 1",
        ] {
            checked_go(&mut session, KIWIPETE, command);
        }
        session.set("MultiPV", "3");
        check_answer(KIWIPETE, false, &session.go("go nodes 50000"));
        session.set("MultiPV", "1");
        session.send("ucinewgame");
    }
}
