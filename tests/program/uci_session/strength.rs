//! `UCI_LimitStrength`, `UCI_Elo` and `UCI_AnalyseMode`: weaker play, but never
//! weaker analysis.

use std::collections::HashSet;
use std::time::Duration;

use crate::referee::Referee;
use crate::session::{Answer, Session};

/// The weakest level searches fewer nodes, a search of [`SEARCH`] at full strength more.
const FEW_NODES: i64 = 2_000;
const SEARCH: &str = "go nodes 20000";

/// An open position with many reasonable moves.
const OPEN: &str = "fen r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

fn weakest() -> Session {
    let mut session = Session::start();
    session.set("UCI_LimitStrength", "true");
    let (min, _) = bounds(&mut session);
    session.set("UCI_Elo", &min.to_string());
    session
}

/// The least and the greatest rating on offer.
fn bounds(session: &mut Session) -> (i64, i64) {
    let lines = session.uci();
    let line = lines.iter().find(|line| line.contains("name UCI_Elo ")).expect("no UCI_Elo");
    let number = |name: &str| {
        let mut words = line.split(' ').skip_while(|word| *word != name).skip(1);
        words.next().unwrap_or_else(|| panic!("no {name} in {line}")).parse().unwrap()
    };
    (number("min"), number("max"))
}

/// The last report begins with the move that is played.
fn check_played(answer: &Answer) {
    assert_eq!(answer.field("pv", 1), [answer.best.as_str()], "{answer:?}");
}

#[test]
fn the_scale_reaches_from_beginners_to_full_strength() {
    let mut session = Session::start();
    let (min, max) = bounds(&mut session);
    assert!(min <= 1000 && max >= 2800, "{min} to {max}");
    session.position("startpos");
    session.set("UCI_LimitStrength", "true");
    session.set("UCI_Elo", &max.to_string());
    assert!(session.go(SEARCH).number("nodes") > FEW_NODES);
    session.refused(&format!("setoption name UCI_Elo value {}", max + 1));
}

/// A weak level searches few nodes, varies, and plays the move that it reports.
#[test]
fn a_weak_level_searches_little_and_varies() {
    let mut session = weakest();
    session.position(OPEN);
    let mut played = HashSet::new();
    for _ in 0..30 {
        let answer = session.go(SEARCH);
        check_played(&answer);
        assert!(answer.number("nodes") < FEW_NODES, "{answer:?}");
        assert!(!answer.contains(" multipv 2 "), "{answer:?}");
        played.insert(answer.best);
    }
    assert!(played.len() > 1, "always {played:?}");
}

#[test]
fn analysis_is_at_full_strength() {
    let mut session = weakest();
    session.position(OPEN);
    // A weak search never gets so deep.
    session.send("go infinite");
    session.expect("info depth 10 ");
    session.send("stop");
    session.answer();
    session.position("fen 7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
    assert_eq!(session.go("go mate 5").score(), "mate 2");
    session.position(OPEN);
    session.set("UCI_AnalyseMode", "true");
    assert!(session.go(SEARCH).number("nodes") > FEW_NODES);
    session.set("UCI_AnalyseMode", "false");
    assert!(session.go(SEARCH).number("nodes") < FEW_NODES);
}

#[test]
fn other_limits_hold_too() {
    let mut session = weakest();
    session.position(OPEN);
    assert!(session.go("go depth 1").lines.iter().all(|line| !line.contains("info depth 2 ")));
    session.send("go ponder wtime 1000 btime 1000");
    session.expect_none_within("bestmove", Duration::from_millis(200));
    session.send("ponderhit");
    assert_ne!(session.answer().best, "(none)");
    session.position("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(session.go(SEARCH).best, "(none)");
}

/// A level wins with a queen or a rook against the bare king, and plays a mate in one.
#[test]
fn every_level_mates() {
    for level in [1000, 1250, 1450, 1800, 2200, 2400] {
        let mut session = Session::start();
        session.set("UCI_LimitStrength", "true");
        session.set("UCI_Elo", &level.to_string());
        for fen in [
            "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
            "8/8/8/4k3/8/8/Q7/1K6 w - - 0 1",
            "5r2/8/8/8/3K4/8/8/2k5 b - - 0 1",
        ] {
            let mut moves = String::new();
            let mut position = format!("fen {fen}");
            for ply in 0.. {
                assert!(ply < 60, "{level}: no mate in {fen}{moves}");
                session.position(&position);
                // The defence is of full strength, by the tables.
                let answer = if ply % 2 == 0 {
                    session.go("go wtime 9000 btime 9000")
                } else {
                    session.set("UCI_AnalyseMode", "true");
                    let answer = session.go("go nodes 2000");
                    session.set("UCI_AnalyseMode", "false");
                    answer
                };
                if answer.best == "(none)" {
                    break;
                }
                moves = format!("{moves} {}", answer.best);
                position = format!("fen {fen} moves{moves}");
            }
            assert!(Referee::new(&position, false).is_checkmate(), "{level}: {position}");
        }
        for fen in MATES_IN_ONE {
            session.position(&format!("fen {fen}"));
            let answer = session.go("go wtime 9000 btime 9000");
            assert_eq!(answer.score(), "mate 1", "{level}: {fen}: {answer:?}");
            check_played(&answer);
        }
    }
}

/// With several longer mates beside the one in one, and with a promotion.
const MATES_IN_ONE: [&str; 10] = [
    "k7/7R/1K6/8/8/8/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/1k6/7r/K7 b - - 0 1",
    "k7/8/K7/8/8/8/1QQ5/8 w - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "6rk/6pp/8/6N1/8/8/8/7K w - - 0 1",
    "k7/3P4/1K6/8/8/8/8/8 w - - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
];
