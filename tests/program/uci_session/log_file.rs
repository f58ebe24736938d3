//! The option `Debug Log File`, and the dialogue in the log of the program.

use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;

use crate::folder::folder;
use crate::program::{command, run};
use crate::session::Session;

/// A file name with spaces, which the value of an option may have.
const NAME: &str = "a dialogue.log";

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
    let folder = folder("everything");
    let path = folder.join(NAME);
    let mut session = Session::start();
    session.uci();
    open(&mut session, &path);
    // Setting the option was followed by `isready`.
    let mut expected = vec![">> isready".to_owned(), "<< readyok".to_owned()];
    let mut replies = |session: &mut Session, command: &str, last: &str| {
        session.send(command);
        expected.extend(command.lines().map(|line| format!(">> {line}")));
        expected.extend(session.until(last).iter().map(|line| format!("<< {line}")));
    };
    replies(&mut session, "uci", "uciok");
    replies(&mut session, "setoption name Hash value 0", "info string");
    replies(&mut session, "position fen blah", "info string");
    replies(&mut session, "joho isready", "readyok");
    replies(&mut session, "position startpos\tmoves e2e4\nisready", "readyok");
    replies(&mut session, "go depth 4", "bestmove");
    drop(session);
    expected.push(">> quit".to_owned());
    assert_eq!(lines(&path), expected);
}

#[test]
fn an_empty_value_closes_the_file_and_a_name_appends_to_it() {
    let folder = folder("pauses");
    let path = folder.join(NAME);
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
    drop(session);
    let after = lines(&path);
    assert_eq!(after[..before.len()], before);
    assert_eq!(after[before.len()..], [">> isready", "<< readyok", ">> quit"]);
}

/// Opening a pipe without a reader would wait forever, and a device may do anything.
#[cfg(target_os = "linux")]
#[test]
fn pipes_and_devices_are_refused() {
    let folder = folder("pipe");
    let path = folder.join(NAME);
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success(), "{made}");
    let mut session = Session::start();
    for path in [path.to_str().unwrap(), "/dev/null"] {
        session.refused(&format!("setoption name Debug Log File value {path}"));
    }
}

/// On the standard error, with the time of day; the standard output has only the dialogue.
#[test]
fn the_log_has_the_dialogue() {
    for (arguments, level, logged) in [
        (&["--log-level", "debug"][..], "warn", true),
        (&[], "debug", true),
        (&[], "lovec::uci=debug", true),
        (&[], "warn", false),
        (&["--log-level", "off"], "debug", false),
    ] {
        let ran = run(command(arguments).env("RUST_LOG", level), "isready\nquit\n").succeeded();
        assert_eq!(ran.stdout, "readyok\n");
        let log = ran.stderr;
        let replies: Vec<(&str, &str)> =
            log.lines().filter_map(|line| line.split_once("] ")).collect();
        let expected = if logged { &[">> isready", "<< readyok", ">> quit"][..] } else { &[] };
        assert!(replies.iter().map(|line| line.1).eq(expected.iter().copied()), "{log}");
        assert!(
            replies.iter().all(|(mark, _)| mark.contains(':') && mark.contains("DEBUG")),
            "{log}"
        );
    }
}
