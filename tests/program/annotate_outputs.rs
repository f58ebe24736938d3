//! What `lovec annotate` leaves behind: whole files or the old ones, and memory that does not
//! grow with the games that are not selected.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::folder::folder;
use crate::program::{self, Ran, TIMEOUT, command, lovec_in, wait_until, wait_until_caught};

/// The outputs of a run, with the options that name them.
const OUTPUTS: [&[&str]; 4] = [
    &["-o", "out.pgn"],
    &["--html", "out.html"],
    &["--json", "out.json"],
    &["--exercises", "out.epd"],
];

const NAMES: [&str; 4] = ["out.pgn", "out.html", "out.json", "out.epd"];

/// Games with a fault each, no two of them alike, so that they do not share their searches.
fn faults(count: usize) -> String {
    let game = |number: usize| {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
        format!("[FEN \"{start} {number}\"]\n\ne4 e5 Nf3 Qg5 h3 d6 Nxg5 Be7 h4 *\n\n")
    };
    (1..=count).map(game).collect()
}

/// A file of many games of two players each.
fn database(games: usize) -> String {
    let mut text = String::new();
    for number in 1..=games {
        let round = number % 1000;
        writeln!(
            text,
            "[White \"Player {round}\"]\n[Black \"Kos\"]\n\n1. e4 {{ a comment }} e5 2. Nf3 Nc6 \
             3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 \
             11. d4 Qc7 12. Nbd2 cxd4 13. cxd4 Nc6 14. Nb3 a5 15. Be3 a4 16. Nbd2 Bd7 1/2-1/2\n"
        )
        .unwrap();
    }
    text
}

fn annotate(folder: &Path, options: &[&str]) -> Ran {
    lovec_in(folder, &[&["annotate", "--hash", "1", "in.pgn"], options].concat())
}

fn contents(folder: &Path) -> Vec<Option<Vec<u8>>> {
    NAMES.iter().map(|name| fs::read(folder.join(name)).ok()).collect()
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = command(&[&["annotate", "--hash", "1"], arguments].concat());
    command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

/// Sends a signal; returns how the process has ended, and how long that took.
fn interrupt(child: Child, signal: Signal) -> (Ran, Duration) {
    kill_process(Pid::from_child(&child), signal).unwrap();
    let start = Instant::now();
    (program::end(child, signal, TIMEOUT), start.elapsed())
}

/// How many searches the progress file holds.
fn searches(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("out.pgn.progress")).unwrap_or_default();
    text.lines().count().saturating_sub(1)
}

fn wait_for_searches(folder: &Path, child: &mut Child, count: usize) {
    wait_until(child, |_| searches(folder) >= count);
}

/// Before the first search, within the first game and after several games; with one thread
/// and with two; by Ctrl-C and by SIGTERM; with and without old files.
#[test]
fn an_interrupted_run_changes_no_file() {
    let folder = folder("interrupted");
    let outputs = OUTPUTS.concat();
    for (moment, nodes, threads, signal, has_old) in [
        (0, "1000000000", "1", Signal::INT, true),
        (1, "100000", "1", Signal::INT, false),
        (2, "20000", "2", Signal::TERM, true),
        (14, "10000", "1", Signal::TERM, false),
        (40, "2000", "2", Signal::INT, true),
    ] {
        for name in folder.names() {
            fs::remove_file(folder.join(name)).unwrap();
        }
        fs::write(folder.join("in.pgn"), faults(2)).unwrap();
        if has_old {
            annotate(&folder, &[&outputs[..], &["--nodes", "500"]].concat()).succeeded();
        }
        let old = contents(&folder);
        assert!(old.iter().all(|old| old.as_ref().is_some_and(|old| !old.is_empty()) == has_old));
        fs::write(folder.join("in.pgn"), faults(200)).unwrap();
        let force: &[&str] = if has_old { &["--force"] } else { &[] };
        let options = [&outputs[..], &["--nodes", nodes, "--threads", threads], force].concat();
        let mut child = start(&folder, &[&["in.pgn"], &options[..]].concat());
        wait_until(&mut child, |_| folder.join("out.pgn.progress").exists());
        wait_for_searches(&folder, &mut child, moment);
        let (ran, _) = interrupt(child, signal);
        let ran = ran.orderly();
        let status = 128 + signal.as_raw();
        assert_eq!(ran.status, Some(status), "{moment}: {ran:?}");
        assert!(contents(&folder) == old, "{moment}: {ran:?}");
        assert!(!ran.stdout.contains("wrote"), "{ran:?}");
        assert!(
            ran.stdout.contains("\ninterrupted after ") && ran.stdout.contains(" of 200 games\n"),
            "{ran:?}"
        );
        let none_is_finished = ran.stdout.contains("\ninterrupted after 0 of ");
        assert!(moment != 0 || none_is_finished, "{ran:?}");
        assert!(moment != 40 || !none_is_finished, "{ran:?}");
        let goes_on = "the same command goes on from here";
        let has_progress = searches(&folder) > 0;
        assert_eq!(ran.stdout.contains(goes_on), has_progress, "{ran:?}");
        assert_eq!(folder.join("out.pgn.progress").exists(), has_progress);
        assert_eq!(has_progress, moment > 0);
        assert!(folder.names().iter().all(|name| !name.starts_with('.')), "{:?}", folder.names());
    }
}

