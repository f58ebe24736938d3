//! Games that are over, and searches with nothing to search.

use std::thread;
use std::time::Duration;

use lovec::search;

use crate::referee::{Referee, check_answer, checked_go};
use crate::session::Session;

const CHECKMATED: &str = "startpos moves f2f3 e7e5 g2g4 d8h4";
const STALEMATED: &str = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const MAX_DEPTH: i64 = search::MAX_DEPTH as i64;
const BARE_KINGS: &str = "fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1";

/// Rows 19 and 20.
#[test]
fn no_move_at_the_root() {
    let mut session = Session::start();
    for (position, line) in
        [(CHECKMATED, "info depth 0 score mate 0"), (STALEMATED, "info depth 0 score cp 0")]
    {
        session.position(position);
        for command in [
            "go depth 5",
            "go movetime 1000",
            "go wtime 1000 btime 1000",
            "go nodes 9",
            "go mate 2",
            "go depth 5 searchmoves",
        ] {
            let answer = session.go(command);
            assert_eq!(answer.lines, [line], "{command}");
            assert_eq!(answer.best, "(none)");
            assert_eq!(answer.ponder, None);
        }
    }
}

/// Row 21: an endless search of a finished game is silent until it is released.
#[test]
fn no_move_at_the_root_of_an_endless_search() {
    let mut session = Session::start();
    for (position, line) in
        [(CHECKMATED, "info depth 0 score mate 0"), (STALEMATED, "info depth 0 score cp 0")]
    {
        for (command, release) in [
            ("go infinite", "stop"),
            ("go", "stop"),
            ("go ponder wtime 1000 btime 1000", "stop"),
            ("go ponder wtime 1000 btime 1000", "ponderhit"),
            ("go ponder depth 5", "ponderhit"),
        ] {
            session.position(position);
            session.send(command);
            session.expect_none_within("", Duration::from_millis(50));
            expect_idle(&mut session);
            session.send(release);
            let answer = session.answer();
            assert_eq!((answer.best.as_str(), answer.lines), ("(none)", vec![line.to_owned()]));
            session.expect_silence();
        }
    }
}

/// Row 21: so is one with nothing to search, whatever the reason. Its move comes after the
/// release, and nothing after it.
#[test]
fn an_endless_search_of_nothing() {
    let mut session = Session::start();
    for (position, moves, notice) in [
        (
            "startpos",
            " searchmoves e2e5",
            "go: searchmoves: no legal move: e2e5; nothing to search",
        ),
        ("startpos moves e2e4", " searchmoves e2e4 x", "e2e4 x; nothing to search"),
        ("startpos moves e2e5", " searchmoves e2e4", "no position is set"),
    ] {
        for (command, release) in [
            ("go infinite", "stop"),
            ("go", "stop"),
            ("go infinite wtime 100 btime 100", "stop"),
            ("go ponder", "stop"),
            ("go ponder wtime 1000 btime 1000", "stop"),
            ("go ponder wtime 1000 btime 1000", "ponderhit"),
            ("go ponder depth 5", "ponderhit"),
            ("go ponder movetime 5", "ponderhit"),
        ] {
            session.send(&format!("position {position}"));
            session.sync();
            session.send(&format!("{command}{moves}"));
            let lines = session.sync();
            assert!(matches!(&lines[..], [line] if line.contains(notice)), "{command}: {lines:?}");
            session.expect_none_within("", Duration::from_millis(20));
            session.send(release);
            let answer = session.answer();
            assert_eq!((answer.best.as_str(), answer.lines.len()), ("(none)", 0), "{command}");
            session.expect_silence();
        }
    }
    // The next search is an ordinary one.
    checked_go(&mut session, "startpos", "go depth 2");
}

/// Fails unless the process is idle.
#[cfg(target_os = "linux")]
fn expect_idle(session: &mut Session) {
    let before = session.processor_ticks();
    thread::sleep(Duration::from_millis(100));
    let used = session.processor_ticks() - before;
    assert!(used <= 3, "{used} of 10 hundredths of a second");
}

#[cfg(not(target_os = "linux"))]
fn expect_idle(_: &mut Session) {
    thread::sleep(Duration::from_millis(200));
}

/// Row 22.
#[test]
fn bare_kings() {
    let mut session = Session::start();
    let answer = checked_go(&mut session, BARE_KINGS, "go depth 1000");
    // Every move ends the game.
    assert_eq!((answer.score().as_str(), answer.number("depth")), ("cp 0", 1));

    session.send("go infinite");
    session.expect("info depth 1 ");
    session.expect_none_within("bestmove", Duration::from_millis(200));
    expect_idle(&mut session);
    session.send("stop");
    assert!(Referee::new(BARE_KINGS, false).is_legal(&session.answer().best));
}

/// Row 23.
#[test]
fn depths_out_of_range() {
    let mut session = Session::start();
    session.position("startpos");
    for command in ["go depth 0", "go depth -5", "go depth 1"] {
        let answer = session.go(command);
        check_answer("startpos", false, &answer);
        assert_eq!(answer.number("depth"), 1, "{command}");
    }
    session.position(BARE_KINGS);
    for depth in [100_000, 127, 128, 255, 256] {
        let answer = session.go(&format!("go depth {depth}"));
        check_answer(BARE_KINGS, false, &answer);
        assert_eq!(answer.number("depth"), 1, "{depth}");
        assert_eq!(answer.has_notice_of("depth"), depth > MAX_DEPTH, "{depth}: {answer:?}");
    }
}

#[test]
fn idle_before_the_first_command() {
    let mut session = Session::start();
    session.sync();
    expect_idle(&mut session);
}
