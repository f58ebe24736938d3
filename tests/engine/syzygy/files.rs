//! Files that are not what they should be: an error is fine, a wrong answer cannot
//! always be helped, but nothing ends the process or hangs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use lovec::search::probe::ProbeOptions;
use lovec::search::{STACK_BYTES, Tables};
use lovec::tablebase::Syzygy;
use rand::rngs::StdRng;
use rand::seq::{IndexedMutRandom, IndexedRandom};
use rand::{RngExt, SeedableRng};

use crate::folder::folder;
use crate::positions::position;
use crate::syzygy::{nodes, random_positions, search, searcher};
use crate::syzygy_directory;

fn open(folder: &Path) -> Syzygy {
    Syzygy::open(folder.to_str().unwrap()).0
}

/// Asks for everything in many positions, with the stack that a search has.
fn ask_everything(folder: &Path, positions: usize, seed: u64) {
    let syzygy = open(folder);
    let ask = move || {
        for position in random_positions(seed).take(positions) {
            let _ = (syzygy.wdl(&position), syzygy.dtz(&position));
        }
        syzygy.take_warnings().len()
    };
    let asking = thread::Builder::new().stack_size(STACK_BYTES).spawn(ask).unwrap();
    assert!(asking.join().unwrap() <= 20);
}

fn tables() -> Vec<PathBuf> {
    let entries = fs::read_dir(syzygy_directory()).unwrap().map(|entry| entry.unwrap().path());
    let mut tables: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "rtbw" || end == "rtbz"))
        .collect();
    tables.sort();
    tables
}

#[test]
fn random_damage() {
    let folder = folder("damage");
    let tables = tables();
    for table in &tables {
        fs::copy(table, folder.join(table.file_name().unwrap())).unwrap();
    }
    let mut random = StdRng::seed_from_u64(1);
    for seed in 0..60 {
        let table = tables.choose(&mut random).unwrap();
        let mut bytes = fs::read(table).unwrap();
        match random.random_range(0..4) {
            // As long as a table can be.
            0 => bytes.truncate(random.random_range(0..=bytes.len() / 64) * 64 + 16),
            1 => {
                let header = bytes.len().min(200);
                bytes[random.random_range(0..header)] = random.random();
            }
            2 => (0..20).for_each(|_| *bytes.choose_mut(&mut random).unwrap() = random.random()),
            _ => bytes = fs::read(tables.choose(&mut random).unwrap()).unwrap(),
        }
        let damaged = folder.join(table.file_name().unwrap());
        fs::write(&damaged, bytes).unwrap();
        ask_everything(&folder, 400, seed);
        fs::copy(table, &damaged).unwrap();
    }
    fs::remove_dir_all(folder).unwrap();
}

/// One bit says that the table of a symmetric ending is only of the other side, and
/// the search for the distance goes to and fro.
#[test]
fn a_table_that_goes_in_circles() {
    let mut bytes = fs::read(syzygy_directory().join("KPvKP.rtbz")).unwrap();
    let folder = folder("circles");
    for table in tables() {
        fs::copy(&table, folder.join(table.file_name().unwrap())).unwrap();
    }
    bytes[1052] = 3;
    fs::write(folder.join("KPvKP.rtbz"), bytes).unwrap();
    ask_everything(&folder, 30_000, 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_fails_is_told_once_and_not_asked_again() {
    let folder = folder("fails");
    let table = fs::read(syzygy_directory().join("KQvK.rtbw")).unwrap();
    fs::write(folder.join("KQvK.rtbw"), &table[..80]).unwrap();
    fs::copy(syzygy_directory().join("KRvK.rtbw"), folder.join("KRvK.rtbw")).unwrap();
    let syzygy = open(&folder);
    assert_eq!(syzygy.files(), 2);
    let queen = position("8/8/8/4k3/8/8/6Q1/6K1 w - - 0 1");
    for _ in 0..3 {
        assert_eq!(syzygy.wdl(&queen), None);
    }
    assert_eq!(syzygy.take_warnings().len(), 1);
    assert_eq!(syzygy.take_warnings().len(), 0);
    let rook = position("8/8/8/4k3/8/8/6R1/6K1 w - - 0 1");
    assert!(syzygy.wdl(&rook).is_some(), "the others are as good as before");
    fs::remove_dir_all(folder).unwrap();
}

/// A table that is cut short while it is in use.
#[test]
fn a_file_that_shrinks() {
    let folder = folder("shrinks");
    for table in tables() {
        fs::copy(&table, folder.join(table.file_name().unwrap())).unwrap();
    }
    let syzygy = Arc::new(open(&folder));
    let mut searcher = searcher();
    searcher.tables = Tables { syzygy: Some(Arc::clone(&syzygy)), ..Tables::default() };
    let root = position("8/8/3k4/8/8/2p1N3/1B2K3/8 w - - 0 1");
    search(&mut searcher, &root, &nodes(500), ProbeOptions::default());
    for table in tables() {
        fs::write(folder.join(table.file_name().unwrap()), b"").unwrap();
    }
    let (outcome, _) = search(&mut searcher, &root, &nodes(5_000), ProbeOptions::default());
    assert!(outcome.best.is_some());
    fs::remove_dir_all(folder).unwrap();
}
