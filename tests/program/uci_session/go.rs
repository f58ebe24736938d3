//! `go`: every parameter, valid or not.

use std::time::{Duration, Instant};

use crate::referee::{check_answer, checked_go};
use crate::session::{Answer, Session};
use crate::uci_session::KIWIPETE;

const BACK_RANK_MATE: &str = "fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

/// Row 24: the search ends after its first iteration, which is always finished.
#[test]
fn few_nodes() {
    let mut session = Session::start();
    for position in ["startpos", KIWIPETE] {
        for command in ["go nodes 0", "go nodes 1", "go nodes 2", "go nodes -7"] {
            let answer = checked_go(&mut session, position, command);
            assert_eq!(answer.number("depth"), 1, "{command}");
        }
    }
}

/// Rows 25, 26 and 27: a single clock is the mover's, of either colour.
#[test]
fn little_time_or_one_clock() {
    let mut session = Session::start();
    for position in ["startpos", KIWIPETE, "startpos moves e2e4"] {
        for command in [
            "go movetime 0",
            "go movetime -1",
            "go movetime 1",
            "go wtime -100 btime -100",
            "go wtime 0 btime 0",
            "go wtime 0 btime 0 winc 0 binc 0",
            "go wtime 1",
            "go btime 1",
            "go wtime 1 btime 1",
            "go wtime 1 btime 1 movestogo 40",
            "go wtime -99999 btime -99999 winc -5 binc -5",
            "go wtime 100",
            "go btime 100",
            "go winc 10",
            "go wtime 100 winc 10",
        ] {
            checked_go(&mut session, position, command);
        }
    }
}

/// Row 28: an invalid limit does not cause an endless search.
#[test]
fn unreadable_values() {
    let mut session = Session::start();
    for (command, culprits) in [
        ("go depth abc", &["depth", "abc"][..]),
        ("go depth", &["depth"]),
        ("go wtime", &["wtime"]),
        ("go wtime btime", &["wtime", "btime"]),
        ("go nodes x", &["nodes", "x"]),
        ("go nodes 1e6", &["nodes", "1e6"]),
        ("go movetime", &["movetime"]),
        ("go movetime soon", &["movetime", "soon"]),
        ("go wtime abc btime 100", &["wtime", "abc"]),
        ("go movestogo many wtime 100 btime 100", &["movestogo", "many"]),
        ("go mate x", &["mate", "x"]),
    ] {
        session.position("startpos");
        session.send(command);
        let answer = session.answer();
        for culprit in culprits {
            assert!(answer.has_notice_of(culprit), "{command}: no notice of {culprit}");
        }
        check_answer("startpos", false, &answer);
        session.expect_silence();
    }
}

/// Row 28: a number that is too large is clamped, with a notice.
#[test]
fn values_of_twenty_digits() {
    let mut session = Session::start();
    let huge = "99999999999999999999";
    let bare_kings = "fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1";
    let answer = checked_go(&mut session, bare_kings, &format!("go depth {huge}"));
    assert!(answer.has_notice_of("depth"), "{answer:?}");
    for name in ["nodes", "movetime", "mate", "wtime", "winc", "movestogo", "depth"] {
        for number in [huge.to_owned(), format!("-{huge}")] {
            session.position("startpos");
            session.send(&format!("go {name} {number} btime 1000"));
            let answer = session.answer_or_stop_after(Duration::from_millis(30));
            check_answer("startpos", false, &answer);
            assert!(answer.has_notice_of(name), "no notice of {name} {number}");
            session.expect_silence();
        }
    }
}

/// Row 29: `go` alone is `go infinite`.
#[test]
fn nothing_after_go() {
    let mut session = Session::start();
    session.position("startpos");
    for command in ["go", "go infinite", "go infinite infinite", "go ponder", "go infinite depth 2"]
    {
        session.send(command);
        session.expect_none_within("bestmove", Duration::from_millis(100));
        session.send("stop");
        check_answer("startpos", false, &session.answer());
        session.expect_silence();
    }
}

#[test]
fn unknown_parameters() {
    let mut session = Session::start();
    checked_go(&mut session, "startpos", "go quickly depth 2");
    checked_go(&mut session, "startpos", "go depth 2 please");
    checked_go(&mut session, "startpos", "go depth 4 depth 2");
}

