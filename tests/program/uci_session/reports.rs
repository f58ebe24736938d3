//! Reports during a search and before its move.

use std::thread;
use std::time::{Duration, Instant};

use crate::referee::{Referee, check_answer, checked_go};
use crate::session::Session;
use crate::uci_session::KIWIPETE;

const ROOK_ENDING: &str = "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const POSITIONS: [&str; 4] = [
    "startpos",
    KIWIPETE,
    ROOK_ENDING,
    // A mate is near.
    "fen r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
];

/// A search that ends anywhere, even between two multi-PV lines, ends with a report of all
/// lines in order. Node limits, exact on one thread, reproduce the place.
#[test]
fn the_last_report_of_a_search_of_any_nodes() {
    let mut session = Session::start();
    for lines in [1, 3, 5] {
        session.set("MultiPV", &lines.to_string());
        for position in POSITIONS {
            for nodes in (1..=6).map(|step| 3_709 * step) {
                session.send("ucinewgame");
                let answer = checked_go(&mut session, position, &format!("go nodes {nodes}"));
                // The first iteration is finished in any case, and where mate is near
                // the last one may be as well.
                let whole = answer.number("depth") == 1 || answer.score().starts_with("mate ");
                assert!(answer.number("nodes") == nodes || whole, "{nodes}: {answer:#?}");
                assert!(answer.has_line("info depth 1 "), "{position}");
            }
        }
    }
}

#[test]
fn the_last_report_of_a_stopped_search() {
    let mut session = Session::start();
    for lines in ["1", "4"] {
        session.set("MultiPV", lines);
        for position in POSITIONS {
            for milliseconds in [0, 1, 3, 10, 30, 90] {
                session.position(position);
                session.send("go infinite");
                thread::sleep(Duration::from_millis(milliseconds));
                session.send("stop");
                check_answer(position, false, &session.answer());
                session.expect_silence();
            }
        }
    }
}

#[test]
fn the_last_report_of_a_timed_search() {
    let mut session = Session::start();
    session.set("MultiPV", "2");
    for position in POSITIONS {
        for command in ["go wtime 900 btime 900", "go movetime 40"] {
            checked_go(&mut session, position, command);
        }
        session.send("go ponder wtime 900 btime 900");
        thread::sleep(Duration::from_millis(50));
        session.send("ponderhit");
        check_answer(position, false, &session.answer());
        session.expect_silence();
    }
}

#[test]
fn several_lines() {
    let mut session = Session::start();
    session.set("MultiPV", "4");
    let answer = checked_go(&mut session, KIWIPETE, "go depth 6");
    for depth in 1..=6 {
        for line in 1..=4 {
            let mut infos = answer.infos().into_iter();
            let reported = infos.any(|info| (info.depth, info.multipv) == (depth, Some(line)));
            assert!(reported, "no line {line} of depth {depth} in {answer:#?}");
        }
    }

    // More lines than there are moves.
    session.set("MultiPV", "256");
    for (position, moves) in [("fen 7k/8/8/8/7p/p7/1r5P/K7 w - - 0 1", 1), ("startpos", 20)] {
        let answer = checked_go(&mut session, position, "go depth 4");
        assert!(answer.has_line("info depth 4 "));
        assert!(answer.contains(&format!(" multipv {moves} ")));
        let more = format!(" multipv {} ", moves + 1);
        assert!(!answer.contains(&more), "{answer:#?}");
    }
}

/// Where no game ends, the selective depth is at least the depth.
#[test]
fn the_selective_depth_is_at_least_the_depth() {
    let mut session = Session::start();
    for position in ["startpos", KIWIPETE] {
        session.send("ucinewgame");
        session.position(position);
        for info in session.go("go depth 9").infos() {
            assert!(info.seldepth >= Some(info.depth), "{info:?}");
        }
    }
}

/// A search is no deeper than the game can last, however many iterations are asked for.
#[test]
fn the_depth_is_one_that_was_searched() {
    let mut session = Session::start();
    session.set("SyzygyProbeLimit", "0");
    for (fen, most) in [
        // Mates in one.
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("k7/7R/1K6/8/8/8/8/8 w - - 0 1", 1),
        ("r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", 1),
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
        // Every move draws.
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", 1),
        ("8/8/4k3/8/8/3K1B2/8/8 b - - 0 1", 1),
        ("8/8/4k3/8/2N5/3K4/8/8 w - - 0 1", 1),
        ("8/5k2/8/8/8/3KR3/8/8 w - - 99 90", 1),
        ("8/8/4k3/8/8/3K4/6n1/7B b - - 99 90", 1),
    ] {
        session.send("ucinewgame");
        session.position(&format!("fen {fen}"));
        for command in ["go depth 100", "go nodes 200000", "go movetime 100", "go mate 40"] {
            let answer = session.go(command);
            assert!(answer.number("depth") <= most, "{fen}: {command}: {}", answer.last());
        }
    }
}

