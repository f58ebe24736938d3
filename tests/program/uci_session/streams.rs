//! Streams: line ends, bytes that are not text, floods, and pipes that close.

use std::fmt::Write;
use std::thread;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::referee::{Referee, check_answer};
use crate::session::Session;

/// Row 44.
#[test]
fn white_space_of_every_kind() {
    let mut session = Session::start();
    for command in [
        "isready\r\n",
        "\tisready\n",
        "   isready   \n",
        "isready\t\r\n",
        "\r\r isready\r\n",
        "\0isready\0\n",
    ] {
        session.send_bytes(command.as_bytes());
        assert_eq!(session.until("readyok"), ["readyok"], "{command:?}");
    }
    session.send_bytes(b"position\tstartpos \t moves  e2e4   e7e5\t\r\n");
    session.send_bytes(b"  go \t depth   2 \r\n");
    let best = session.answer().best;
    assert!(Referee::new("startpos moves e2e4 e7e5", false).is_legal(&best));
}

/// Row 44.
#[test]
fn bytes_that_are_not_text() {
    let mut session = Session::start();
    session.send_bytes(b"\0\n\xff\xfe\xfd\n\0\0\0stop\0depth\0\n\xc3\x28 depth 3\n\x1b[2J\n");
    session.send_bytes(b"position fen \xff\xff\xff w - -\n");
    session.send_bytes(b"position startpos moves \xf0\x28\x8c\x28\n");
    session.send_bytes(b"setoption name \xff value \xff\n");
    session.sync();
    session.position("startpos");
    assert_ne!(session.go("go depth 2").best, "(none)");
}

/// Row 44. That an error quotes only the beginning of a long text is checked for every line.
#[test]
fn lines_of_any_length() {
    let mut session = Session::start();
    let long = "x".repeat(1 << 20);
    session.send_bytes(format!("{long}\n").as_bytes());
    session.send_bytes(format!("position fen {long}\n").as_bytes());
    session.send_bytes(format!("position startpos moves {}\n", "e2e4 ".repeat(200_000)).as_bytes());
    session.send_bytes(format!("position startpos moves {long}\n").as_bytes());
    session.send_bytes(format!("setoption name {long} value {long}\n").as_bytes());
    session.send_bytes(format!("go depth 1 {long}\n").as_bytes());
    session.send_bytes(format!("{}\n", " ".repeat(1 << 20)).as_bytes());
    session.sync();
    session.send_bytes(&vec![b'\n'; 1_000_000]);
    session.sync();
    session.position("startpos");
    assert_ne!(session.go("go depth 2").best, "(none)");
}

/// Row 45.
#[test]
fn unknown_words() {
    let mut session = Session::start();
    for command in ["xboard", "?", "#comment", "# go", "register later", "joho debug off"] {
        session.send(command);
        session.expect_silence();
    }
    for command in ["debug", "debug perhaps"] {
        session.send(command);
        session.expect("info string error: ");
    }
    // A notice comes in debug mode only.
    session.send("joho debug on");
    session.expect_silence();
    session.send("xboard");
    assert!(session.expect("info string").contains("xboard"));
    session.send("debug off\nxboard\nuci");
    assert!(session.expect("id name").starts_with("id name Lovec"));
    session.until("uciok");
    // Unknown words and comments do not stop a search.
    session.send("go infinite\n? stop_it\n# stop");
    session.expect_none_within("bestmove", Duration::from_millis(100));
    session.send("joho stop");
    session.answer();
    // The specification requires to skip unknown words.
    session.send("joho isready");
    session.expect("readyok");
    session.send("joho debug off");
    session.sync();
    session.send("joho position startpos moves e2e4");
    let best = session.go("quickly go depth 2").best;
    assert!(Referee::new("startpos moves e2e4", false).is_legal(&best));
}

/// Row 46.
#[test]
fn every_repetition_is_answered() {
    let mut session = Session::start();
    session.send("uci\nuci");
    let first = session.until("uciok");
    assert_eq!(first, session.until("uciok"));
    session.send(&["ucinewgame"; 10].join("\n"));
    session.expect_silence();
    session.send(&vec!["isready"; 1000].join("\n"));
    for _ in 0..1000 {
        assert_eq!(session.until("readyok"), ["readyok"]);
    }
    session.expect_silence();
}

/// Row 46: answers come in the order of the commands, including slow commands.
#[test]
fn answers_come_in_order() {
    let mut session = Session::start();
    let mut block = vec!["readyok".to_owned()];
    session.send("isready\nuci");
    session.expect("readyok");
    block.extend(session.until("uciok"));
    let commands = "ucinewgame\nisready\nsetoption name Hash value 32\nuci\n";
    session.send(&commands.repeat(20));
    let mut lines = Vec::new();
    for _ in 0..20 {
        lines.extend(session.until("uciok"));
    }
    assert_eq!(lines, vec![block; 20].concat());
    session.send("position fen blah\nisready\nsetoption name Hash value 0\nuci\nfoo isready");
    session.expect("info string error: ");
    session.expect("readyok");
    session.expect("info string error: ");
    session.expect("uciok");
    session.expect("readyok");
}