/// A run that was interrupted left nothing at the place of the output.
#[test]
fn a_file_that_came_after_an_interruption_stays() {
    let folder = folder("came-after")
        .with("in.pgn", database(1))
        .with("out.pgn.progress", "searches\n")
        .with("out.pgn", "mine");
    let ran = lovec_in(&folder, &["annotate", "in.pgn", "-o", "out.pgn", "--nodes", "1"]);
    ran.refused("out.pgn exists");
    assert_eq!(fs::read_to_string(folder.join("out.pgn")).unwrap(), "mine");
}

/// A run that goes on after interruptions, one of them in the middle of a write, writes what an
/// undisturbed one writes, over old files.
#[test]
fn an_interrupted_run_goes_on_to_the_same_files() {
    let folder = folder("resumed").with("in.pgn", faults(20));
    let options = [&OUTPUTS.concat()[..], &["--nodes", "1000"]].concat();
    annotate(&folder, &options).succeeded();
    let whole = contents(&folder);
    for threads in ["1", "2", "3"] {
        NAMES.iter().for_each(|name| fs::write(folder.join(name), "old").unwrap());
        let options = [&options[..], &["--threads", threads]].concat();
        for (signal, count) in [(Signal::INT, 15), (Signal::KILL, 30), (Signal::TERM, 45)] {
            let mut child = start(&folder, &[&["in.pgn"], &options[..], &["--force"]].concat());
            wait_for_searches(&folder, &mut child, count);
            let (ran, _) = interrupt(child, signal);
            if signal == Signal::KILL {
                let file = OpenOptions::new().append(true).open(folder.join("out.pgn.progress"));
                file.unwrap().write_all(b"{\"game\":\"00").unwrap();
            } else {
                assert_eq!(ran.status, Some(128 + signal.as_raw()), "{ran:?}");
            }
            assert!(contents(&folder).iter().all(|old| old.as_deref() == Some(b"old")));
        }
        let ran = annotate(&folder, &[&options[..], &["--force"]].concat()).succeeded();
        assert!(ran.stdout.contains("; wrote out.pgn\n"));
        assert!(contents(&folder) == whole, "{threads} threads");
        assert_eq!(folder.names(), ["in.pgn", "out.epd", "out.html", "out.json", "out.pgn"]);
    }
}

