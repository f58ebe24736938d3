//! `UCI_LimitStrength`, `UCI_Elo` and `UCI_AnalyseMode`: weaker play, but never
//! weaker analysis.

use std::collections::HashSet;
use std::time::Duration;

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
    session.send("uci");
    let lines = session.until("uciok");
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
    session.send(&format!("setoption name UCI_Elo value {}", max + 1));
    assert!(session.sync().iter().any(|line| line.starts_with("info string error")));
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
fn the_weakest_level_still_mates_in_one() {
    let mut session = weakest();
    session.position("fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    for _ in 0..20 {
        let answer = session.go("go wtime 1000 btime 1000");
        assert_eq!((answer.best.as_str(), answer.score().as_str()), ("a1a8", "mate 1"));
    }
}

/// The last reports have the requested number of lines, with the played move first.
#[test]
fn a_weak_level_shows_several_lines() {
    let mut session = weakest();
    session.set("MultiPV", "3");
    session.position(OPEN);
    for _ in 0..10 {
        let answer = session.go(SEARCH);
        for line in 1..=3 {
            assert!(answer.contains(&format!(" multipv {line} ")));
        }
        assert!(!answer.contains(" multipv 4 "), "{answer:?}");
        let first = answer.scored().into_iter().rfind(|text| text.contains(" multipv 1 ")).unwrap();
        assert!(first.contains(&format!(" pv {}", answer.best)), "{answer:?}");
    }
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
