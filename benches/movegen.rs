//! How fast moves are generated: perft with bulk counting against the
//! `cozy-chess` crate counting the same way, in the same run.
//!
//! Divan times each side separately. The ratio at the end comes from alternating runs, so that
//! a drifting clock rate slows both, and from the best run of each side, since other work on
//! the machine only adds time.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use divan::Bencher;
use divan::counter::ItemsCount;
use lovec::chess::Position;
use lovec::chess::perft::{PerftOptions, perft};

struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u32,
    nodes: u64,
}

impl Case {
    fn position(&self) -> Position {
        Position::from_fen(self.fen).expect("a valid FEN")
    }

    fn board(&self) -> cozy_chess::Board {
        self.fen.parse().expect("a valid FEN")
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} depth {}", self.name, self.depth)
    }
}

const CASES: [Case; 2] = [
    Case {
        name: "startpos",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 6,
        nodes: 119_060_324,
    },
    Case {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
        nodes: 193_690_690,
    },
];

/// Runs of each side for the ratio.
const ROUNDS: usize = 15;

fn lovec_perft(position: &Position, depth: u32) -> u64 {
    perft(position, depth, &PerftOptions::default()).unwrap_or_default()
}

/// The same count by `cozy-chess`, as in its own example.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                nodes += cozy_perft(&child, depth - 1);
            }
            false
        });
    }
    nodes
}

fn timed(expected: u64, count: impl FnOnce() -> u64) -> Duration {
    let start = Instant::now();
    let nodes = black_box(count());
    let elapsed = start.elapsed();
    assert_eq!(nodes, expected);
    elapsed
}

/// The best time of each side in alternating runs.
fn alternating(case: &Case) -> [Duration; 2] {
    let (position, board) = (case.position(), case.board());
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        times[0].push(timed(case.nodes, || lovec_perft(black_box(&position), case.depth)));
        times[1].push(timed(case.nodes, || cozy_perft(black_box(&board), case.depth)));
    }
    times.map(|side| side.into_iter().min().unwrap_or_default())
}

#[divan::bench(name = "lovec", args = CASES, sample_count = 10)]
fn bench_lovec(bencher: Bencher, case: &Case) {
    let position = case.position();
    bencher
        .counter(ItemsCount::new(case.nodes))
        .bench_local(|| lovec_perft(black_box(&position), case.depth));
}

#[divan::bench(name = "cozy-chess", args = CASES, sample_count = 10)]
fn bench_cozy(bencher: Bencher, case: &Case) {
    let board = case.board();
    bencher
        .counter(ItemsCount::new(case.nodes))
        .bench_local(|| cozy_perft(black_box(&board), case.depth));
}

fn main() {
    divan::main();

    // `cargo test --benches` only checks that the benchmarks run.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("\nmillion nodes/s, best of {ROUNDS} alternating runs");
    for case in CASES {
        let [ours, theirs] =
            alternating(&case).map(|time| case.nodes as f64 / time.as_secs_f64() / 1e6);
        println!("{case}: lovec {ours:.0}, cozy-chess {theirs:.0}, ratio {:.2}", ours / theirs);
    }
}
