//! The option `Debug Log File`, and the dialogue in the log of the program.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

use crate::program::binary;
use crate::session::Session;

/// A path of our own in a folder that exists, without a file there.
fn fresh_path(name: &str) -> PathBuf {
    // With spaces, which an option's value may hold.
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("dialogue of {name} {}.log", process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// The lines of the file without their times, which must not go back.
fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut last = 0.0;
    let without_time = |line: &str| {
        let (time, rest) = line.trim_start().split_once(' ').unwrap();
        let time: f64 = time.parse().unwrap_or_else(|_| panic!("no time in {line:?}"));
        assert!(time >= last, "{line:?} after {last} s");
        last = time;
        rest.to_owned()
    };
    text.lines().map(without_time).collect()
}

fn open(session: &mut Session, path: &Path) {
    session.set("Debug Log File", &path.display().to_string());
}

#[test]
fn the_whole_dialogue_is_there() {
    let path = fresh_path("everything");
    let mut session = Session::start();
    session.send("uci");
    session.until("uciok");
    open(&mut session, &path);
    // Asking whether it is open was the first thing that it saw.
    let mut expected = vec![">> isready".to_owned(), "<< readyok".to_owned()];
    let mut said = |session: &mut Session, command: &str, last: &str| {
        session.send(command);
        expected.extend(command.lines().map(|line| format!(">> {line}")));
        expected.extend(session.until(last).iter().map(|line| format!("<< {line}")));
    };
    said(&mut session, "uci", "uciok");
    said(&mut session, "setoption name Hash value 0", "info string");
    said(&mut session, "position fen blah", "info string");
    said(&mut session, "joho isready", "readyok");
    said(&mut session, "position startpos\tmoves e2e4\nisready", "readyok");
    said(&mut session, "go depth 4", "bestmove");
    session.quit();
    expected.push(">> quit".to_owned());
    assert_eq!(lines(&path), expected);
    fs::remove_file(&path).unwrap();
}

#[test]
fn empty_ends_it_and_a_name_goes_on_with_it() {
    let path = fresh_path("pauses");
    let mut session = Session::start();
    open(&mut session, &path);
    session.send("setoption name Debug Log File value <empty>");
    session.sync();
    session.position("startpos");
    session.go("go depth 2");
    let before = lines(&path);
    assert_eq!(before.last().unwrap(), ">> setoption name Debug Log File value <empty>");
    // The file is appended to.
    open(&mut session, &path);
    session.quit();
    let after = lines(&path);
    assert_eq!(after[..before.len()], before);
    assert_eq!(after[before.len()..], [">> isready", "<< readyok", ">> quit"]);
    fs::remove_file(&path).unwrap();
}

/// Refused with an error; the old file stays open.
#[test]
fn a_path_that_cannot_be_written() {
    let path = fresh_path("refusals");
    let mut session = Session::start();
    open(&mut session, &path);
    let folder = env!("CARGO_TARGET_TMPDIR");
    for unwritable in [folder.to_owned(), format!("{folder}/no/such/folder/file")] {
        session.send(&format!("setoption name Debug Log File value {unwritable}"));
        let said = session.sync();
        assert!(matches!(&said[..], [line] if line.starts_with("info string error: ")), "{said:?}");
    }
    session.send("isready # still here");
    session.expect("readyok");
    session.quit();
    assert!(lines(&path).contains(&">> isready # still here".to_owned()));
    fs::remove_file(&path).unwrap();
}

/// A full disk closes the file with one error; the game goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_takes_no_more() {
    let mut session = Session::start();
    session.send("setoption name Debug Log File value /dev/full\nisready");
    let said = session.until("info string error: the log file `/dev/full` cannot be written");
    // The file is written by a thread of its own.
    if !said.contains(&"readyok".to_owned()) {
        session.expect("readyok");
    }
    session.position("startpos");
    assert_ne!(session.go("go depth 4").best, "(none)");
    session.quit();
}

/// Opening a pipe without a reader would wait for ever.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_refused() {
    let path = fresh_path("pipe");
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success(), "{made}");
    let mut session = Session::start();
    session.send(&format!("setoption name Debug Log File value {}", path.display()));
    let said = session.sync();
    assert!(matches!(&said[..], [line] if line.starts_with("info string error: ")), "{said:?}");
    session.quit();
    fs::remove_file(&path).unwrap();
}

/// On the standard error, with the time of day; the standard output is the client's
/// alone.
#[test]
fn the_log_has_the_dialogue() {
    for (arguments, level, logged) in [
        (&["--log-level", "debug"][..], "warn", true),
        (&[], "debug", true),
        (&[], "lovec::uci=debug", true),
        (&[], "warn", false),
        (&["--log-level", "off"], "debug", false),
    ] {
        let mut child = Command::new(binary())
            .args(arguments)
            .env("RUST_LOG", level)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"isready\nquit\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.stdout, b"readyok\n");
        let log = String::from_utf8(output.stderr).unwrap();
        let said: Vec<(&str, &str)> =
            log.lines().filter_map(|line| line.split_once("] ")).collect();
        let expected = if logged { &[">> isready", "<< readyok", ">> quit"][..] } else { &[] };
        assert!(said.iter().map(|line| line.1).eq(expected.iter().copied()), "{log}");
        assert!(said.iter().all(|(mark, _)| mark.contains(':') && mark.contains("DEBUG")), "{log}");
    }
}
