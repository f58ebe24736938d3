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
mod insight;
mod insight_lines;
mod insight_soon;
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
    let distances = std::fs::read_dir(&directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
        .filter(|entry| {
            let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
            name.ends_with(".rtbz") && name.len() <= "KQvKR.rtbz".len()
        })
        .count();
    // Five endings of three pieces and thirty of four.
    assert_eq!(
        distances, 35,
        "LOVEC_SYZYGY must name a directory with all tables of three and four pieces"
    );
    directory
}

/// Fails unless all games are won. Each result has the number of moves, or the reason why
/// the game was not won.
fn assert_all_won(results: Vec<Result<usize, String>>) {
    let games = results.len();
    let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let moves: Vec<usize> = won.into_iter().flatten().collect();
    println!(
        "{} of {games} won, {:.1} moves on average, {} at most",
        moves.len(),
        moves.iter().sum::<usize>() as f64 / moves.len().max(1) as f64,
        moves.iter().max().unwrap_or(&0),
    );
    let failures: Vec<String> = lost.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty() && games > 0, "{}", failures.join("\n"));
}
