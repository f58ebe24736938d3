//! Too few threads and too little memory.
//!
//! Under any limit the program refuses to start with an error, or answers every command with
//! as many threads and as large a table as it gets.

use std::fs;
use std::path::{Path, PathBuf};

use crate::attacks::{folder, lovec_after, lovec_with_processes};
use crate::program::{Ran, command, run};

/// A game after as many changes as possible; four answers and a move.
const GAME: &str = "setoption name Threads value 16\nisready\nucinewgame\nisready\n\
                    setoption name Hash value 64\nisready\nucinewgame\nisready\n\
                    position startpos moves e2e4\ngo depth 4\n";
const READY: usize = 4;

/// Fails unless the engine refused to start or answered a whole game. Returns whether it
/// played.
#[track_caller]
fn refused_or_played(ended: Ran, limit: &str) -> bool {
    let ended = ended.orderly();
    let refused = ended.status == Some(2) && ended.stderr.starts_with("error: ");
    if refused {
        assert_eq!(ended.stdout, "", "{limit}: {ended:?}");
    } else {
        assert!(ended.status == Some(0), "{limit}: {ended:?}");
        assert_eq!(ended.lines_starting_with("readyok"), READY, "{limit}: {ended:?}");
        assert_eq!(ended.lines_starting_with("bestmove "), 1, "{limit}: {ended:?}");
        assert_eq!(ended.lines_starting_with("bestmove (none)"), 0, "{limit}: {ended:?}");
    }
    !refused
}

/// Fails unless a command was carried out or refused with a clear error.
#[track_caller]
fn refused_or_done(ended: Ran) -> bool {
    let ended = ended.orderly();
    let done = ended.status == Some(0);
    if !done {
        ended.failed("error: ");
    }
    done
}

#[test]
fn a_game_goes_on_with_any_number_of_threads() {
    let folder = folder("processes");
    let played = |processes| {
        let ended = run(&mut lovec_with_processes(processes, &folder, &[]), GAME);
        refused_or_played(ended, &format!("ulimit -u {processes}"))
    };
    assert!((1..=12).map(played).filter(|&played| played).count() > 4);
}

#[test]
fn fewer_threads_are_reported() {
    let folder = folder("named");
    let ended = run(&mut lovec_with_processes(8, &folder, &[]), GAME).succeeded();
    assert_eq!(
        ended.lines_starting_with("info string error: could not start 16 threads; using "),
        1
    );
}

#[test]
fn a_game_goes_on_with_any_memory() {
    let game = GAME.replace("Threads value 16", "Threads value 1024");
    let played = |kib| {
        let setup = format!("ulimit -v {kib}");
        refused_or_played(run(&mut lovec_after(&setup, &[]), &game), &setup)
    };
    assert!(!played(60_000), "the first table does not fit");
    let played = (100_000..=2_000_000).step_by(126_000).map(played).filter(|&played| played);
    assert!(played.count() > 10);
}

#[test]
fn a_hash_that_leaves_no_memory_is_refused() {
    let game = |mib| {
        format!(
            "setoption name Hash value {mib}\nisready\nucinewgame\ngo depth 4\nisready\n\
             setoption name Hash value 100\nisready\nisready\n"
        )
    };
    for mib in [500, 800, 860, 900, 960] {
        let ended = run(&mut lovec_after("ulimit -v 1000000", &[]), &game(mib)).succeeded();
        assert_eq!(ended.lines_starting_with("readyok"), READY, "{mib}: {ended:?}");
        assert_eq!(ended.lines_starting_with("bestmove "), 1, "{mib}: {ended:?}");
        let errors = ended.lines_starting_with("info string error: ");
        assert!(mib < 900 || errors > 0, "{mib}: {ended:?}");
    }
}

/// A suite of `positions` positions, each with a mate to find.
fn suite(folder: &Path, positions: usize) -> PathBuf {
    let path = folder.join("suite.epd");
    let line = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n";
    fs::write(&path, line.repeat(positions)).unwrap();
    path
}