/// Row 31. That no move takes longer than the clock is proved by the tests of the time
/// management; here every search ends by itself.
#[test]
fn moves_to_go() {
    let mut session = Session::start();
    for moves in ["0", "-1", "1", "2", "40", "1000"] {
        for milliseconds in [30, 300] {
            let command = format!("go wtime {milliseconds} btime {milliseconds} movestogo {moves}");
            checked_go(&mut session, KIWIPETE, &command);
        }
    }
}

#[test]
fn a_given_time_is_used() {
    let mut session = Session::start();
    session.position(KIWIPETE);
    let start = Instant::now();
    session.send("go movetime 200");
    session.answer();
    assert!(start.elapsed() > Duration::from_millis(120), "{:?} of 200 ms", start.elapsed());
}

/// Whether every line begins with one of these moves.
fn all_lines_begin_with(moves: &[&str], answer: &Answer) -> bool {
    answer.infos().iter().all(|info| moves.contains(&info.pv[0]))
}

/// Row 32.
#[test]
fn restricted_moves() {
    let mut session = Session::start();
    for lines in ["1", "3"] {
        session.set("MultiPV", lines);
        for command in [
            "go depth 3 searchmoves a2a3 h2h3",
            "go searchmoves a2a3 h2h3 depth 3",
            "go wtime 100 searchmoves a2a3 h2h3 btime 100",
            "go searchmoves a2a3 depth 3 searchmoves h2h3",
            "go nodes 3000 searchmoves h2h3",
            "go depth 3 searchmoves a3 h2h3",
        ] {
            let answer = checked_go(&mut session, "startpos", command);
            assert!(all_lines_begin_with(&["a2a3", "h2h3"], &answer), "{command}: {answer:#?}");
            assert!(!answer.has_line("info string"), "{command}: {answer:#?}");
        }
        // Illegal moves among them are ignored, with a notice.
        for (command, illegal) in [
            ("go searchmoves h2h3 e2e5 a2a3 depth 3", "e2e5"),
            ("go depth 3 searchmoves h7h6 h2h3 e2e4e5", "h7h6"),
            ("go depth 3 searchmoves h2h3 nonsense a2a3", "nonsense"),
        ] {
            let answer = checked_go(&mut session, "startpos", command);
            assert!(answer.has_notice_of(illegal), "{command}: no notice of {illegal}");
            assert!(all_lines_begin_with(&["a2a3", "h2h3"], &answer), "{command}: {answer:#?}");
        }
    }
    session.set("MultiPV", "256");
    // No move is no restriction.
    for command in ["go depth 3 searchmoves", "go searchmoves depth 3"] {
        let answer = checked_go(&mut session, "startpos", command);
        assert!(answer.contains(" multipv 20 "), "{command}");
    }
    session.set("MultiPV", "1");
    // The next search is not restricted.
    let answer = checked_go(&mut session, BACK_RANK_MATE, "go depth 3 searchmoves e1d1");
    assert_eq!(answer.best, "e1d1");
    assert_eq!(checked_go(&mut session, BACK_RANK_MATE, "go depth 3").best, "a1a8");
}

/// Row 32.
#[test]
fn restricted_to_illegal_moves() {
    let mut session = Session::start();
    session.position("startpos");
    for command in [
        "go depth 3 searchmoves e2e5",
        "go searchmoves e7e5 e8e7 depth 3",
        "go nodes 9 searchmoves x",
    ] {
        let answer = session.go(command);
        assert_eq!(answer.best, "(none)", "{command}");
        assert!(answer.contains("; nothing to search"), "{command}: {answer:?}");
    }
    checked_go(&mut session, "startpos", "go depth 2");
}

#[test]
fn perft_over_the_protocol() {
    let mut session = Session::start();
    session.position("startpos");
    session.send("go perft 3");
    let lines = session.until("Nodes searched");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 8902");
    let divided: Vec<(&str, u64)> = lines
        .iter()
        .filter_map(|line| line.split_once(": "))
        .filter(|(m, _)| m.len() == 4)
        .map(|(m, nodes)| (m, nodes.parse().unwrap()))
        .collect();
    assert_eq!(divided.len(), 20);
    assert_eq!(divided.iter().map(|(_, nodes)| nodes).sum::<u64>(), 8902);
    session.sync();

    session.position(KIWIPETE);
    session.send("go perft 1");
    let lines = session.until("Nodes searched");
    assert!(lines.iter().any(|line| line == "e1g1: 1"), "{lines:?}");
}
