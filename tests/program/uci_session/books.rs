//! Opening books: when their moves are played, and invalid files.

use std::fs::{self, File};
#[cfg(target_os = "linux")]
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use lovec::book::{BookEntry, builder, key};
use lovec::chess::Position;
use lovec::chess::notation::uci::parse_move;

use crate::referee::{Referee, check_answer};
use crate::session::{Answer, Session};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The path of a test's book, with spaces, which the value of an option may have.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("book of {name}.bin"))
}

/// An entry for a legal move.
fn legal(fen: &str, text: &str, weight: u16) -> BookEntry {
    let position = Position::from_fen(fen).unwrap();
    let m = parse_move(&position, text).unwrap().into();
    BookEntry { key: key(&position).unwrap(), m, weight, learn: 0 }
}

fn write_book(name: &str, mut entries: Vec<BookEntry>) -> PathBuf {
    entries.sort_by_key(|entry| entry.key);
    let path = path(name);
    fs::write(&path, builder::to_bytes(&entries)).unwrap();
    path
}

/// A session that plays from this book.
fn playing_from(path: &Path) -> Session {
    let mut session = Session::start();
    session.set("OwnBook", "true");
    session.set("BookFile", &path.display().to_string());
    session
}

fn is_book_move(answer: &Answer) -> bool {
    answer.has_notice_of("book move")
}

/// A move that the search would not play, and the reply to it.
fn odd_book(name: &str) -> PathBuf {
    let after = "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1";
    write_book(name, vec![legal(START, "f2f3", 1), legal(after, "g7g5", 1)])
}

#[test]
fn book_moves_are_played() {
    let path = odd_book("odd moves");
    let mut session = playing_from(&path);
    let commands =
        ["go wtime 60000 btime 60000", "go movetime 5000", "go depth 20", "go nodes 1000000"];
    for command in commands {
        for (arguments, best) in [("startpos", "f2f3"), ("startpos moves f2f3", "g7g5")] {
            session.position(arguments);
            let answer = session.go(command);
            assert_eq!(answer.best, best, "{command}");
            assert!(answer.has_notice_of(&format!("book move {best}")), "{answer:?}");
            assert_eq!(answer.ponder, None, "no search found a reply");
            check_answer(arguments, false, &answer);
        }
    }
    // Other positions are searched.
    session.position("startpos moves e2e4");
    assert!(!is_book_move(&session.go("go depth 3")));
}

/// The searches that use no book at all are in the tests of the engine.
#[test]
fn the_book_inside_needs_no_file() {
    let mut session = playing_from(&odd_book("odd silence"));
    session.position("startpos");
    session.set("OwnBook", "false");
    assert!(!is_book_move(&session.go("go depth 3")));
    session.set("OwnBook", "true");
    for name in ["<empty>", "own"] {
        session.set("BookFile", name);
        session.position("startpos moves e2e4");
        assert!(is_book_move(&session.go("go depth 3")), "the book inside");
        session.position("startpos moves h2h4 a7a5 h4h5 a5a4");
        assert!(!is_book_move(&session.go("go depth 3")), "it has no such opening");
    }
}

#[test]
fn neither_strength_nor_multi_pv_changes_a_book_move() {
    let path = odd_book("odd levels");
    let mut session = playing_from(&path);
    session.set("UCI_LimitStrength", "true");
    session.set("UCI_Elo", "1000");
    session.set("MultiPV", "5");
    session.set("Threads", "2");
    session.position("startpos");
    for _ in 0..5 {
        let answer = session.go("go wtime 60000 btime 60000");
        assert_eq!((answer.best.as_str(), is_book_move(&answer)), ("f2f3", true));
    }
}

/// Both of two equal moves are drawn within forty games, a move of weight 0 never.
#[test]
fn moves_are_drawn_by_weight_or_the_best_is_taken() {
    let entries = [("a2a3", 500), ("h2h3", 501), ("f2f3", 0)];
    let path = write_book(
        "weights",
        entries.into_iter().map(|(text, weight)| legal(START, text, weight)).collect(),
    );
    let mut session = playing_from(&path);
    session.position("startpos");
    let mut drawn: Vec<String> = (0..40).map(|_| session.go("go depth 1").best).collect();
    drawn.sort();
    drawn.dedup();
    assert_eq!(drawn, ["a2a3", "h2h3"]);
    session.set("Best Book Move", "true");
    for _ in 0..20 {
        assert_eq!(session.go("go depth 1").best, "h2h3");
    }
}