/// Ctrl-C does not wait for the standard input, a long game or a large file.
#[test]
fn ctrl_c_is_answered_soon() {
    // The bound is far above what a loaded machine takes, and far below what such a game took.
    let soon = Duration::from_secs(20);
    let long = format!("{}*\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(20_000));
    let folder = folder("soon").with("long.pgn", long).with("large.pgn", database(30_000));
    for (input, options) in [
        ("-", &[][..]),
        ("long.pgn", &[]),
        ("long.pgn", &["--threads", "2"]),
        ("large.pgn", &[]),
        ("large.pgn", &["--player", "player 7", "--threads", "2"]),
        ("large.pgn", &["--games", "30000"]),
    ] {
        let fixed = [input, "-o", "out.pgn", "--nodes", "10"];
        let mut child = start(&folder, &[&fixed[..], options].concat());
        wait_until_caught(&mut child);
        // Games that only pass through are soon over.
        let delay = if input == "large.pgn" { 5 } else { 300 };
        thread::sleep(Duration::from_millis(delay));
        let (ran, elapsed) = interrupt(child, Signal::INT);
        assert_eq!(ran.status, Some(130), "{input} {options:?}: {ran:?}");
        assert!(elapsed < soon, "{input} {options:?}: {elapsed:?}");
        assert!(!folder.join("out.pgn").exists());
        let _ = fs::remove_file(folder.join("out.pgn.progress"));
    }
}

/// The work for a game grows with its length, not with the square of it.
#[test]
fn a_long_game_is_annotated() {
    let folder = folder("long").with("in.pgn", format!("{}*\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(5_000)));
    let ran = annotate(&folder, &["-o", "out.pgn", "--nodes", "1", "--threads", "2"]).succeeded();
    assert!(ran.stdout.contains("20000 plies"), "{ran:?}");
}

/// A game that is longer than any real one takes no memory and no time: it stays as it is.
#[test]
fn an_endless_game_stays_as_it_is() {
    let text = format!("{}*\n\n1. e4 *\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(30_000));
    let folder = folder("endless").with("in.pgn", text);
    let ran = annotate(&folder, &["-o", "out.pgn", "--html", "out.html", "--nodes", "10"]);
    let ran = ran.succeeded();
    let notice = "game 1 has more than 100000 plies: it stays as it is";
    assert!(ran.stderr.contains(notice), "{ran:?}");
    let written = fs::read_to_string(folder.join("out.pgn")).unwrap();
    let (endless, short) = written.split_once("\n\n\n").unwrap_or(("", &written));
    assert!(!endless.contains("[%eval") && short.contains("[%eval"), "{}", written.len());
    assert!(fs::metadata(folder.join("out.html")).unwrap().len() < 100_000);
}

#[test]
fn nothing_selected_is_an_error() {
    let folder = folder("nothing").with("in.pgn", faults(3)).with("out.pgn", "old");
    for (options, error) in [
        (&["--player", "Nemo"][..], "no game of 3 in in.pgn matches --player Nemo"),
        (&["--player", "Nemo", "--side", "white"], "matches --player Nemo"),
        (&["--games", "4"], "no game of 3 in in.pgn matches --games 4"),
        (&["--games", "4-9"], "--games 4-9"),
        (&["--games", "1", "--player", "x"], "--player x --games 1"),
    ] {
        let fixed = ["-o", "out.pgn", "--force", "--nodes", "100"];
        annotate(&folder, &[&fixed[..], options].concat()).refused(error);
        assert_eq!(fs::read(folder.join("out.pgn")).unwrap(), b"old");
        assert_eq!(folder.names(), ["in.pgn", "out.pgn"]);
    }
    let input = |options: &[&str], text: &str| {
        let fixed = ["annotate", "-", "-o", "new.pgn", "--nodes", "100"];
        let mut command = command(&[&fixed[..], options].concat());
        program::run(command.current_dir(&*folder), text)
    };
    input(&["--player", "Nemo"], &faults(3)).refused("no game of 3 in - matches");
    input(&["--games", "7"], &faults(3)).refused("matches --games 7");
    input(&[], "").refused("no games in -");
    assert_eq!(folder.names(), ["in.pgn", "out.pgn"]);
}

/// The games come from files or from the standard input, and those that are not selected stay
/// as they are: the bytes are the same for any number of threads.
#[test]
fn games_pass_through_in_order() {
    let text = database(1000);
    let folder = folder("through").with("in.pgn", &text);
    for selection in [&["--player", "player 99"][..], &["--games", "1"], &["--games", "999-1000"]] {
        let run = |input: &str, output: &str, threads: &str| {
            let files = ["annotate", input, "-o", output];
            let limits = ["--depth", "2", "--hash", "1", "--threads", threads];
            let mut command = command(&[&files[..], &limits, selection].concat());
            let text = if input == "-" { &*text } else { "" };
            program::run(command.current_dir(&*folder), text).succeeded();
            let written = fs::read_to_string(folder.join(output)).unwrap();
            fs::remove_file(folder.join(output)).unwrap();
            written
        };
        let written = run("in.pgn", "a.pgn", "1");
        let (before, after) = (crate::annotate::games(&text), crate::annotate::games(&written));
        assert_eq!(after.len(), before.len());
        let changed = before.iter().zip(&after).filter(|(a, b)| a.elements() != b.elements());
        let changed = changed.count();
        assert!(changed == if selection[0] == "--player" { 11 } else { changed.clamp(1, 2) });
        for (input, threads) in [("in.pgn", "3"), ("-", "2")] {
            assert!(run(input, "b.pgn", threads) == written, "{selection:?} {input} {threads}");
        }
    }
}

#[test]
fn memory_does_not_grow_with_the_games_that_pass_through() {
    let text = database(20_000);
    let folder = folder("memory").with("in.pgn", &text);
    // The bounds in MiB are about twice what a run takes.
    for (input, options, bound) in [
        ("-", &["--games", "20000", "--threads", "4"][..], 90),
        ("in.pgn", &["--player", "player 777", "--side", "white", "--threads", "2"], 70),
    ] {
        let fixed = [input, "-o", "out.pgn", "--nodes", "1"];
        let mut child = start(&folder, &[&fixed[..], options].concat());
        let mut stdin = child.stdin.take().unwrap();
        let text = if input == "-" { text.clone() } else { String::new() };
        let writer = thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
        let mut most = 0;
        let deadline = Instant::now() + TIMEOUT;
        while child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "{options:?} does not end");
            most = most.max(program::memory_mib(&child, "VmHWM").unwrap_or(0));
            thread::sleep(Duration::from_millis(2));
        }
        writer.join().unwrap();
        assert!(child.wait().unwrap().success(), "{options:?}");
        assert!((1..bound).contains(&most), "{input} {options:?}: {most} MiB");
        let _ = fs::remove_file(folder.join("out.pgn"));
    }
}
