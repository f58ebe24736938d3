//! The size of the transposition table: set, refused, kept.
//!
//! No command shows the size. But a search with a node limit on one thread is always the
//! same, and the share of the table that it fills depends on the size.

use crate::session::Session;

/// The share of an empty table that a search fills, in permille.
fn fullness(session: &mut Session) -> i64 {
    session.send("ucinewgame");
    session.position("startpos");
    session.go("go nodes 60000").number("hashfull")
}

/// Fails if `change` changes the size of a table of 4 MiB.
fn assert_size_survives(change: impl FnOnce(&mut Session)) {
    let mut session = Session::start();
    session.set("Hash", "4");
    let before = fullness(&mut session);
    change(&mut session);
    assert_eq!(fullness(&mut session), before);
}

/// Row 40.
#[test]
fn invalid_sizes() {
    assert_size_survives(|session| {
        for value in ["0", "-5", "abc", "", "99999999999", "1048577", "16.5", "0x10", "16 MB"] {
            session.refused(&format!("setoption name Hash value {value}"));
        }
    });
}

/// Row 41: a terabyte is within the bounds of the option, if not of the machine.
#[test]
fn more_than_the_memory() {
    assert_size_survives(|session| {
        session.refused("setoption name Hash value 1048576");
        session.position("startpos");
        assert_ne!(session.go("go depth 5").best, "(none)");
    });
}

/// Row 41: also during a search.
#[test]
fn more_than_the_memory_during_a_search() {
    assert_size_survives(|session| {
        session.position("startpos");
        session.send("go infinite");
        session.send("setoption name Hash value 1048576");
        session.expect("info string error: ");
        session.send("stop");
        session.answer();
        session.expect_silence();
    });
}

#[test]
fn new_games_keep_the_size() {
    assert_size_survives(|session| {
        for _ in 0..3 {
            session.send("ucinewgame");
            session.send("setoption name Clear Hash");
            session.position("fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - moves");
            session.go("go depth 3");
        }
    });
}

/// Row 36: a size that is set during a search applies from the next search on.
#[test]
fn a_size_set_during_a_search() {
    let mut session = Session::start();
    session.set("Hash", "4");
    let expected = fullness(&mut session);
    session.set("Hash", "8");
    let before = fullness(&mut session);
    assert_ne!(before, expected, "the size makes no difference");
    session.send("ucinewgame");
    session.send("go nodes 60000\nsetoption name Hash value 4");
    assert_eq!(session.answer().number("hashfull"), before, "the running search is left alone");
    assert_eq!(fullness(&mut session), expected);
}

/// Neither a resize nor a clear needs the memory of two tables.
#[test]
#[cfg(target_os = "linux")]
fn no_two_tables_at_a_time() {
    let mut session = Session::start();
    session.set("Threads", "4");
    for (size, most) in [("200", 200), ("150", 200), ("250", 250), ("251", 251), ("250", 251)] {
        session.set("Hash", size);
        session.position("startpos");
        session.go("go nodes 20000");
        session.send("ucinewgame");
        session.expect_silence();
        let peak = session.peak_memory_mib();
        assert!((most..most + 100).contains(&peak), "{peak} MiB at most with Hash = {size}");
    }
}
