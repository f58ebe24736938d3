//! Searches to a fixed depth with an empty table: the same tree every time, so
//! that only its speed is measured.

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use lovec::chess::Position;
use lovec::search::{Control, Limits, SearchOptions, Searcher};

/// Name, position and depth.
const CASES: [(&str, &str, u8); 3] = [
    ("opening", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 9),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 8),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 12),
];

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(20);
    for (name, fen, depth) in CASES {
        let position = Position::from_fen(fen).expect("a valid FEN");
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut searcher = Searcher::new(16).expect("memory for a small table");
        group.bench_function(format!("{name} to depth {depth}"), |bencher| {
            bencher.iter(|| {
                searcher.clear();
                let start = Instant::now();
                let control = Control::new(start, false);
                let options = SearchOptions::default();
                black_box(searcher.search(&position, &limits, &options, &control, start, &mut ()))
            });
        });
    }
    group.finish();
}

criterion_group!(group, benches);
criterion_main!(group);
