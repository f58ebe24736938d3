//! `lovec datagen`, whose file may change while it grows over hours.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::{folder, names};
use crate::program::{Ran, TIMEOUT, command, run, wait};

fn datagen(folder: &Path, games: &str) -> Ran {
    let arguments = ["datagen", "-o", "a.txt", "--nodes", "50", "--games", games];
    run(command(&arguments).current_dir(folder), "")
}

/// Starts an endless run, and returns once it has written games.
fn endless(folder: &Path) -> Child {
    let arguments = ["datagen", "-o", "a.txt", "--nodes", "50", "--games", "4000000000"];
    let mut command = command(&arguments);
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let deadline = Instant::now() + TIMEOUT;
    while fs::metadata(folder.join("a.txt")).map_or(0, |file| file.len()) == 0 {
        assert!(Instant::now() < deadline, "no game was written");
        thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Waits until a run fails, and returns its error.
fn error_of(mut child: Child) -> String {
    let status = wait(&mut child, TIMEOUT).expect("datagen goes on");
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!(status.code(), Some(2), "{error}");
    error
}

#[test]
fn a_file_that_is_removed_or_replaced_ends_the_run() {
    let folder = folder("datagen gone");
    let path = folder.join("a.txt");
    let child = endless(&folder);
    fs::remove_file(&path).unwrap();
    let removed = error_of(child);
    assert!(removed.contains("a.txt was removed or replaced"), "{removed}");
    assert!(!path.exists());
    fs::remove_file(folder.join("a.txt.progress")).unwrap();

    let child = endless(&folder);
    fs::write(folder.join("mine.txt"), "mine").unwrap();
    fs::rename(folder.join("mine.txt"), &path).unwrap();
    let replaced = error_of(child);
    assert!(replaced.contains("a.txt was removed or replaced"), "{replaced}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
}

#[test]
fn a_second_run_changes_nothing() {
    let folder = folder("datagen second");
    let mut child = endless(&folder);
    // Stopped, the first run writes nothing but keeps its lock.
    kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
    thread::sleep(Duration::from_millis(50));
    let contents = || {
        let read = |name: &str| fs::read(folder.join(name)).unwrap();
        (read("a.txt"), read("a.txt.progress"), names(&folder))
    };
    let before = contents();
    datagen(&folder, "1").failed("another datagen writes to a.txt");
    assert!(contents() == before, "the second run changed something");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn changed_contents_are_detected() {
    let folder = folder("datagen changed");
    datagen(&folder, "2").succeeded();
    let path = folder.join("a.txt");
    let text = fs::read_to_string(&path).unwrap();
    let others: [String; 2] = ["x".repeat(text.len()), text.replacen(" | 0.", " | 1.", 1)];
    for other in others.into_iter().filter(|other| *other != text) {
        fs::write(&path, &other).unwrap();
        datagen(&folder, "3").failed("a.txt was changed");
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
    }
    fs::write(&path, text).unwrap();
    datagen(&folder, "3").succeeded();
}

/// For example one built with other weights.
#[test]
fn another_engine_does_not_add_to_the_file() {
    let folder = folder("datagen engine");
    datagen(&folder, "2").succeeded();
    let progress = folder.join("a.txt.progress");
    let text = fs::read_to_string(&progress).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(json["settings"]["signature"].is_string(), "{text}");
    json["settings"]["signature"] = "00000000".into();
    fs::write(&progress, json.to_string()).unwrap();
    datagen(&folder, "3").failed("was begun with signature \"00000000\"");
}
