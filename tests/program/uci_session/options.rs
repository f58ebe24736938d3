//! `setoption`: the options, and invalid values.

use crate::session::Session;

/// The `option` lines of the answer to `uci`.
fn offered(session: &mut Session) -> Vec<String> {
    let lines = session.uci();
    let (last, block) = lines.split_last().unwrap();
    assert_eq!(last, "uciok");
    assert!(block[0].starts_with("id name Lovec"), "{block:?}");
    assert!(block[1].starts_with("id author "), "{block:?}");
    let options: Vec<String> =
        block[2..].iter().filter(|line| line.starts_with("option name ")).cloned().collect();
    assert_eq!(options.len() + 2, block.len(), "other lines in {block:?}");
    options
}

#[test]
fn the_expected_options_are_offered() {
    let mut session = Session::start();
    let options = offered(&mut session);
    for expected in [
        "option name Hash type spin default 16 min 1 max 1048576",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Clear Hash type button",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name OwnBook type check default false",
        "option name BookFile type string default <empty>",
        "option name Best Book Move type check default false",
        "option name Explain Move type check default false",
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name Syzygy50MoveRule type check default true",
        "option name EgtbPath type string default <empty>",
        "option name Debug Log File type string default <empty>",
    ] {
        assert!(options.iter().any(|line| line == expected), "no {expected:?} in {options:#?}");
    }
}

/// Every option takes its own default, and every spin its two bounds.
#[test]
fn defaults_and_bounds_are_accepted() {
    let mut session = Session::start();
    for option in offered(&mut session) {
        let (name, kind) =
            option.strip_prefix("option name ").unwrap().split_once(" type ").unwrap();
        let words: Vec<&str> = kind.split(' ').collect();
        let after = |word: &str| {
            words.iter().position(|other| *other == word).map(|place| words[place + 1])
        };
        match words[0] {
            "button" => session.send(&format!("setoption name {name}")),
            // The largest hash may not fit; a table of the smallest does.
            "spin" if name == "Hash" => session.set(name, after("min").unwrap()),
            // A thousand threads take gigabytes.
            "spin" if name == "Threads" => session.set(name, after("default").unwrap()),
            "spin" => {
                let bounds: Vec<i64> = ["min", "max", "default"]
                    .iter()
                    .map(|word| after(word).unwrap().parse().unwrap())
                    .collect();
                for value in bounds {
                    session.set(name, &value.to_string());
                }
            }
            "check" => {
                session.set(name, "true");
                session.set(name, "false");
            }
            "string" => session.set(name, after("default").unwrap()),
            other => panic!("an option of type {other}: {option}"),
        }
        session.expect_silence();
    }
    session.position("startpos");
    assert_ne!(session.go("go depth 3").best, "(none)");
}

const SHOWN_WDL: [&str; 6] = [
    "startpos",
    // Better for the side to move, worse, winning, losing.
    "fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 0 5",
    "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
    "fen 4k3/8/4K3/8/8/8/8/7R w - - 0 1",
    "fen 4k3/8/4K3/8/8/8/8/7R b - - 0 1",
    "fen 8/5ppk/7p/3P4/8/6P1/5PKP/8 b - - 0 1",
];

#[test]
fn probabilities_are_shown_on_request() {
    let mut session = Session::start();
    for arguments in SHOWN_WDL {
        session.position(arguments);
        let plain = session.go("go depth 6");
        assert!(!plain.contains(" wdl "), "{plain:?}");
        session.set("UCI_ShowWDL", "true");
        session.send("ucinewgame");
        for info in session.go("go depth 6").infos() {
            let (score, [win, draw, loss]) = (info.score.unwrap(), info.wdl.unwrap());
            assert_eq!(win + draw + loss, 1000, "{arguments}: {info:?}");
            match (score.is_mate, score.value.signum()) {
                (true, 1) => assert_eq!([win, draw, loss], [1000, 0, 0]),
                (true, _) => assert_eq!([win, draw, loss], [0, 0, 1000]),
                (_, 0) => assert_eq!(win, loss, "{arguments}: {info:?}"),
                (_, 1) => assert!(win >= loss, "{arguments}: {info:?}"),
                _ => assert!(win <= loss, "{arguments}: {info:?}"),
            }
        }
        session.set("UCI_ShowWDL", "false");
        session.send("ucinewgame");
    }
}

#[test]
fn probabilities_when_the_game_is_over() {
    let mut session = Session::start();
    session.set("UCI_ShowWDL", "true");
    for (arguments, expected) in [
        ("fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "info depth 0 score mate 0 wdl 0 0 1000"),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0 wdl 0 1000 0"),
    ] {
        session.position(arguments);
        assert_eq!(session.go("go depth 5").last(), expected);
    }
}

/// Rows 40 and 42, and what else is out of bounds.
#[test]
fn bad_values() {
    let mut session = Session::start();
    for name in ["Hash", "Threads", "MultiPV"] {
        for value in ["0", "-5", "-1", "abc", "", "99999999999", "1.5", "99999999999999999999999"] {
            session.refused(&format!("setoption name {name} value {value}"));
        }
    }
    session.refused("setoption name Threads value 100000");
    session.refused("setoption name Move Overhead value -1");
    session.refused("setoption name Move Overhead value 5001");
    session.refused("setoption name UCI_Chess960 value maybe");
    session.refused("setoption name Ponder value");
    session.refused("setoption name Ponder");
    session.refused("setoption name Hash");
    session.position("startpos");
    assert_ne!(session.go("go depth 3").best, "(none)");
}

/// A refused value leaves the old one: two lines stay two lines.
#[test]
fn a_refused_value_leaves_the_old_one() {
    let mut session = Session::start();
    session.set("MultiPV", "2");
    session.refused("setoption name MultiPV value 0");
    session.refused("setoption name MultiPV value 257");
    session.position("startpos");
    let answer = session.go("go depth 3");
    assert!(answer.contains(" multipv 2 "));
    assert!(!answer.contains(" multipv 3 "));
}

/// Row 43.
#[test]
fn malformed_commands() {
    let mut session = Session::start();
    for command in [
        "setoption",
        "setoption name",
        "setoption value 3",
        "setoption name No Such Option value 3",
        "setoption name No Such Option",
        "setoption name value 3",
        "setoption Hash 16",
    ] {
        session.refused(command);
    }
    // A refused button does nothing: the tables are still filled.
    session.position("startpos");
    let first = session.go("go depth 7").number("nodes");
    session.refused("setoption name Clear Hash value true");
    assert_ne!(session.go("go depth 7").number("nodes"), first);
    session.send("setoption name Clear Hash");
    assert_eq!(session.go("go depth 7").number("nodes"), first);
}
