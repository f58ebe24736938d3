//! How fast moves are generated: perft with bulk counting against the
//! `cozy-chess` crate counting the same way, in the same run.
//!
//! Criterion times each side by itself. The ratio printed at the end comes from
//! runs that take turns, so that a machine whose clock drifts slows both, and
//! from the best of each side, since other work on the machine only adds time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use lovec::chess::Position;
use lovec::chess::perft::{PerftOptions, perft};

/// Name, position, depth and count.
const CASES: [(&str, &str, u32, u64); 2] = [
    ("startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
];

/// Turns of each side for the ratio.
const ROUNDS: usize = 15;

fn lovec_perft(position: &Position, depth: u32) -> u64 {
    perft(position, depth, &PerftOptions::default()).unwrap_or_default()
}

/// The same count by the other crate, as its own example has it.
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

/// Both sides in turns: the best time of each.
fn in_turns(
    position: &Position,
    board: &cozy_chess::Board,
    depth: u32,
    nodes: u64,
) -> [Duration; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        times[0].push(timed(nodes, || lovec_perft(black_box(position), depth)));
        times[1].push(timed(nodes, || cozy_perft(black_box(board), depth)));
    }
    times.map(|side| side.into_iter().min().unwrap_or_default())
}

fn main() {
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let mut group = criterion.benchmark_group("perft");
    for (name, fen, depth, nodes) in CASES {
        let position = Position::from_fen(fen).expect("a valid FEN");
        let board: cozy_chess::Board = fen.parse().expect("a valid FEN");
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(BenchmarkId::new("lovec", name), |bencher| {
            bencher.iter(|| lovec_perft(black_box(&position), depth));
        });
        group.bench_function(BenchmarkId::new("cozy-chess", name), |bencher| {
            bencher.iter(|| cozy_perft(black_box(&board), depth));
        });
    }
    group.finish();
    criterion.final_summary();

    // `cargo test --benches` runs this file only to see that it works.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("\nmillion nodes/s, best of {ROUNDS} runs in turns");
    for (name, fen, depth, nodes) in CASES {
        let position = Position::from_fen(fen).expect("a valid FEN");
        let board: cozy_chess::Board = fen.parse().expect("a valid FEN");
        let [ours, theirs] = in_turns(&position, &board, depth, nodes)
            .map(|time| nodes as f64 / time.as_secs_f64() / 1e6);
        println!(
            "{name} depth {depth}: lovec {ours:.0}, cozy-chess {theirs:.0}, ratio {:.2}",
            ours / theirs
        );
    }
}