/// What the rules or the tables decide is certain.
#[test]
fn certain_results_have_certain_probabilities() {
    let mut session = Session::start();
    session.set("UCI_ShowWDL", "true");
    const WON: [&str; 3] = ["1000", "0", "0"];
    const DRAWN: [&str; 3] = ["0", "1000", "0"];
    const LOST: [&str; 3] = ["0", "0", "1000"];
    for (position, expected) in [
        // No side can mate.
        ("fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1", DRAWN),
        ("fen 8/8/4k3/8/8/3K4/8/8 b - - 30 60", DRAWN),
        ("fen 8/8/4k3/8/8/3K1B2/8/8 w - - 0 1", DRAWN),
        ("fen 8/8/4k3/8/2n5/3K4/8/8 b - - 0 1", DRAWN),
        ("fen 8/8/4k2b/8/8/3KB3/8/8 b - - 0 1", DRAWN),
        // The last piece is taken.
        ("fen 8/8/4k3/8/8/4r3/3K4/8 w - - 0 1", DRAWN),
        ("fen 7k/8/8/8/8/8/6q1/7K w - - 0 1", DRAWN),
        // The fifty-move rule and repetition.
        ("fen 8/5k2/8/8/8/3KR3/8/8 w - - 99 90", DRAWN),
        ("fen 8/5k2/8/8/8/3KR3/8/8 w - - 150 90", DRAWN),
        ("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", DRAWN),
        // King and pawn against king, by the tables of the program.
        ("fen 8/8/8/3k4/3p4/3K4/8/8 w - - 0 1", DRAWN),
        ("fen k7/8/P7/8/8/3K4/8/8 w - - 0 1", DRAWN),
        ("fen 8/5k2/8/8/8/8/2PK4/8 w - - 0 1", WON),
        ("fen 8/8/8/8/3K4/8/8/kq6 w - - 0 1", LOST),
        ("fen 8/5k2/8/8/8/3KR3/8/8 w - - 0 1", WON),
        // Too late to mate.
        ("fen 8/5k2/8/8/8/3KR3/8/8 w - - 90 90", DRAWN),
        // Mates.
        ("fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", WON),
        ("startpos moves f2f3 e7e5 g2g4", WON),
        ("fen 7k/8/5K2/8/8/8/6R1/8 b - - 0 1", LOST),
    ] {
        session.send("ucinewgame");
        session.position(position);
        let answer = session.go("go depth 8");
        assert_eq!(answer.field("wdl", 3), expected, "{position}: {}", answer.last());
    }
}

/// `currmove` comes neither in the first three seconds nor after the end.
#[test]
fn the_current_move_after_three_seconds() {
    let mut session = Session::start();
    session.position(KIWIPETE);
    let start = Instant::now();
    session.send("go infinite");
    let mut lines = Vec::new();
    let mut first = None;
    while first.is_none() && start.elapsed() < Duration::from_secs(30) {
        if let Some(line) = session.line_within(Duration::from_secs(1)) {
            if line.contains(" currmove ") {
                first = Some((start.elapsed(), line.clone()));
            }
            lines.push(line);
        }
    }
    let (elapsed, line) = first.expect("no currmove in thirty seconds");
    assert!(elapsed > Duration::from_millis(2900), "{line:?} after {elapsed:?}");
    let words: Vec<&str> = line.split(' ').collect();
    let ["info", "depth", depth, "currmove", m, "currmovenumber", number] = words[..] else {
        panic!("{line:?}");
    };
    assert!(depth.parse::<u8>().is_ok_and(|depth| depth > 1), "{line:?}");
    assert!(Referee::new(KIWIPETE, false).is_legal(m), "{line:?}");
    assert!(number.parse::<u8>().is_ok_and(|number| (1..=48).contains(&number)), "{line:?}");
    session.send("stop");
    let mut answer = session.answer();
    answer.lines.splice(0..0, lines);
    check_answer(KIWIPETE, false, &answer);
    session.expect_silence();
}

/// Mates in one, two and three moves, for either side.
const MATES: [(u8, &str); 6] = [
    (1, "fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"),
    (1, "fen r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1"),
    (2, "fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1"),
    (2, "fen 6r1/8/8/8/8/5k2/8/7K b - - 0 1"),
    (3, "fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"),
    (3, "fen 7k/7p/8/8/4b3/5r2/5P1P/R5RK b - - 0 1"),
];

