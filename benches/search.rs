//! Searches to a fixed depth with an empty table: always the same tree, so that only the speed
//! is measured.

use std::fmt;

use divan::Bencher;
use lovec::chess::Position;
use lovec::search::{Limits, SearchRequest, Searcher};

struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u8,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to depth {}", self.name, self.depth)
    }
}

const CASES: [Case; 3] = [
    Case {
        name: "opening",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 9,
    },
    Case {
        name: "middlegame",
        fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        depth: 8,
    },
    Case { name: "endgame", fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", depth: 12 },
];

#[divan::bench(args = CASES, sample_count = 20)]
fn fixed_depth(bencher: Bencher, case: &Case) {
    let position = Position::from_fen(case.fen).expect("a valid FEN");
    let limits = Limits { depth: Some(case.depth), ..Limits::default() };
    let mut searcher = Searcher::new(16).expect("memory for a small table");
    bencher.bench_local(|| {
        searcher.clear();
        searcher.search(SearchRequest::new(position.clone(), limits.clone()), &mut ())
    });
}

fn main() {
    divan::main();
}