#[test]
fn last_line_without_its_end() {
    let mut session = Session::start();
    session.send_bytes(b"isready");
    session.close_input();
    assert_eq!(session.finish(), ["readyok"]);

    let mut session = Session::start();
    session.send_bytes(b"position startpos\ngo depth 3\nquit");
    session.close_input();
    session.finish();
}

/// Row 48: the output is closed, and the process ends without an error.
#[test]
fn output_closed() {
    for command in ["go infinite", "uci", "go perft 9\nisready", "go depth 60"] {
        let mut session = Session::start_unread();
        session.close_output();
        session.try_send("position startpos");
        session.try_send(command);
        // Some commands print nothing until the next command.
        for _ in 0..50 {
            session.try_send("isready");
            thread::sleep(Duration::from_millis(2));
        }
        session.finish();
    }
}

/// Row 48: the client does not read. The search goes on, and the client later receives
/// every answer, and the last report of each search.
#[test]
fn output_full() {
    let mut session = Session::start_unread();
    session.send("position startpos");
    // Far more than a pipe holds.
    session.send(&vec!["uci"; 2000].join("\n"));
    session.send("setoption name MultiPV value 3");
    session.send("go depth 5\nisready\ngo infinite\nisready");
    thread::sleep(Duration::from_millis(200));
    session.send("stop\nisready");
    thread::sleep(Duration::from_millis(100));
    session.read_output();
    for _ in 0..2000 {
        session.until("uciok");
    }
    let mut ready = 0;
    for _ in 0..2 {
        let mut answer = session.answer();
        let lines = answer.lines.len();
        answer.lines.retain(|line| line != "readyok");
        ready += lines - answer.lines.len();
        check_answer("startpos", false, &answer);
        assert!(answer.contains(" multipv 3 "));
    }
    for _ in ready..3 {
        session.expect("readyok");
    }
    session.expect_silence();
}

/// Row 48: the client never reads. `quit` still works.
#[test]
fn quit_with_output_full() {
    let mut session = Session::start_unread();
    session.send("position startpos");
    session.send(&vec!["uci"; 2000].join("\n"));
    session.send("go infinite");
    thread::sleep(Duration::from_millis(100));
    session.send("quit");
    assert!(session.wait().success());
}

/// Appends a line: a command, or random words.
fn random_line(rng: &mut StdRng, line: &mut String) {
    const WORDS: &str = "position startpos fen moves go depth 1 2 nodes 100 movetime wtime \
                         btime winc movestogo searchmoves infinite ponder stop ponderhit \
                         ucinewgame isready setoption name value MultiPV Ponder true e2e4 e7e5 \
                         e1g1 a7a8q 0000 w KQkq - \u{e9}\0 debug d mate";
    match rng.random_range(0..100) {
        0 => line.push_str("go depth 1"),
        1 => line.push_str("go nodes 50"),
        2 => line.push_str("go infinite\nstop"),
        3..10 => line.push_str("position startpos moves e2e4 e7e5 g1f3"),
        10..20 => {
            line.push_str("position fen ");
            for _ in 0..rng.random_range(0..40) {
                line.push(char::from(b"pnbrqkPNBRQK12345678/// "[rng.random_range(0..24)]));
            }
            line.push_str(" w KQkq - 0 1");
        }
        20..25 => {
            let _ = write!(line, "setoption name Hash value {}", rng.random_range(0..3));
        }
        _ => {
            let words: Vec<&str> = WORDS.split(' ').collect();
            for _ in 0..rng.random_range(0..12) {
                line.push_str(words[rng.random_range(0..words.len())]);
                line.push(if rng.random_range(0..20) == 0 { '\t' } else { ' ' });
            }
        }
    }
    line.push('\n');
}

/// Row 49: megabytes of commands, most of them invalid: `LOVEC_FLOOD`, by default 16 for the
/// program of `LOVEC_BINARY` and fewer for the slow build of the tests.
#[test]
fn a_flood_of_random_commands() {
    let megabytes: usize = match std::env::var("LOVEC_FLOOD") {
        Ok(number) => number.parse().unwrap(),
        Err(_) if std::env::var_os("LOVEC_BINARY").is_some() => 16,
        Err(_) => 2,
    };
    let mut rng = StdRng::seed_from_u64(20);
    let mut session = Session::start();
    session.allow_drawings();
    let mut sent = 0;
    while sent < megabytes << 20 {
        let mut chunk = String::new();
        while chunk.len() < 1 << 20 {
            random_line(&mut rng, &mut chunk);
        }
        sent += chunk.len();
        session.send_bytes(chunk.as_bytes());
        session.send("stop");
        session.sync();
        session.clear_transcript();
    }
    session.send("setoption name UCI_Chess960 value false");
    session.send("setoption name MultiPV value 1");
    session.send("stop");
    // All earlier searches are answered before this one.
    session.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    session.send("go depth 3 searchmoves a1a8");
    session.until("bestmove a1a8");
}
