//! `go`: every parameter, sensible or not.

use std::time::{Duration, Instant};

use crate::referee::Referee;
use crate::session::{Answer, Session, best_of};

const KIWIPETE: &str = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const BACK_RANK_MATE: &str = "fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

/// A legal move and an info line with a score.
fn check(position: &str, answer: &Answer) {
    let referee = Referee::new(position, false);
    assert!(referee.is_legal(&answer.best), "{} in {position}", answer.best);
    referee.check_info(answer.last());
    assert_eq!(answer.field("pv", 1), [answer.best.as_str()], "{:?}", answer.last());
}

/// Sends `go` in a session with this position and checks the answer.
fn go(session: &mut Session, position: &str, command: &str) -> Answer {
    session.position(position);
    let answer = session.go(command);
    check(position, &answer);
    answer
}

#[test]
fn few_nodes() {
    let mut session = Session::start();
    for position in ["startpos", KIWIPETE] {
        for command in ["go nodes 0", "go nodes 1", "go nodes 2", "go nodes -7"] {
            go(&mut session, position, command);
        }
    }
    session.quit();
}

/// On one thread a node limit is exact once depth 1 is complete.
#[test]
fn node_limits_are_exact() {
    let mut session = Session::start();
    for limit in [1000, 4321, 20_000] {
        let answer = go(&mut session, KIWIPETE, &format!("go nodes {limit}"));
        let nodes = answer.number("nodes");
        assert!(nodes <= limit, "{nodes} nodes of {limit}");
    }
    session.quit();
}

/// Measured with the position already set; `go` and its answer alone.
fn time_of(session: &mut Session, command: &str) -> Duration {
    let start = Instant::now();
    session.send(command);
    session.answer();
    let elapsed = start.elapsed();
    session.expect_silence();
    elapsed
}

#[test]
fn no_time_at_all() {
    let mut session = Session::start();
    for position in ["startpos", KIWIPETE, "startpos moves e2e4"] {
        for command in [
            "go movetime 0",
            "go movetime -1",
            "go movetime 1",
            "go wtime -100 btime -100",
            "go wtime 0 btime 0",
            "go wtime 0 btime 0 winc 0 binc 0",
            "go wtime 1 btime 1",
            "go wtime 1 btime 1 movestogo 40",
            "go wtime -99999 btime -99999 winc -5 binc -5",
        ] {
            go(&mut session, position, command);
            let quickest = best_of(5, || time_of(&mut session, command));
            assert!(quickest < Duration::from_millis(100), "{command} took {quickest:?}");
        }
    }
    session.quit();
}

#[test]
fn one_clock_only() {
    let mut session = Session::start();
    for position in ["startpos", "startpos moves e2e4"] {
        for command in ["go wtime 100", "go btime 100", "go winc 10", "go wtime 1", "go btime 1"] {
            let start = Instant::now();
            go(&mut session, position, command);
            assert!(start.elapsed() < Duration::from_secs(20), "{command} in {position}");
        }
    }
    session.quit();
}

/// A value that cannot be read is not an invitation to search for ever.
#[test]
fn unreadable_values() {
    let mut session = Session::start();
    for command in [
        "go depth abc",
        "go depth",
        "go wtime",
        "go wtime btime",
        "go nodes x",
        "go movetime",
        "go movetime soon",
        "go wtime abc btime 100",
        "go mate x",
    ] {
        session.position("startpos");
        session.send(command);
        let answer = session.answer_within(Duration::from_secs(30));
        assert!(answer.said("info string"), "{command}: nothing was said of it");
        check("startpos", &answer);
        session.expect_silence();
    }
    session.quit();
}

#[test]
fn values_of_twenty_digits() {
    let mut session = Session::start();
    let huge = "99999999999999999999";
    session.position("fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1");
    session.go(&format!("go depth {huge}"));
    for name in ["nodes", "movetime", "mate", "wtime", "depth"] {
        session.position("startpos");
        session.send(&format!("go {name} {huge} btime 1000"));
        check("startpos", &session.answer_or_stop_after(Duration::from_millis(30)));
        session.expect_silence();
    }
    session.quit();
}

#[test]
fn nothing_after_go() {
    let mut session = Session::start();
    session.position("startpos");
    for command in ["go", "go infinite", "go infinite infinite", "go ponder", "go infinite depth 2"]
    {
        session.send(command);
        session.expect_none_within("bestmove", Duration::from_millis(250));
        session.send("stop");
        check_move(&session.answer(), "startpos");
        session.expect_silence();
    }
    session.quit();
}

fn check_move(answer: &Answer, position: &str) {
    assert!(Referee::new(position, false).is_legal(&answer.best), "{answer:?}");
}

#[test]
fn unknown_parameters() {
    let mut session = Session::start();
    go(&mut session, "startpos", "go quickly depth 2");
    go(&mut session, "startpos", "go depth 2 please");
    go(&mut session, "startpos", "go depth 4 depth 2");
    session.quit();
}

