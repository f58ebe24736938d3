//! Opening books: when their moves are played, and invalid files.

use std::fs::{self, File};
#[cfg(target_os = "linux")]
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::process::Command;

use lovec::book::{BookEntry, EncodedMove, builder, key};
use lovec::chess::Position;
use lovec::chess::notation::uci::parse_move;

use crate::referee::{Referee, check_answer};
use crate::session::{Answer, Session};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLES: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1";

/// The path of a test's book, with spaces, which the value of an option may have.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("book of {name}.bin"))
}

fn entry(fen: &str, m: EncodedMove, weight: u16) -> BookEntry {
    let key = key(&Position::from_fen(fen).unwrap()).unwrap();
    BookEntry { key, m, weight, learn: 0 }
}

/// An entry for a legal move.
fn legal(fen: &str, text: &str, weight: u16) -> BookEntry {
    let m = parse_move(&Position::from_fen(fen).unwrap(), text).unwrap();
    entry(fen, m.into(), weight)
}

fn write_book(name: &str, mut entries: Vec<BookEntry>) -> PathBuf {
    entries.sort_by_key(|entry| entry.key);
    let path = path(name);
    builder::write(&entries, File::create(&path).unwrap()).unwrap();
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

#[test]
fn book_moves_only_in_play() {
    let path = odd_book("odd silence");
    let mut session = playing_from(&path);
    session.position("startpos");
    for command in ["go mate 2 depth 4", "go depth 4 searchmoves e2e4 f2f3", "go infinite"] {
        session.send(command);
        if command.ends_with("infinite") {
            session.expect("info depth 4");
            session.send("stop");
        }
        let answer = session.answer();
        assert!(!is_book_move(&answer) && answer.best != "f2f3", "{command}: {answer:?}");
    }
    session.send("go ponder wtime 1000 btime 1000");
    session.send("ponderhit");
    assert!(!is_book_move(&session.answer()));
    for (name, value) in [("UCI_AnalyseMode", "true"), ("OwnBook", "false")] {
        session.set(name, value);
        assert!(!is_book_move(&session.go("go depth 3")), "{name}");
    }
    session.set("OwnBook", "true");
    session.set("UCI_AnalyseMode", "false");
    assert!(is_book_move(&session.go("go depth 3")));
    session.set("BookFile", "<empty>");
    assert!(is_book_move(&session.go("go depth 3")), "the book inside");
    session.position("startpos moves h2h4 a7a5 h4h5 a5a4");
    assert!(!is_book_move(&session.go("go depth 3")), "it has no such opening");
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

#[test]
fn castling_and_promotion() {
    let promotes = "8/P6k/8/8/8/8/7K/8 w - - 0 1";
    for (fen, text) in
        [(CASTLES, "e1g1"), (CASTLES, "e1c1"), (promotes, "a7a8n"), (promotes, "a7a8q")]
    {
        let book = legal(fen, text, 1);
        if fen == CASTLES {
            let rook = if text == "e1g1" { "e1h1" } else { "e1a1" };
            assert_eq!(book.m.to_string(), rook, "the notation of the format");
        }
        let path = write_book(text, vec![book]);
        let mut session = playing_from(&path);
        session.position(&format!("fen {fen}"));
        assert_eq!(session.go("go depth 2").best, text);
    }
}

/// No piece on the square, a move of Black, an invalid promotion, a king left in check.
#[test]
fn illegal_moves_are_never_played() {
    let illegal: [u16; 5] = [0, 12 << 6 | 36, 52 << 6 | 36, 5 << 12 | 12 << 6 | 28, u16::MAX];
    let check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    let mut entries: Vec<BookEntry> = illegal
        .into_iter()
        .map(|bits| entry(START, EncodedMove::from_bits(bits), u16::MAX))
        .collect();
    entries.push(entry(check, EncodedMove::from_bits(4 << 6 | 11), 1));
    let nothing = write_book("illegal moves", entries.clone());
    entries.push(legal(START, "a2a3", 1));
    let something = write_book("illegal moves and a legal one", entries);
    let mut session = playing_from(&nothing);
    for arguments in ["startpos", &format!("fen {check}")] {
        session.position(arguments);
        let answer = session.go("go depth 4");
        assert!(!is_book_move(&answer), "{answer:?}");
        check_answer(arguments, false, &answer);
    }
    session.set("BookFile", &something.display().to_string());
    session.position("startpos");
    for _ in 0..20 {
        assert_eq!(session.go("go depth 4").best, "a2a3");
    }
}

/// Neither with the option nor in a position with Chess960 castling rights.
#[test]
fn chess960_has_no_book() {
    let usual = "4k3/8/8/8/8/8/8/4K1RR w K - 0 1";
    let unusual = "4k3/8/8/8/8/8/8/4K1RR w G - 0 1";
    let path = write_book("chess960", vec![legal(usual, "h1h2", 1), legal(START, "f2f3", 1)]);
    let mut session = playing_from(&path);
    session.position(&format!("fen {usual}"));
    assert_eq!(session.go("go depth 2").best, "h1h2");
    session.position(&format!("fen {unusual}"));
    assert!(!is_book_move(&session.go("go depth 2")));
    session.set("UCI_Chess960", "true");
    session.position("startpos");
    assert!(!is_book_move(&session.go("go depth 2")));
    session.set("UCI_Chess960", "false");
    assert!(is_book_move(&session.go("go depth 2")));
}

/// Refused with an error; the old book stays open.
fn refused(session: &mut Session, path: &Path, reason: &str) {
    let error = session.refused(&format!("setoption name BookFile value {}", path.display()));
    assert!(error.contains("BookFile `") && error.contains(reason), "{reason}: {error}");
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
    #[cfg(target_os = "linux")]
    {
        // Opening a pipe without a writer would wait forever.
        let made = Command::new("mkfifo").arg(&bad).status().unwrap();
        assert!(made.success(), "{made}");
        refused(&mut session, &bad, "not a regular file");
        refused(&mut session, Path::new("/dev/zero"), "not a regular file");
        fs::remove_file(&bad).unwrap();
    }
}

/// The last valid book is used.
#[test]
fn several_names_in_a_row() {
    let path = odd_book("several names");
    let name = path.display();
    let mut session = Session::start();
    session.set("OwnBook", "true");
    session.send(&format!(
        "setoption name BookFile value /no/book\nsetoption name BookFile value {name}\n\
        setoption name BookFile value /none/either"
    ));
    let replies = session.sync();
    assert!(
        replies.iter().all(|line| line.starts_with("info string error: BookFile")),
        "{replies:?}"
    );
    assert!(replies.iter().any(|line| line.contains("/none/either")), "{replies:?}");
    session.position("startpos");
    assert_eq!(session.go("go depth 2").best, "f2f3");
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

/// A book of four million entries takes 64 MB on the disk and almost no memory.
#[cfg(target_os = "linux")]
#[test]
fn a_large_book_stays_on_the_disk() {
    let path = path("many positions");
    let mut file = BufWriter::new(File::create(&path).unwrap());
    let known = legal(START, "f2f3", 1);
    let mut entries: Vec<u64> = (0..4_000_000).map(|number| number << 40).collect();
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
