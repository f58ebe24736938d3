//! Damaged files: an error is expected, a wrong outcome cannot always be avoided, but
//! nothing may crash or hang.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use lovec::search::{ProbeOptions, STACK_BYTES, Tables};
use lovec::tablebase::syzygy::table_files;
use lovec::tablebase::{Syzygy, Wdl};
use rand::rngs::StdRng;
use rand::seq::{IndexedMutRandom, IndexedRandom};
use rand::{RngExt, SeedableRng};

use crate::folder::folder;
use crate::positions::position;
use crate::search::to_nodes;
use crate::syzygy::{random_positions, search, searcher};
use crate::syzygy_directory;

fn open(folder: &Path) -> Syzygy {
    Syzygy::open(folder.to_str().unwrap()).0
}

/// Probes many positions, with the stack size of a search thread.
fn probe_everything(folder: &Path, positions: usize, seed: u64) {
    let syzygy = open(folder);
    let probe = move || {
        for position in random_positions(seed).take(positions) {
            let _ = (syzygy.wdl(&position), syzygy.dtz(&position));
        }
        syzygy.take_warnings().len()
    };
    let probing = thread::Builder::new().stack_size(STACK_BYTES).spawn(probe).unwrap();
    assert!(probing.join().unwrap() <= 20);
}

fn tables() -> Vec<PathBuf> {
    table_files(&syzygy_directory()).unwrap()
}

/// Copies all tables to a folder.
fn copy_tables(folder: &Path) {
    for table in tables() {
        fs::copy(&table, folder.join(table.file_name().unwrap())).unwrap();
    }
}

#[test]
fn random_damage_does_not_crash() {
    let folder = folder("damage");
    let tables = tables();
    copy_tables(&folder);
    let mut random = StdRng::seed_from_u64(1);
    for seed in 0..60 {
        let table = tables.choose(&mut random).unwrap();
        let mut bytes = fs::read(table).unwrap();
        match random.random_range(0..4) {
            // A valid length.
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
        probe_everything(&folder, 400, seed);
        fs::copy(table, &damaged).unwrap();
    }
}

/// A flag bit makes the table of a symmetric ending refer to the other side, so that the
/// DTZ probe recurses without end.
#[test]
fn an_endless_probe_fails() {
    let mut bytes = fs::read(syzygy_directory().join("KPvKP.rtbz")).unwrap();
    let folder = folder("circles");
    copy_tables(&folder);
    bytes[1052] = 3;
    fs::write(folder.join("KPvKP.rtbz"), bytes).unwrap();
    probe_everything(&folder, 30_000, 1);
}

#[test]
fn a_damaged_table_causes_one_warning() {
    let table = fs::read(syzygy_directory().join("KQvK.rtbw")).unwrap();
    let folder = folder("fails").with("KQvK.rtbw", &table[..80]);
    fs::copy(syzygy_directory().join("KRvK.rtbw"), folder.join("KRvK.rtbw")).unwrap();
    let syzygy = open(&folder);
    assert_eq!(syzygy.files(), 2);
    let queen = position("8/8/8/4k3/8/8/6Q1/6K1 w - - 0 1");
    for _ in 0..3 {
        assert_eq!(syzygy.wdl(&queen), None);
    }
    let file = folder.join("KQvK.rtbw");
    assert_eq!(syzygy.take_warnings(), [format!("damaged table {} is not used", file.display())]);
    assert_eq!(syzygy.take_warnings().len(), 0);
    let rook = position("8/8/8/4k3/8/8/6R1/6K1 w - - 0 1");
    assert!(syzygy.wdl(&rook).is_some(), "intact tables still work");
}

/// Each of the two tables of an ending is used without the other.
#[test]
fn a_damaged_distance_leaves_the_outcome() {
    let folder = folder("distance").with("KQvK.rtbz", [0; 80]);
    fs::copy(syzygy_directory().join("KQvK.rtbw"), folder.join("KQvK.rtbw")).unwrap();
    let syzygy = open(&folder);
    let queen = position("8/8/8/4k3/8/8/6Q1/6K1 w - - 0 1");
    for _ in 0..2 {
        assert_eq!(syzygy.dtz(&queen), None);
        assert_eq!(syzygy.wdl(&queen), Some(Wdl::Win));
    }
    let warnings = syzygy.take_warnings();
    assert!(matches!(&warnings[..], [one] if one.contains("KQvK.rtbz")), "{warnings:?}");
}

/// As in PATH. The second folder has damaged copies, one of them by another name.
#[test]
fn of_several_folders_the_first_with_a_table_counts() {
    let [first, second] = ["first", "second"].map(folder);
    for name in ["KQvK.rtbw", "KRvK.rtbw"] {
        fs::copy(syzygy_directory().join(name), first.join(name)).unwrap();
    }
    for name in ["KQvK.rtbw", "KvKR.rtbw", "KBvK.rtbw"] {
        fs::write(second.join(name), [0; 80]).unwrap();
    }
    let separator = if cfg!(windows) { ';' } else { ':' };
    let both = |a: &Path, b: &Path| format!("{}{separator}{}", a.display(), b.display());
    let queen = position("8/8/8/4k3/8/8/6Q1/6K1 w - - 0 1");
    let rook = position("8/8/8/4k3/8/8/6R1/6K1 w - - 0 1");
    for (folders, intact) in [(both(&first, &second), true), (both(&second, &first), false)] {
        let (syzygy, errors) = Syzygy::open(&folders);
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(syzygy.files(), 3);
        for state in [&queen, &rook] {
            assert_eq!(syzygy.wdl(state).is_some(), intact, "{folders}: {}", state.fen());
        }
    }
}

/// A table that is truncated while in use.
#[test]
fn a_file_may_shrink() {
    let folder = folder("shrinks");
    copy_tables(&folder);
    let syzygy = Arc::new(open(&folder));
    let mut searcher = searcher();
    searcher.tables = Tables { syzygy: Some(Arc::clone(&syzygy)), ..Tables::default() };
    let root = position("8/8/3k4/8/8/2p1N3/1B2K3/8 w - - 0 1");
    search(&mut searcher, &root, &to_nodes(500), ProbeOptions::default());
    for table in tables() {
        fs::write(folder.join(table.file_name().unwrap()), b"").unwrap();
    }
    let (outcome, _) = search(&mut searcher, &root, &to_nodes(5_000), ProbeOptions::default());
    assert!(outcome.best.is_some());
}