#[test]
fn mates_that_are_there() {
    let mut session = Session::start();
    for (position, mate) in [
        (BACK_RANK_MATE, "mate 1"),
        ("fen 3k4/8/3K4/8/8/8/8/7R w - - 0 1", "mate 1"),
        ("fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "mate 2"),
    ] {
        let answer = go(&mut session, position, "go depth 8");
        assert_eq!(answer.score(), mate, "{position}");
    }
    let answer = go(&mut session, BACK_RANK_MATE, "go mate 1");
    assert_eq!(answer.score(), "mate 1");
    session.quit();
}

/// It may end when the mate is refuted, and must at `stop`.
#[test]
fn a_mate_that_is_not_there() {
    let mut session = Session::start();
    session.position("startpos");
    session.send("go mate 1");
    let answer = session.answer_or_stop_after(Duration::from_millis(300));
    check_move(&answer, "startpos");
    session.expect_silence();
    session.quit();
}

#[test]
fn moves_to_go() {
    let mut session = Session::start();
    for moves in ["0", "-1", "1", "2", "40", "1000"] {
        for milliseconds in [60, 300] {
            session.position(KIWIPETE);
            let command = format!("go wtime {milliseconds} btime {milliseconds} movestogo {moves}");
            let quickest = best_of(3, || time_of(&mut session, &command));
            assert!(quickest < Duration::from_millis(milliseconds), "{command} took {quickest:?}");
        }
    }
    session.quit();
}

#[test]
fn a_given_time_is_used_and_kept() {
    let mut session = Session::start();
    session.position(KIWIPETE);
    let quickest = best_of(3, || time_of(&mut session, "go movetime 200"));
    assert!(quickest > Duration::from_millis(120), "only {quickest:?} of 200 ms");
    assert!(quickest < Duration::from_millis(230), "{quickest:?} of 200 ms");
    session.quit();
}

#[test]
fn restricted_moves() {
    let mut session = Session::start();
    for command in [
        "go depth 3 searchmoves a2a3 h2h3",
        "go searchmoves a2a3 h2h3 depth 3",
        "go nodes 3000 searchmoves h2h3",
    ] {
        let answer = go(&mut session, "startpos", command);
        assert!(["a2a3", "h2h3"].contains(&answer.best.as_str()), "{command}: {}", answer.best);
    }
    // Illegal ones among them are left out, and said to be.
    for command in
        ["go searchmoves h2h3 e2e5 a2a3 depth 3", "go depth 3 searchmoves h7h6 h2h3 e2e4e5"]
    {
        session.position("startpos");
        let answer = session.go(command);
        check("startpos", &answer);
        assert!(answer.said("info string"), "{command}: nothing was said of it");
        assert!(["a2a3", "h2h3"].contains(&answer.best.as_str()), "{command}: {}", answer.best);
    }
    // None given is no restriction.
    go(&mut session, "startpos", "go depth 3 searchmoves");
    go(&mut session, "startpos", "go searchmoves depth 3");
    // The next search is free again.
    let answer = go(&mut session, BACK_RANK_MATE, "go depth 3 searchmoves e1d1");
    assert_eq!(answer.best, "e1d1");
    assert_eq!(go(&mut session, BACK_RANK_MATE, "go depth 3").best, "a1a8");
    session.quit();
}

#[test]
fn restricted_to_illegal_moves() {
    let mut session = Session::start();
    session.position("startpos");
    for command in ["go depth 3 searchmoves e2e5", "go searchmoves e7e5 e8e7 depth 3"] {
        assert_eq!(session.go(command).best, "(none)", "{command}");
    }
    go(&mut session, "startpos", "go depth 2");
    session.quit();
}

#[test]
fn several_lines() {
    let mut session = Session::start();
    session.set("MultiPV", "4");
    session.position(KIWIPETE);
    let answer = session.go("go depth 6");
    let referee = Referee::new(KIWIPETE, false);
    let deepest = answer.number("depth");
    let mut moves = Vec::new();
    for (index, line) in answer.scored().iter().rev().take(4).rev().enumerate() {
        referee.check_info(line);
        assert!(line.contains(&format!("depth {deepest} ")), "{line}");
        assert!(line.contains(&format!("multipv {} ", index + 1)), "{line}");
        moves.push(line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap().to_owned());
    }
    assert_eq!(answer.best, moves[0]);
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 4, "a move stands in two lines");

    // More lines than there are moves.
    session.set("MultiPV", "256");
    session.position("fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1");
    assert_eq!(session.go("go depth 4").best, "a1b2");
    session.quit();
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
        .filter(|(mv, _)| mv.len() == 4)
        .map(|(mv, nodes)| (mv, nodes.parse().unwrap()))
        .collect();
    assert_eq!(divided.len(), 20);
    assert_eq!(divided.iter().map(|(_, nodes)| nodes).sum::<u64>(), 8902);
    session.sync();

    session.position(KIWIPETE);
    session.send("go perft 1");
    let lines = session.until("Nodes searched");
    assert!(lines.iter().any(|line| line == "e1g1: 1"), "{lines:?}");
    session.quit();
}

/// `currmove` is for people who wait: not before three seconds.
#[test]
fn the_current_move_after_three_seconds() {
    let mut session = Session::start();
    session.position(KIWIPETE);
    let start = Instant::now();
    session.send("go infinite");
    let mut first = None;
    while first.is_none() && start.elapsed() < Duration::from_secs(30) {
        if let Some((instant, line)) = session.stamped_line_within(Duration::from_secs(1))
            && line.contains(" currmove ")
        {
            first = Some((instant.duration_since(start), line));
        }
    }
    let (elapsed, line) = first.expect("no currmove in thirty seconds");
    assert!(elapsed > Duration::from_millis(2900), "{line:?} after {elapsed:?}");
    assert!(line.starts_with("info depth ") && line.contains(" currmovenumber "), "{line:?}");
    session.send("stop");
    check_move(&session.answer(), KIWIPETE);
    session.quit();
}
