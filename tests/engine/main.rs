//! The evaluation, the search and the endgame tables, through the library.
// The rules for threads hold for the program, not for its tests.
#![allow(clippy::disallowed_methods)]

#[path = "../common/folder.rs"]
mod folder;
#[path = "../common/positions.rs"]
mod positions;

mod egtb;
mod endgames;
mod eval;
mod search;
mod syzygy;

use std::path::{Path, PathBuf};

/// The directory of the Syzygy tables (R. de Man) that the tests read.
///
/// `tests/data/syzygy` holds the outcomes of most endings of three and four pieces
/// and a few distances. The variable `LOVEC_SYZYGY` names a directory with more; the
/// tests that need all of them are ignored by default.
fn syzygy_directory() -> PathBuf {
    std::env::var_os("LOVEC_SYZYGY").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy"),
        PathBuf::from,
    )
}

/// The directory with the Syzygy tables of all endings of three and four pieces.
///
/// # Panics
///
/// If `LOVEC_SYZYGY` does not name it.
fn complete_syzygy_directory() -> PathBuf {
    let directory = syzygy_directory();
    let outcomes = std::fs::read_dir(&directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
        .filter(|entry| {
            let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
            name.ends_with(".rtbz") && name.len() <= "KQvKR.rtbz".len()
        })
        .count();
    // Five endings of three pieces and thirty of four.
    assert_eq!(
        outcomes, 35,
        "LOVEC_SYZYGY must name a directory with all tables of three and four pieces"
    );
    directory
}
