//! The options of the endgame tables.

use crate::folder::folder;
use crate::program::lovec;
use crate::session::Session;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

/// What stands between two folders.
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// White wins the pawn at once, and with it the game.
const BEFORE_A_CAPTURE: &str = "fen 8/8/8/8/8/1k6/1p6/1R2K3 w - - 0 1";

fn set(session: &mut Session, value: &str) -> Vec<String> {
    session.send(&format!("setoption name SyzygyPath value {value}"));
    session.sync()
}

/// The score of a win by Syzygy tables at the root.
const TABLE_WIN: &str = "cp 20000";

/// The positions found in tables, and the score.
fn found(session: &mut Session) -> (i64, String) {
    session.send("ucinewgame");
    session.position(BEFORE_A_CAPTURE);
    let answer = session.go("go depth 6");
    (answer.number("tbhits"), answer.score())
}

#[test]
fn tables_are_found_and_used() {
    let mut session = Session::start();
    let own = found(&mut session);
    assert!(own.0 > 0, "rook against king is part of the program");
    assert_ne!(own.1, TABLE_WIN);
    session.set("SyzygyProbeLimit", "2");
    assert_eq!(found(&mut session).0, 0, "beyond the limit");
    session.set("SyzygyProbeLimit", "7");
    // Duplicates do not count.
    for folders in [TABLES.to_owned(), format!("{TABLES}{SEPARATOR}{TABLES}")] {
        let notice = "info string Syzygy: 30 WDL and 9 DTZ tables of up to 4 pieces";
        assert_eq!(set(&mut session, &folders), [notice]);
    }
    let theirs = found(&mut session);
    assert!(theirs.0 > 0 && theirs.1 == TABLE_WIN, "{theirs:?}");
    session.set("SyzygyProbeLimit", "2");
    assert_eq!(found(&mut session).0, 0, "beyond the limit");
    session.set("SyzygyProbeLimit", "7");
    assert_eq!(found(&mut session), theirs);
    assert!(set(&mut session, "<empty>").is_empty());
    assert_eq!(found(&mut session), own, "closed");
}

#[test]
fn won_and_lost_endings() {
    let mut session = Session::start();
    set(&mut session, TABLES);
    session.set("UCI_ShowWDL", "true");
    for (fen, sign, chances) in [
        ("7K/3r4/1k6/8/8/8/8/2Q5 w", 1, ["1000", "0", "0"]),
        ("6K1/3r4/1k6/8/8/8/8/2Q5 b", -1, ["0", "0", "1000"]),
    ] {
        session.position(&format!("fen {fen} - - 0 1"));
        let answer = session.go("go depth 4");
        assert_eq!(answer.number("cp"), sign * 20_000, "{fen}");
        assert_eq!(answer.field("wdl", 3), chances, "{fen}");
    }
    session.position("fen 8/8/8/3k4/3p4/3K4/8/8 w - - 0 1");
    let answer = session.go("go depth 4");
    assert_eq!((answer.number("cp"), answer.field("wdl", 3)), (0, vec!["0", "1000", "0"]));
}

#[test]
fn invalid_directories() {
    let mut session = Session::start();
    let own = found(&mut session);
    for path in ["/no/such/place", "", "::", "tests/data/syzygy/SOURCE.txt", "/dev/null"] {
        let replies = set(&mut session, path);
        let errors = replies.iter().filter(|line| line.starts_with("info string error: "));
        assert!(path.is_empty() || errors.count() > 0, "{path:?}: {replies:?}");
        assert_eq!(found(&mut session), own);
    }
    // The valid ones of several are used.
    let replies = set(&mut session, &format!("/no/such/place{SEPARATOR}{TABLES}"));
    assert!(replies.iter().any(|line| line.contains("/no/such/place")), "{replies:?}");
    assert_eq!(found(&mut session).1, TABLE_WIN);
    // A path without tables leaves the ones before, also if both come together.
    let bad = format!("setoption name SyzygyPath value /no/such/place{SEPARATOR}/dev/null");
    let error = session.refused(&bad);
    assert!(error.contains("no tables found; /no/such/place: "), "{error}");
    assert!(error.ends_with("; the previous setting stays in use"), "{error}");
    assert_eq!(found(&mut session).1, TABLE_WIN);
    assert!(set(&mut session, "<empty>").is_empty());
    session.send(&format!("setoption name SyzygyPath value {TABLES}\n{bad}"));
    session.sync();
    assert_eq!(found(&mut session).1, TABLE_WIN);
}

#[test]
fn own_tables_are_opened_and_closed() {
    let folder = folder("own tables");
    lovec(&["egtb", "build", "KRK", "-o", folder.to_str().unwrap()]).succeeded();
    let mut session = Session::start();
    session.send(&format!("setoption name EgtbPath value {}", folder.display()));
    let replies = session.sync();
    assert_eq!(replies, ["info string 1 Lovec table of up to 3 pieces"]);
    session.send("setoption name EgtbPath value <empty>");
    assert!(session.sync().is_empty());
    session.send("setoption name EgtbPath value /no/such/place");
    let replies = session.sync();
    assert!(
        replies.iter().any(|line| line.starts_with("info string error: EgtbPath: ")),
        "{replies:?}"
    );
}
