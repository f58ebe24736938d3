//! The largest numbers, and names of files that are no text. The unit tests of the command line
//! have the numbers that are refused.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use super::folder;
use crate::program::{command, lovec_in, run};
use crate::samples::SAMPLES;

#[test]
fn the_largest_numbers_are_accepted() {
    let folder = folder("greatest");
    for line in [
        "tune samples.txt --epochs 2 --rate 1000 --batch 1000000000",
        "tune samples.txt --epochs 2 --validation 0.9 --pull 1",
        "datagen -o out.txt --games 1 --per-game 4294967295 --nodes 50",
        "book build games.pgn -o out.bin --max-ply 4294967295 --min-games=1",
    ] {
        lovec_in(&folder, &line.split(' ').collect::<Vec<_>>()).succeeded();
    }
    let huge = ["book", "build", "games.pgn", "-o", "none.bin", "--min-games", "4294967295"];
    run(command(&huge).current_dir(&folder), "").failed("no move with a point");
}

#[test]
fn file_names_need_not_be_utf_8() {
    let folder = folder("names");
    let name = OsStr::from_bytes(b"\xff");
    for arguments in [
        &["egtb", "build", "KQK", "--json", "-o"][..],
        &["egtb", "verify", "--json"],
        &["egtb", "probe", "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", "--json", "--dir"],
    ] {
        let mut command = command(arguments);
        run(command.arg(name).current_dir(&folder), "").succeeded();
    }
    fs::remove_dir_all(folder.join(name)).unwrap();
    for arguments in [
        &["tune", "samples.txt", "--epochs", "0", "--json", "-o"][..],
        &["book", "build", "games.pgn", "--min-games", "1", "--json", "-o"],
        &["datagen", "--games", "1", "--nodes", "50", "--json", "-o"],
    ] {
        let mut command = command(arguments);
        run(command.arg(name).current_dir(&folder), "").succeeded();
        assert!(folder.join(name).is_file(), "{arguments:?}");
        fs::remove_file(folder.join(name)).unwrap();
    }
}

#[test]
fn a_fit_reports_the_file_that_it_writes() {
    let folder = folder("fit");
    let tune = |arguments: &[&str]| {
        let arguments = [&["tune", "samples.txt", "--epochs", "1"], arguments].concat();
        run(command(&arguments).current_dir(&folder), "").succeeded().stdout
    };
    let nowhere = tune(&[]);
    assert!(!nowhere.contains("written") && nowhere.contains("\nrounded: loss "), "{nowhere}");
    let somewhere = tune(&["-o", "weights.rs"]);
    assert!(somewhere.contains("\nweights.rs: loss "), "{somewhere}");
    // The standard input is a dataset as well.
    let arguments = ["tune", "-", "--epochs", "1"];
    let piped = run(command(&arguments).current_dir(&folder), SAMPLES);
    let expected = nowhere.replace("samples.txt:", "-:");
    assert_eq!(piped.succeeded().stdout, expected);
}
