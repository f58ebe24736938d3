//! Invalid input files.

use std::fs;

use super::{Kind, folder, with_file};
use crate::attacks::lovec_after;
use crate::program::run;

/// Enough memory for any command, and less than the gzip bomb needs.
const MEMORY: &str = "ulimit -v 8000000";

/// Every command that reads a file, and the extension of the file.
const READERS: [(&[&str], &str); 9] = [
    (&["tune", "FILE", "--epochs", "1"], "txt"),
    (&["tune", "samples.txt", "--test", "FILE", "--epochs", "1"], "txt"),
    (&["wdl", "FILE"], "gz"),
    (&["datagen", "-o", "out.txt", "--openings", "FILE", "--games", "1"], "epd"),
    (&["book", "build", "FILE", "-o", "out.bin"], "pgn"),
    (&["book", "show", "FILE"], "bin"),
    (&["epd", "FILE", "--depth", "1"], "epd"),
    (&["lab", "fit", "FILE"], "epd"),
    (&["perft-suite", "FILE"], "epd"),
];

/// Every command that reads a folder of tables, the name of a bad table in it, the status and
/// part of the output. Commands that search for tables skip a bad one.
const FOLDERS: [(&[&str], &str, i32, &str); 4] = [
    (&["egtb", "verify", "FILE"], "KQvK.ltb", 1, "0 passed, 1 failed"),
    (&["egtb", "probe", "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", "--dir", "FILE"], "KQvK.ltb", 0, ""),
    (&["analyse", "startpos", "--depth", "1", "--egtb", "FILE"], "KRvK.ltb", 0, ""),
    (&["egtb", "build", "KQK", "-o", "FILE"], "KQvK.ltb", 2, "KQvK.ltb"),
];

/// Every UCI option that names a file, or a folder with this file in it.
const OPTIONS: [(&str, &str); 3] =
    [("EgtbPath", "KBNvK.ltb"), ("SyzygyPath", "KBNvK.rtbw"), ("BookFile", "")];

/// Files that all readers refuse.
const KINDS: [Kind; 9] = [
    Kind::Pipe,
    Kind::Folder,
    Kind::Device,
    Kind::StandardInput,
    Kind::Dangling,
    Kind::Empty,
    Kind::Sparse,
    Kind::EndlessLine,
    Kind::GzipBomb,
];

#[test]
fn every_command_refuses_every_file_and_names_it() {
    let folder = folder("readers");
    for (arguments, extension) in READERS {
        for kind in KINDS {
            let name = format!("attack.{extension}");
            let path = folder.join(&name);
            kind.make(&path);
            let arguments = with_file(arguments, &name);
            let mut command = lovec_after(MEMORY, &arguments);
            let ended = run(command.current_dir(&folder), "");
            if extension == "pgn" && matches!(kind, Kind::Empty) {
                ended.failed("no move with a point");
            } else {
                ended.failed(&name);
            }
            assert!(!folder.join("out.txt").exists() && !folder.join("out.bin").exists());
            kind.remove(&path);
        }
    }
}

#[test]
fn every_command_survives_every_table() {
    let folder = folder("tables");
    for (arguments, table, status, text) in FOLDERS {
        for kind in KINDS {
            let tables = folder.join("tables");
            fs::create_dir(&tables).unwrap();
            kind.make(&tables.join(table));
            let mut command = lovec_after(MEMORY, &with_file(arguments, "tables"));
            let ended = run(command.current_dir(&folder), "").orderly();
            // There is nothing to lose in an empty file; all else is not Lovec's to replace.
            let is_replaced = status == 2 && matches!(kind, Kind::Empty);
            let status = if is_replaced { 0 } else { status };
            assert_eq!(ended.status, Some(status), "{arguments:?} {kind:?}: {ended:?}");
            let output = ended.stdout + &ended.stderr;
            assert!(output.contains(table), "{arguments:?} {kind:?}: {output}");
            assert!(output.contains(text), "{arguments:?} {kind:?}: {output}");
            fs::remove_dir_all(&tables).unwrap();
        }
    }
}

#[test]
fn every_option_survives_every_file() {
    let folder = folder("options");
    for (option, table) in OPTIONS {
        for kind in KINDS {
            let path = folder.join("attack");
            let file = if table.is_empty() {
                path.clone()
            } else {
                fs::create_dir(&path).unwrap();
                path.join(table)
            };
            kind.make(&file);
            let dialogue = format!(
                "setoption name {option} value attack\nisready\n\
                 position fen 4k3/8/8/8/8/8/8/2BNK3 w - - 0 1\ngo depth 1\nisready\n"
            );
            let mut command = lovec_after(MEMORY, &[]);
            let ended = run(command.current_dir(&folder), &dialogue).succeeded();
            // No table was read from the standard input.
            assert_eq!(ended.lines_starting_with("readyok"), 2, "{option} {kind:?}: {ended:?}");
            assert_eq!(ended.lines_starting_with("bestmove "), 1, "{option} {kind:?}: {ended:?}");
            // A Syzygy table is opened when it is first needed.
            let complaints = ended.lines_starting_with("info string error: ");
            let is_named = ended.stdout.contains(option) || ended.stdout.contains("KBNvK");
            assert!(complaints == 1 && is_named, "{option} {kind:?}: {ended:?}");
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }.unwrap();
        }
    }
}

/// The memory for a Syzygy table does not grow with the file, up to the largest valid size.
#[test]
fn the_largest_tables_take_no_memory() {
    let folder = folder("syzygy");
    for name in ["KPPPPPvK.rtbw", "KPPPPPvK.rtbz", "KPPPPvK.rtbw", "KQvK.rtbw"] {
        let pieces = name.split('.').next().unwrap().len() - 1;
        let length: u64 = match pieces {
            7 => 1 << 40,
            6 => 64 << 30,
            _ => 1 << 30,
        };
        let file = fs::File::create(folder.join(name)).unwrap();
        file.set_len(length - 48).unwrap();
    }
    // Where nothing can be captured, no other table is needed.
    let dialogue = "setoption name SyzygyPath value .\nisready\n\
                    position fen 7k/8/8/8/8/8/PPPPP3/K7 w - - 0 1\ngo depth 2\n\
                    position fen 4k3/8/8/8/8/8/8/4KQ2 w - - 0 1\ngo depth 2\n";
    let mut command = lovec_after("ulimit -v 1000000", &[]);
    let ended = run(command.current_dir(&folder), dialogue).succeeded();
    assert_eq!(ended.lines_starting_with("bestmove "), 2, "{ended:?}");
    assert!(ended.stdout.contains("Syzygy: 3 WDL and 1 DTZ tables of up to 7 "), "{ended:?}");
    assert!(ended.stdout.contains("damaged table ./KPPPPPvK.rtbw is not used"), "{ended:?}");
}

/// A table that was probed stays open.
#[test]
fn all_tables_can_be_open_at_once() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let mut dialogue = format!("setoption name SyzygyPath value {tables}\n");
    for pieces in ["Q2r", "Q2b", "Q2n", "R2b", "R2n", "BB2", "BN2", "NN2", "RB2", "RN2"] {
        dialogue += &format!("position fen 8/8/8/3k4/8/8/8/K{pieces}3 w - - 0 1\ngo depth 2\n");
    }
    let ended = run(&mut lovec_after("ulimit -Sn 12", &[]), &dialogue).succeeded();
    assert_eq!(ended.lines_starting_with("bestmove "), 10, "{ended:?}");
    assert!(!ended.stdout.contains("Too many open files"), "{ended:?}");
}
