//! Syzygy tables, and how the search uses them.
//!
//! The tables are in `tests/data/syzygy`, or in the directory that `LOVEC_SYZYGY` names;
//! see [`syzygy_directory`].

mod files;
mod laws;
mod play;
mod scores;

use std::sync::{Arc, LazyLock};

use lovec::chess::{Color, Piece, Position};
use lovec::search::{Limits, ProbeOptions, SearchOptions, SearchResult, Searcher, Tables};
use lovec::tablebase::Syzygy;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::positions::{of_setup, place_randomly, random_color};
use crate::search::{Entry, search_again};
use crate::syzygy_directory;

fn open(directory: &str) -> Arc<Syzygy> {
    let (syzygy, errors) = Syzygy::open(directory);
    assert!(errors.is_empty(), "{errors:?}");
    Arc::new(syzygy)
}

pub static TABLES: LazyLock<Arc<Syzygy>> =
    LazyLock::new(|| open(syzygy_directory().to_str().expect("a path in Unicode")));

/// Random legal positions of three or four pieces for which there is a table.
fn random_positions(seed: u64) -> impl Iterator<Item = Position> {
    let mut random = StdRng::seed_from_u64(seed);
    let next = move || {
        let kings = Color::ALL.map(|color| (color, Piece::King));
        let others = random.random_range(1..=2);
        let others =
            (0..others).map(|_| (random_color(&mut random), Piece::ALL[random.random_range(0..5)]));
        let pieces: Vec<_> = kings.into_iter().chain(others).collect();
        let position = place_randomly(&pieces, &mut random).map(of_setup);
        Some(position.filter(|position| TABLES.wdl(position).is_some()))
    };
    std::iter::from_fn(next).flatten()
}

fn searcher() -> Searcher {
    let mut searcher = Searcher::new(4).expect("four MiB");
    searcher.tables = Tables { syzygy: Some(Arc::clone(&TABLES)), ..Tables::default() };
    searcher
}

/// The result of a search, and its last report.
fn search(
    searcher: &mut Searcher,
    position: &Position,
    limits: &Limits,
    probe: ProbeOptions,
) -> (SearchResult, Entry) {
    let options = SearchOptions { probe, ..SearchOptions::default() };
    let (result, mut reports) = search_again(searcher, position, limits, &options);
    (result, reports.lines.pop().expect("a report"))
}