/// Refused with an error; the old book stays open.
fn refused(session: &mut Session, path: &Path, reason: &str) {
    let error = session.refused(&format!("setoption name BookFile value {}", path.display()));
    assert!(error.contains("BookFile `") && error.contains(reason), "{reason}: {error}");
    assert!(error.ends_with("; the previous setting stays in use"), "{error}");
    session.position("startpos");
    assert_eq!(session.go("go depth 2").best, "f2f3", "{reason}");
}

#[test]
fn invalid_books_are_refused() {
    let good = odd_book("good");
    let bytes = fs::read(&good).unwrap();
    let bad = path("bad");
    let mut session = playing_from(&good);
    let unsorted = [&bytes[16..], &bytes[..16]].concat();
    for (content, reason) in [
        (&bytes[..31], "31 bytes is not a multiple of 16: truncated"),
        (&unsorted[..], "entry 2 is out of order"),
        (b"not a book, but text", "20 bytes is not a multiple of 16"),
        (b"", "the file is empty"),
    ] {
        fs::write(&bad, content).unwrap();
        refused(&mut session, &bad, reason);
    }
    fs::remove_file(&bad).unwrap();
    refused(&mut session, &bad, "os error 2");
    refused(&mut session, Path::new(env!("CARGO_TARGET_TMPDIR")), "not a regular file");
}

/// The file loses its end while it is in use: the game goes on.
#[test]
fn a_book_that_shrinks() {
    let path = odd_book("shrinking");
    let mut session = playing_from(&path);
    File::options().write(true).open(&path).unwrap().set_len(8).unwrap();
    session.position("startpos");
    let answer = session.go("go depth 4");
    assert!(answer.has_line("info string error: BookFile can no longer be read"), "{answer:?}");
    check_answer("startpos", false, &answer);
}

/// A book of a million entries takes 16 MB on the disk and almost no memory.
#[cfg(target_os = "linux")]
#[test]
fn a_large_book_stays_on_the_disk() {
    let path = path("many positions");
    let mut file = BufWriter::new(File::create(&path).unwrap());
    let known = legal(START, "f2f3", 1);
    let mut entries: Vec<u64> = (0..1_000_000).map(|number| number << 42).collect();
    let place = entries.partition_point(|&key| key < known.key);
    entries.insert(place, known.key);
    for key in entries {
        file.write_all(&BookEntry { key, ..known }.to_bytes()).unwrap();
    }
    file.flush().unwrap();
    let mut session = Session::start();
    session.set("OwnBook", "true");
    session.position("startpos");
    session.go("go depth 1");
    let before = session.peak_memory_mib();
    session.set("BookFile", &path.display().to_string());
    assert_eq!(session.go("go depth 1").best, "f2f3");
    let after = session.peak_memory_mib();
    assert!(after <= before + 2, "from {before} to {after} MiB");
    fs::remove_file(&path).unwrap();
}

/// A published book plays the first moves of a game against itself.
#[test]
#[ignore = "needs a published book, which LOVEC_BOOK names"]
fn a_published_book() {
    let path = std::env::var("LOVEC_BOOK").expect("LOVEC_BOOK names a Polyglot book");
    let mut session = playing_from(Path::new(&path));
    for best in ["false", "true"] {
        session.set("Best Book Move", best);
        let mut arguments = "startpos moves".to_owned();
        let mut referee = Referee::new("startpos", false);
        for ply in 0..6 {
            session.position(arguments.trim_end_matches(" moves"));
            let answer = session.go("go wtime 60000 btime 60000");
            assert!(is_book_move(&answer), "ply {ply} after {arguments}");
            assert!(referee.is_legal(&answer.best), "{} after {arguments}", answer.best);
            referee.play(&answer.best);
            arguments += &format!(" {}", answer.best);
        }
    }
}
