//! Paths where a file cannot or must not be written.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Stdio;

use super::{Kind, folder, with_file};
use crate::attacks::lovec_after;
use crate::program::{Ran, TIMEOUT, command, run, wait};

/// A command that appends to its file and those that write files into a folder, the value of
/// `FILE` (the file or its folder), and the written file. Commands with a file that the user
/// names write it in the way of the latter; the tests in `outputs` have them all.
const WRITERS: [(&[&str], &str, &str); 3] = [
    (&["datagen", "--games", "1", "--nodes", "50", "-o", "FILE"], "a.txt", "a.txt"),
    (&["egtb", "build", "KQK", "--force", "-o", "FILE"], ".", "KQvK.ltb"),
    (&["man", "--output-dir", "FILE"], ".", "lovec.1"),
];

fn run_in(folder: &Path, setup: &str, arguments: &[&str], file: &str) -> Ran {
    let mut command = lovec_after(setup, &with_file(arguments, file));
    run(command.current_dir(folder), "")
}

/// What identifies the file at a path.
fn identity(path: &Path) -> (u64, u32, u64) {
    let metadata = fs::symlink_metadata(path).unwrap();
    (metadata.ino(), metadata.mode(), metadata.rdev())
}

#[test]
fn special_files_are_neither_replaced_nor_followed() {
    let folder = folder("special outputs").with("secret", "secret");
    for (arguments, file, written) in WRITERS {
        let path = folder.join(written);
        let kinds = [Kind::Pipe, Kind::Device, Kind::Folder, Kind::Link, Kind::Dangling];
        for kind in kinds {
            kind.make(&path);
            let (before, others) = (identity(&path), folder.names());
            let ended = run_in(&folder, "true", arguments, file).failed("not a regular file");
            assert!(ended.stderr.contains(written), "{kind:?}: {ended:?}");
            assert_eq!(identity(&path), before, "{arguments:?}: {kind:?} was replaced");
            assert_eq!(folder.names(), others, "{arguments:?}: {kind:?}");
            assert_eq!(fs::read_to_string(folder.join("secret")).unwrap(), "secret");
            kind.remove(&path);
        }
    }
}

#[test]
fn a_full_disk_changes_no_file() {
    let folder = folder("full");
    for (arguments, file, written) in WRITERS {
        let full = "trap '' XFSZ && ulimit -f 0";
        let before = folder.names();
        run_in(&folder, full, arguments, file).failed(written);
        assert_eq!(folder.names(), before, "{arguments:?}");
        if arguments[0] == "datagen" {
            continue;
        }
        let path = folder.join(written);
        run_in(&folder, "true", arguments, file).succeeded();
        let old = (fs::read(&path).unwrap(), identity(&path), folder.names());
        run_in(&folder, full, arguments, file).failed(written);
        let new = (fs::read(&path).unwrap(), identity(&path), folder.names());
        assert!(new == old, "{arguments:?}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn concurrent_writers_leave_one_whole_file() {
    let folder = folder("two writers");
    // Not datagen, which appends.
    for (arguments, file, written) in &WRITERS[1..] {
        let path = folder.join(written);
        run_in(&folder, "true", arguments, file).succeeded();
        let (whole, others) = (fs::read(&path).unwrap(), folder.names());
        for _ in 0..2 {
            fs::remove_file(&path).unwrap();
            let arguments = with_file(arguments, file);
            let start = || {
                let mut command = command(&arguments);
                command.current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null());
                command.spawn().unwrap()
            };
            for mut child in [start(), start(), start()] {
                let status = wait(&mut child, TIMEOUT);
                assert!(status.is_some_and(|status| status.success()), "{arguments:?}: {status:?}");
            }
            assert!(fs::read(&path).unwrap() == whole, "{arguments:?}: the file is not whole");
            assert_eq!(folder.names(), others, "{arguments:?}: something was left behind");
        }
        fs::remove_file(&path).unwrap();
    }
}
