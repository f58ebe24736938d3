//! What endgame tables say, and what Lovec makes of it.
//!
//! The tables are those of `tests/data/syzygy`, or of the directory that
//! `LOVEC_SYZYGY` names; see [`syzygy_directory`].

mod files;
mod laws;
mod play;
mod scores;

use std::sync::{Arc, LazyLock};
use std::time::Instant;

use lovec::chess::position::setup::Setup;
use lovec::chess::{Color, Piece, Position, Square};
use lovec::eval::Score;
use lovec::search::probe::ProbeOptions;
use lovec::search::{Control, Limits, Outcome, Report, Reporter, SearchOptions, Searcher, Tables};
use lovec::tablebase::Syzygy;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::syzygy_directory;

fn open(directory: &str) -> Arc<Syzygy> {
    let (syzygy, errors) = Syzygy::open(directory);
    assert!(errors.is_empty(), "{errors:?}");
    Arc::new(syzygy)
}

static TABLES: LazyLock<Arc<Syzygy>> =
    LazyLock::new(|| open(syzygy_directory().to_str().expect("a path in Unicode")));

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Random legal positions with one or two men besides the kings, of which there is a
/// table.
fn random_positions(seed: u64) -> impl Iterator<Item = Position> {
    let mut random = StdRng::seed_from_u64(seed);
    let draw = move || {
        let mut setup = Setup {
            side_to_move: *Color::ALL.choose(&mut random).expect("a colour"),
            ..Setup::default()
        };
        let kings = Color::ALL.map(|color| (color, Piece::King));
        let others = random.random_range(1..=2);
        let others = (0..others).map(|_| {
            let piece = Piece::ALL[..5].choose(&mut random).expect("a piece");
            (*Color::ALL.choose(&mut random).expect("a colour"), *piece)
        });
        let men: Vec<_> = kings.into_iter().chain(others).collect();
        for man in men {
            let square = Square::new(random.random_range(0..64));
            if setup.board[square.index()].replace(man).is_some() {
                return Some(None);
            }
        }
        let position = setup.validate().ok().map(|(state, _)| Position::new(state));
        Some(position.filter(|position| TABLES.wdl(position).is_some()))
    };
    std::iter::from_fn(draw).flatten()
}

/// The last report of the best line, and how many positions were looked up.
#[derive(Default)]
struct Last {
    score: Score,
    hits: u64,
}

impl Reporter for Last {
    fn report(&mut self, report: &Report<'_>) {
        if report.multipv == 1 {
            (self.score, self.hits) = (report.score, report.table_hits);
        }
    }
}

fn searcher() -> Searcher {
    let mut searcher = Searcher::new(4).expect("four MiB");
    searcher.tables = Tables { syzygy: Some(Arc::clone(&TABLES)), ..Tables::default() };
    searcher
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn search(
    searcher: &mut Searcher,
    position: &Position,
    limits: &Limits,
    probe: ProbeOptions,
) -> (Outcome, Last) {
    let start = Instant::now();
    let control = Control::new(start, false);
    let options = SearchOptions { probe, ..SearchOptions::default() };
    let mut last = Last::default();
    let outcome = searcher.search(position, limits, &options, &control, start, &mut last);
    (outcome, last)
}
