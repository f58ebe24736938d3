//! `setoption`: what is offered, what is refused, and that a refusal is said.

use crate::session::Session;

/// The `option` lines of the answer to `uci`.
fn offered(session: &mut Session) -> Vec<String> {
    session.send("uci");
    let lines = session.until("uciok");
    let (last, block) = lines.split_last().unwrap();
    assert_eq!(last, "uciok");
    assert!(block[0].starts_with("id name Lovec"), "{block:?}");
    assert!(block[1].starts_with("id author "), "{block:?}");
    let options: Vec<String> =
        block[2..].iter().filter(|line| line.starts_with("option name ")).cloned().collect();
    assert_eq!(options.len() + 2, block.len(), "something else stands in {block:?}");
    options
}

#[test]
fn the_options_that_clients_know() {
    let mut session = Session::start();
    let options = offered(&mut session);
    for expected in [
        "option name Hash type spin default 16 min 1 max 1048576",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Clear Hash type button",
        "option name UCI_Chess960 type check default false",
    ] {
        assert!(options.iter().any(|line| line == expected), "no {expected:?} in {options:#?}");
    }
    let threads = options.iter().find(|line| line.starts_with("option name Threads "));
    let threads = threads.expect("no Threads");
    assert!(threads.starts_with("option name Threads type spin default 1 min 1 max "), "{threads}");
    session.quit();
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
            // More threads than there is use for may be commented upon.
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
            "string" => session.set(name, after("default").unwrap_or("<empty>")),
            other => panic!("an option of type {other}: {option}"),
        }
        session.expect_silence();
    }
    session.position("startpos");
    assert_ne!(session.go("go depth 3").best, "(none)");
    session.quit();
}

/// Sends what must be refused in words, and leave the engine as it was.
fn refused(session: &mut Session, command: &str) {
    session.send(command);
    let said = session.sync();
    assert!(said.iter().any(|line| line.starts_with("info string")), "{command}: {said:?}");
    assert!(said.iter().all(|line| line.starts_with("info string")), "{command}: {said:?}");
}

#[test]
fn bad_values() {
    let mut session = Session::start();
    for name in ["Hash", "Threads", "MultiPV"] {
        for value in ["0", "-5", "-1", "abc", "", "99999999999", "1.5", "99999999999999999999999"] {
            refused(&mut session, &format!("setoption name {name} value {value}"));
        }
    }
    refused(&mut session, "setoption name Threads value 100000");
    refused(&mut session, "setoption name Move Overhead value -1");
    refused(&mut session, "setoption name Move Overhead value 5001");
    refused(&mut session, "setoption name UCI_Chess960 value maybe");
    refused(&mut session, "setoption name Ponder value");
    session.position("startpos");
    assert_ne!(session.go("go depth 3").best, "(none)");
    session.quit();
}

/// A refused value leaves the old one: two lines stay two lines.
#[test]
fn a_refused_value_leaves_the_old_one() {
    let mut session = Session::start();
    session.set("MultiPV", "2");
    refused(&mut session, "setoption name MultiPV value 0");
    refused(&mut session, "setoption name MultiPV value 257");
    session.position("startpos");
    let answer = session.go("go depth 3");
    assert!(answer.lines.iter().any(|line| line.contains(" multipv 2 ")));
    assert!(!answer.lines.iter().any(|line| line.contains(" multipv 3 ")));
    session.quit();
}

/// A terabyte is within the bounds of the option, if not of the machine.
#[test]
fn hash_larger_than_memory() {
    let mut session = Session::start();
    refused(&mut session, "setoption name Hash value 1048576");
    session.position("startpos");
    assert_ne!(session.go("go depth 5").best, "(none)");
    session.quit();
}

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
        refused(&mut session, command);
    }
    // A button needs no value; one that has one is pressed or refused in words.
    session.send("setoption name Clear Hash value true");
    assert!(session.sync().iter().all(|line| line.starts_with("info string")));
    session.quit();
}

#[test]
fn names_in_any_case() {
    let mut session = Session::start();
    session.send("setoption name hAsH value 8");
    session.send("setoption name multipv value 3");
    session.send("setoption name MOVE OVERHEAD value 30");
    session.send("setoption name uci_chess960 value TRUE");
    session.send("setoption name clear hash");
    session.sync();
    session.position("startpos");
    let answer = session.go("go depth 3");
    assert!(answer.lines.iter().any(|line| line.contains(" multipv 3 ")));
    session.quit();
}

/// The table is resized between games and searches without a word, and the
/// size survives a new game.
#[test]
fn many_sizes_of_the_table() {
    let mut session = Session::start();
    for size in [1, 2, 3, 7, 16, 33, 100, 256, 1] {
        session.set("Hash", &size.to_string());
        session.position("startpos");
        assert_ne!(session.go("go depth 5").best, "(none)");
        session.send("ucinewgame");
        session.expect_silence();
    }
    session.quit();
}
