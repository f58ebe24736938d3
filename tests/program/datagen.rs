//! `lovec datagen` on the command line.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use lovec::chess::Position;
use lovec::tuner::sample::Sample;

use crate::folder::folder;
use crate::program::{self, Ran};

/// Few games with few nodes.
const QUICK: [&str; 4] = ["--games", "6", "--nodes", "200"];

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = program::command(&[&["datagen"], arguments].concat());
    command.current_dir(folder);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Ran {
    program::run(&mut command(folder, arguments), "")
}

/// Runs to the end and returns the last line of the output.
fn datagen(folder: &Path, arguments: &[&str]) -> String {
    run(folder, arguments).succeeded().last_line().to_owned()
}

/// A file and its progress file.
fn contents(folder: &Path, name: &str) -> (Vec<u8>, String) {
    let progress = fs::read_to_string(folder.join(format!("{name}.progress"))).unwrap();
    (fs::read(folder.join(name)).unwrap(), progress)
}

fn samples(text: &str) -> Vec<Sample> {
    text.lines()
        .map(|line| line.parse().unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

#[test]
fn the_same_seed_gives_the_same_file_on_any_number_of_threads() {
    let folder = folder("threads");
    let play = |name: &str, seed: &str, threads: &str| {
        let arguments = ["-o", name, "--seed", seed, "--threads", threads];
        datagen(&folder, &[&arguments[..], &QUICK].concat());
        contents(&folder, name)
    };
    let one = play("one.txt", "7", "1");
    assert_eq!(one, play("two.txt", "7", "2"));
    assert_ne!(one.0, play("other.txt", "8", "2").0);
}

#[test]
fn the_tuner_reads_every_line() {
    let folder = folder("lines");
    let arguments = [&["-o", "a.txt", "--per-game", "5"][..], &QUICK].concat();
    let summary = datagen(&folder, &arguments);
    let text = fs::read_to_string(folder.join("a.txt")).unwrap();
    let samples = samples(&text);
    assert!(!samples.is_empty() && samples.len() <= 6 * 5, "{text}");
    assert!(summary.starts_with(&format!("6 games, {} positions, ", samples.len())), "{summary}");
    for Sample { position, score, result } in &samples {
        let fen = position.fen();
        assert!(!position.in_check() && !position.legal_moves().is_empty(), "{fen}");
        assert!(score.abs() < 9000 && [0.0, 0.5, 1.0].contains(result), "{fen}");
        assert!(text.contains(&format!("{fen} | {score} | {result:.1}\n")), "{fen}");
    }
}

#[test]
fn games_are_added_up_to_the_requested_number() {
    let folder = folder("more");
    let play = |name: &str, games: &str| {
        datagen(&folder, &["-o", name, "--nodes", "200", "--games", games, "--threads", "2"])
    };
    let summary = play("whole.txt", "7");
    for games in ["1", "4", "7"] {
        play("parts.txt", games);
    }
    let whole = contents(&folder, "whole.txt");
    assert_eq!(contents(&folder, "parts.txt"), whole);
    for games in ["7", "2"] {
        assert_eq!(play("parts.txt", games), summary);
        assert_eq!(contents(&folder, "parts.txt"), whole);
    }
}

/// A run that would take days.
const ENDLESS: [&str; 8] =
    ["-o", "a.txt", "--nodes", "200", "--games", "4000000000", "--threads", "2"];

/// Starts [`ENDLESS`], and returns once it has stored games.
fn start_endless(folder: &Path) -> Child {
    let mut command = command(folder, &ENDLESS);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    program::wait_until(&mut child, |_| stored_games(folder) > 0);
    child
}

fn stored_games(folder: &Path) -> u64 {
    let text = fs::read_to_string(folder.join("a.txt.progress")).unwrap_or_default();
    serde_json::from_str::<Value>(&text).map_or(0, |json| json["games"].as_u64().unwrap())
}

/// On Windows an open file cannot be removed.
#[cfg(unix)]
#[test]
fn a_run_ends_when_its_file_is_gone() {
    let folder = folder("gone");
    let mut child = start_endless(&folder);
    fs::remove_file(folder.join("a.txt")).unwrap();
    let status = program::wait(&mut child, program::TIMEOUT).expect("datagen goes on");
    let error = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert!(status.code() == Some(2) && error.contains("a.txt was removed or replaced"), "{error}");
    assert!(!folder.join("a.txt").exists());
}

#[test]
fn a_killed_run_is_continued() {
    let folder = folder("killed");
    let mut child = start_endless(&folder);
    run(&folder, &ENDLESS).refused("another datagen");
    child.kill().unwrap();
    child.wait().unwrap();
    let before = stored_games(&folder);

    // A kill in the middle of a write may leave this.
    let (data, progress) = contents(&folder, "a.txt");
    let mut progress: Value = serde_json::from_str(&progress).unwrap();
    let valid = &data[..progress["bytes"].as_u64().unwrap() as usize];
    progress["pending"] = 20.into();
    fs::write(folder.join("a.txt"), [valid, b"8/8/8/8/8/8/8/K1k"].concat()).unwrap();
    fs::write(folder.join("a.txt.progress"), progress.to_string()).unwrap();
    fs::write(folder.join(".lovec-0.tmp"), "{\"bytes\":").unwrap();

    let games = (before + 2).to_string();
    datagen(&folder, &["-o", "a.txt", "--nodes", "200", "--games", &games]);
    datagen(&folder, &["-o", "b.txt", "--nodes", "200", "--games", &games, "--threads", "2"]);
    assert_eq!(contents(&folder, "a.txt"), contents(&folder, "b.txt"));
}

#[test]
fn games_begin_from_the_openings() {
    // Knights against bishops: no game ever has more pieces.
    let text = "# two endings\n\n4k3/pp3p2/4bb2/8/8/3N1N2/PP3P2/4K3 w - - 0 1\n\
                4k3/pp3p2/4bb2/8/8/3N1N2/PP3P2/4K3 b - - bm a6; id \"two\";\n";
    let folder = folder("openings").with("openings.epd", text);
    datagen(&folder, &[&["-o", "a.txt", "--openings", "openings.epd"][..], &QUICK].concat());
    let text = fs::read_to_string(folder.join("a.txt")).unwrap();
    assert!(!text.is_empty());
    let pieces = |position: &Position| position.occupied().len();
    assert!(samples(&text).iter().all(|sample| pieces(&sample.position) <= 12), "{text}");

    // Without random moves each opening gives one game.
    let arguments =
        ["-o", "b.txt", "--openings", "openings.epd", "--random-plies", "0", "--nodes", "200"];
    datagen(&folder, &[&arguments[..], &["--games", "2"]].concat());
    run(&folder, &[&arguments[..], &["--games", "3"]].concat()).refused("2 openings");
}

#[test]
fn bad_openings_are_reported_and_nothing_is_written() {
    let folder = folder("bad_openings")
        .with("bad.epd", "# one\n8/8/8/8/8/8/8/K1k5 w - -\n8/8/8 w - -\n")
        .with("empty.epd", "\n")
        .with("binary.epd", [0xFF, 0xFE, 0x00]);
    for (file, expected) in [
        ("absent.epd", "absent.epd"),
        ("bad.epd", "bad.epd, line 3"),
        ("empty.epd", "empty.epd: it contains no position"),
        ("binary.epd", "binary.epd"),
    ] {
        run(&folder, &["-o", "a.txt", "--openings", file]).refused(expected);
        assert!(!folder.join("a.txt").exists() && !folder.join("a.txt.progress").exists());
    }
    // A finished position gives no game.
    fs::write(folder.join("over.epd"), "8/8/8/8/8/8/8/K1k5 w - -\n").unwrap();
    run(&folder, &["-o", "a.txt", "--openings", "over.epd"]).refused("over or decided");
}

#[test]
fn only_the_same_options_continue_a_file() {
    let folder =
        folder("settings").with("openings.epd", "4k3/pp3p2/4bb2/8/8/3N1N2/PP3P2/4K3 w - -\n");
    datagen(&folder, &[&["-o", "a.txt"][..], &QUICK].concat());
    let before = contents(&folder, "a.txt");
    for (option, value, name) in [
        ("--seed", "2", "seed"),
        ("--nodes", "100", "nodes"),
        ("--per-game", "3", "per-game"),
        ("--random-plies", "9", "random-plies"),
        ("--openings", "openings.epd", "openings"),
    ] {
        let mut arguments = vec!["-o", "a.txt", "--games", "9"];
        if option != "--nodes" {
            arguments.extend(["--nodes", "200"]);
        }
        if option == "--openings" {
            arguments.extend(["--random-plies", "8"]);
        }
        arguments.extend([option, value]);
        run(&folder, &arguments).refused(&format!("begun with {name} "));
        assert_eq!(contents(&folder, "a.txt"), before);
    }
    // Another engine, for example one built with other weights.
    let mut json: Value = serde_json::from_str(&before.1).unwrap();
    assert!(json["settings"]["signature"].is_string(), "{json}");
    json["settings"]["signature"] = "00000000".into();
    fs::write(folder.join("a.txt.progress"), json.to_string()).unwrap();
    run(&folder, &["-o", "a.txt", "--nodes", "200", "--games", "9"])
        .refused("a.txt was begun by another version of Lovec");
    assert_eq!(contents(&folder, "a.txt"), (before.0, json.to_string()));
}

#[test]
fn damaged_files_are_rejected() {
    let folder = folder("damaged");
    let arguments = ["-o", "a.txt", "--nodes", "200", "--games", "9"];
    datagen(&folder, &[&["-o", "a.txt"][..], &QUICK].concat());
    let (data, progress) = contents(&folder, "a.txt");

    fs::write(folder.join("a.txt"), &data[1..]).unwrap();
    run(&folder, &arguments).refused("lost games");
    assert_eq!(fs::read(folder.join("a.txt")).unwrap(), &data[1..]);
    let added = [&data[..], &data[..]].concat();
    fs::write(folder.join("a.txt"), &added).unwrap();
    run(&folder, &arguments).refused(&format!("a.txt has {} bytes that datagen", data.len()));
    assert_eq!(contents(&folder, "a.txt"), (added, progress.clone()));
    fs::write(folder.join("a.txt"), &data).unwrap();

    let damaged = &progress[..progress.len() / 2];
    fs::write(folder.join("a.txt.progress"), damaged).unwrap();
    run(&folder, &arguments).refused("a.txt.progress");
    assert_eq!(contents(&folder, "a.txt"), (data, damaged.to_owned()));
}

#[test]
fn unwritable_files_are_noticed_before_any_game() {
    let folder = folder("unwritable");
    fs::create_dir(folder.join("blocked.txt.progress")).unwrap();
    for output in [".", "blocked.txt"] {
        // One such game would take minutes.
        run(&folder, &["-o", output, "--nodes", "100000000"]).refused(output);
    }
}
