//! EPD and perft suites.

use lovec::chess::Move;
use lovec::chess::notation::epd::{self, Epd, EpdError, PerftEntry};
use lovec::chess::notation::fen::FenError;
use lovec::chess::notation::uci;

use crate::notation::{STANDARD, WAC};

#[test]
fn every_solution_of_a_suite_is_a_legal_move() {
    let mut ids = Vec::new();
    for (_, line) in epd::lines(WAC) {
        let epd: Epd = line.parse().unwrap();
        assert!(!epd.best_moves().unwrap().is_empty(), "{line}");
        assert!(epd.avoid_moves().unwrap().is_empty());
        ids.push(epd.id().unwrap().to_owned());
    }
    assert_eq!(ids.len(), 300);
    assert_eq!(ids[0], "WAC.001");
}

#[test]
fn operations_have_words_and_quoted_texts() {
    let line = r#"r1bqk2r/p2p1ppp/2n2n2/1p2p1B1/1b2P3/2N2N2/PPP1BPPP/R2QK2R w KQkq - 3 9 bm Bxf6 O-O; am a3;c0 "O-O=10, Bxf6=7, a3=2"; id "one; two";; acd 12"#;
    let epd: Epd = line.parse().unwrap();
    assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (3, 9));
    assert_eq!(epd.id(), Some("one; two"));
    assert_eq!(epd.operands("acd"), Some(&["12".to_owned()][..]));
    assert_eq!(epd.operations.len(), 5);
    let names = |moves: Vec<Move>| -> Vec<String> {
        moves.into_iter().map(|m| uci::format_move(m, false)).collect()
    };
    assert_eq!(names(epd.best_moves().unwrap()), ["g5f6", "e1g1"]);
    assert_eq!(names(epd.avoid_moves().unwrap()), ["a2a3"]);
    let points: Vec<u32> = epd.points().unwrap().into_iter().map(|(_, points)| points).collect();
    assert_eq!(points, [10, 7, 2]);
}

#[test]
fn a_quoted_text_may_have_quotation_marks() {
    let epd: Epd = r#"8/8/8/8/8/8/8/K1k5 w - - id "12\\ \"board\""; bm Ka2;"#.parse().unwrap();
    assert_eq!((epd.id(), epd.operations.len()), (Some(r#"12\ "board""#), 2));
}

#[test]
fn counters_stand_before_the_operations_or_among_them() {
    for (rest, counters) in [
        ("", (0, 1)),
        ("bm Ka2; hmvc 98; fmvn 120;", (98, 120)),
        ("fmvn 120;", (0, 120)),
        ("hmvc 98;", (98, 1)),
        ("3 9 hmvc 98; fmvn 120;", (3, 9)),
        ("3 fmvn 120;", (3, 120)),
        ("hmvc; fmvn x;", (0, 1)),
    ] {
        let epd: Epd = format!("8/8/8/8/8/8/8/K1k5 w - - {rest}").parse().unwrap();
        let position = &epd.position;
        assert_eq!((position.halfmove_clock(), position.fullmove_number()), counters, "{rest}");
    }
}

#[test]
fn mates_stand_alone_or_among_the_best_moves() {
    for (operations, mate, moves) in [
        ("dm 12;", Some(12), 0),
        ("bm #3; PV: a1a2;", Some(3), 0),
        ("bm #-3;", Some(-3), 0),
        ("bm Ka2 #4;", Some(4), 1),
        ("bm Ka2; dm 5;", Some(5), 1),
        ("bm Ka2+;", None, 1),
    ] {
        let epd: Epd = format!("8/8/8/8/8/8/8/K1k5 w - - {operations}").parse().unwrap();
        assert_eq!((epd.mate(), epd.best_moves().unwrap().len()), (Ok(mate), moves));
    }
}

#[test]
fn points_survive_promotions_and_other_comments() {
    let board = "8/P6k/8/8/8/8/8/K7 w - -";
    let points = |comment: &str| -> Result<usize, EpdError> {
        let epd: Epd = format!("{board} c0 \"{comment}\";").parse()?;
        Ok(epd.points()?.len())
    };
    assert_eq!(points("a8=Q=10, a8=R=3"), Ok(2));
    assert_eq!(points("a fine position"), Ok(0));
    assert_eq!(points(""), Ok(0));
    assert!(matches!(points("Nf3=10"), Err(EpdError::Move { .. })));
}

#[test]
fn perft_lines_hold_depths_and_counts() {
    let entry: PerftEntry = STANDARD.lines().next().unwrap().parse().unwrap();
    assert_eq!(entry.counts[..3], [(1, 20), (2, 400), (3, 8902)]);
    let entry: PerftEntry = "8/8/8/8/8/8/8/K1k5 w - -;D2 4".parse().unwrap();
    assert_eq!(entry.counts, [(2, 4)]);
}

#[test]
fn bad_lines_are_errors() {
    let board = "8/8/8/8/8/8/8/K1k5 w - -";
    let epd = |rest: &str| format!("{board} {rest}").parse::<Epd>();
    let perft = |rest: &str| format!("{board} {rest}").parse::<PerftEntry>();
    assert!(matches!("".parse::<Epd>(), Err(EpdError::Fen(FenError::Empty))));
    assert!(matches!("; bm e4".parse::<Epd>(), Err(EpdError::Fen(FenError::Empty))));
    assert!(matches!(epd("id \"open"), Err(EpdError::OpenQuotation { .. })));
    assert!(matches!(epd(&"a;".repeat(40_000)), Err(EpdError::TooLong { .. })));
    let named = epd("id \"x\" \"y\"; bm Ka2; id \"z\";").unwrap().with_name_alone();
    assert_eq!((named.operations.len(), named.id()), (1, Some("x")));
    assert!(matches!(epd("bm e4;").unwrap().best_moves(), Err(EpdError::Move { .. })));
    for mate in ["dm;", "dm soon;", "dm 0;", "bm #;", "bm Ka2 #x;"] {
        assert!(matches!(epd(mate).unwrap().mate(), Err(EpdError::Mate { .. })), "{mate}");
    }
    assert!(matches!(perft(";D1 many"), Err(EpdError::NodeCount { .. })));
    assert!(matches!(perft(";D1"), Err(EpdError::NodeCount { .. })));
    assert!(matches!(perft(";D33 1"), Err(EpdError::Depth { .. })));
    assert!(matches!(perft("id \"x\";"), Err(EpdError::NoNodeCounts)));
}

#[test]
fn comments_and_empty_lines_are_skipped() {
    let text = "# a comment\r\n\r\n  first  \n\tsecond\n#last";
    assert_eq!(epd::lines(text).collect::<Vec<_>>(), [(3, "first"), (4, "second")]);
}