#[test]
fn a_suite_is_solved_with_any_memory() {
    let folder = folder("suite memory");
    for (positions, threads, hash) in [(100, "1024", "16"), (4, "4", "1024")] {
        let path = suite(&folder, positions);
        let path = path.to_str().unwrap();
        let arguments = ["epd", path, "--depth", "2", "--threads", threads, "--hash", hash];
        let ended = run(&mut lovec_after("ulimit -v 2500000", &arguments), "").succeeded();
        assert!(ended.stdout.ends_with(&format!(" {positions}/{positions}\n")), "{ended:?}");
    }
    let path = suite(&folder, 1);
    let arguments = ["epd", path.to_str().unwrap(), "--depth", "2", "--hash", "3000"];
    run(&mut lovec_after("ulimit -v 2500000", &arguments), "").failed("3000 MiB");
}

#[test]
fn an_analysis_goes_on_with_any_memory() {
    let arguments = ["analyse", "startpos", "--depth", "4", "--threads", "1024", "--hash", "1"];
    let ended = run(&mut lovec_after("ulimit -v 2500000", &arguments), "").succeeded();
    assert!(ended.stdout.contains("best move: "), "{ended:?}");
    assert!(ended.stderr.contains("could not start 1024 threads; using "), "{ended:?}");
}

#[test]
fn games_are_played_with_any_memory() {
    let folder = folder("games memory");
    let output = folder.join("games.txt");
    let output = output.to_str().unwrap();
    // The games of the first players last longer than the start of the others.
    let arguments =
        ["datagen", "-o", output, "--games", "16", "--nodes", "1000", "--threads", "1024"];
    let ended = run(&mut lovec_after("ulimit -v 400000", &arguments), "").succeeded();
    assert!(ended.stderr.contains("could not start 16 threads; using "), "{ended:?}");
    assert!(ended.stdout.starts_with("16 games"), "{ended:?}");
}

#[test]
fn commands_are_carried_out_or_refused_with_any_number_of_threads() {
    let folder = folder("commands");
    let path = suite(&folder, 4);
    let path = path.to_str().unwrap();
    let commands: [&[&str]; 6] = [
        &["bench", "1", "--hash", "17"],
        &["bench", "1", "--threads", "4", "--hash", "1"],
        &["datagen", "-o", "games.txt", "--games", "4", "--nodes", "1", "--threads", "4"],
        &["epd", path, "--depth", "2", "--threads", "4", "--hash", "1"],
        &["analyse", "startpos", "--depth", "2", "--threads", "4"],
        &["egtb", "build", "KQK", "-o", "tables", "--force"],
    ];
    for arguments in commands {
        let done = |processes| {
            refused_or_done(run(&mut lovec_with_processes(processes, &folder, arguments), ""))
        };
        let done = [1, 4, 12].into_iter().filter(|&processes| done(processes));
        assert!(done.count() > 0, "{arguments:?}");
    }
}

#[test]
fn a_hash_option_beyond_the_memory_is_refused() {
    let hash = ["--hash", "1000"];
    for command in [&["bench", "1"][..], &["analyse", "startpos", "--depth", "1"]] {
        let arguments = [command, &hash].concat();
        run(&mut lovec_after("ulimit -v 1000000", &arguments), "").failed("1000 MiB");
    }
}

/// `RAYON_NUM_THREADS` is read by every program that uses rayon.
#[test]
fn a_number_of_threads_in_the_environment_is_harmless() {
    let folder = folder("environment");
    let output = folder.join("tables");
    let commands: [&[&str]; 2] =
        [&[], &["egtb", "build", "KQK", "-o", output.to_str().unwrap(), "--force"]];
    for number in ["0", "many", "2000", "99999999999999999999"] {
        for arguments in commands {
            let mut command = command(arguments);
            command.env("RAYON_NUM_THREADS", number);
            run(&mut command, GAME).succeeded();
        }
    }
}