/// `go mate` reports the whole line to the mate.
#[test]
fn go_mate_proves_a_mate() {
    let mut session = Session::start();
    for (moves, position) in MATES {
        for limit in moves..=5 {
            session.send("ucinewgame");
            let answer = checked_go(&mut session, position, &format!("go mate {limit}"));
            let found: u8 = answer.score().strip_prefix("mate ").unwrap().parse().unwrap();
            assert!((moves..=limit).contains(&found), "mate {found} of {limit} in {position}");
            assert!(!answer.last().contains("bound"), "{:?}", answer.last());
        }
        // An ordinary search finds it too, at its true distance.
        session.position(position);
        assert_eq!(session.go("go depth 12").score(), format!("mate {moves}"), "{position}");
    }
}

/// Row 30: the search ends once a short mate is refuted, or at `stop`, without a mate score.
#[test]
fn go_mate_without_a_mate() {
    let mut session = Session::start();
    let blocked = "fen 4k3/8/p1p1p3/P1P1P3/8/8/8/4K3 w - - 0 1";
    let too_far = MATES[2].1;
    for (position, command) in
        [(blocked, "go mate 1"), (blocked, "go mate 3"), (too_far, "go mate 1")]
    {
        let answer = checked_go(&mut session, position, command);
        assert_ne!(answer.score(), "mate 1", "{command} in {position}");
    }
    session.position(KIWIPETE);
    for moves in 1..=3 {
        let answer = session.go(&format!("go mate {moves}"));
        check_answer(KIWIPETE, false, &answer);
        assert!(!answer.score().starts_with("mate"), "{answer:?}");
        // A line of its own tells the nodes of the refutation.
        let [.., line, last] = &answer.lines[..] else { panic!("{answer:?}") };
        let without_nodes = |line: &str| line.split(" nodes ").next().unwrap().to_owned();
        assert_eq!(without_nodes(line), without_nodes(last), "{answer:?}");
    }
    session.send("go mate 30");
    let answer = session.answer_or_stop_after(Duration::from_millis(300));
    check_answer(KIWIPETE, false, &answer);
    session.expect_silence();
}

/// The user asks why.
#[test]
fn a_move_is_explained() {
    let mut session = Session::start();
    session.allow_drawings();
    session.position("startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6");
    session.send("explain h5f7");
    let lines = session.until("Best: 4.Qxf7#");
    assert_eq!(lines[0], "4.Qxf7# is the best move.", "{lines:#?}");
    assert!(lines.iter().any(|line| line == "It is checkmate."), "{lines:#?}");
    // With the line of each reason.
    session.position("startpos moves e2e4 e7e5 d1h5");
    session.send("explain b8c6");
    let lines = session.until("Threat: 3.Qxe5+ ");
    assert!(lines.iter().any(|line| line.starts_with("White threatens 3.Qxe5+")), "{lines:#?}");
    session.position("startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6");
    session.send("explain h5f8");
    session.send("isready");
    let lines = session.until("readyok");
    assert!(lines[0].contains("explain: ") && lines[0].contains("h5f8"), "{lines:#?}");
}

/// A draw by rule ends it too, as on the command line.
#[test]
fn a_game_that_is_over_is_not_explained() {
    let mut session = Session::start();
    session.allow_drawings();
    for position in [
        "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "fen 8/8/8/8/8/8/8/K1k5 w - - 0 1",
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    ] {
        session.position(position);
        session.send("explain");
        assert_eq!(session.until("The game is over."), ["The game is over."]);
        session.expect_silence();
    }
    session.position("startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6");
    session.send("explain 4.Qxf7#");
    session.until("Best: 4.Qxf7#");
}

#[test]
fn reasons_come_before_the_best_move_if_the_option_is_set() {
    let mut session = Session::start();
    let mate = "startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6";
    let reason = "info string It is checkmate.";
    let without = checked_go(&mut session, mate, "go depth 4");
    assert!(!without.has_line("info string"), "{without:#?}");
    session.set("Explain Move", "true");
    let with = checked_go(&mut session, mate, "go depth 4");
    assert!(with.has_line(reason), "{with:#?}");
}

/// Clients show the latest line of each number together, so the lines of an iteration are
/// reported together too: a new line among older ones could begin with the move of
/// another one. The search is long enough for reports of bounds, which a search of one
/// line makes.
#[test]
fn several_lines_are_reported_together() {
    let lines = 10;
    let mut session = Session::start();
    session.set("MultiPV", &lines.to_string());
    let answer = checked_go(&mut session, KIWIPETE, "go movetime 4000");
    let numbers: Vec<_> = answer.infos().iter().map(|info| info.multipv.unwrap()).collect();
    assert!(!numbers.is_empty());
    for (number, expected) in numbers.iter().zip((1..=lines).cycle()) {
        assert_eq!(*number, expected, "{numbers:?}");
    }
    assert_eq!(numbers.last(), Some(&lines));
}
