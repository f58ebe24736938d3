//! The evaluation of positions from all phases of the game, incremental and from scratch.

use std::hint::black_box;
use std::time::Duration;

use divan::counter::ItemsCount;
use divan::{Bencher, Divan};
use lovec::chess::Position;
use lovec::eval::{Accumulator, EvalTables, evaluate, evaluate_fresh};

const FENS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2r2rk1/1b2qppp/pp2pn2/8/2PQ4/1P3NP1/P3PPBP/2R2RK1 b - - 0 17",
    "6k1/1p3ppp/p2r4/8/3R4/1P4P1/P4P1P/6K1 w - - 0 30",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5k2/3p2p1/3P2P1/4K3/8/8/8 w - - 0 50",
];

fn positions() -> Vec<(Position, Accumulator)> {
    FENS.into_iter()
        .map(|fen| Position::from_fen(fen).expect("a valid FEN"))
        .map(|position| (position.clone(), Accumulator::from_state(&position)))
        .collect()
}

#[divan::bench]
fn incremental(bencher: Bencher) {
    let positions = positions();
    let mut tables = EvalTables::new().expect("a little memory");
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for (position, accumulator) in &positions {
            black_box(evaluate(black_box(position), accumulator, &mut tables));
        }
    });
}

#[divan::bench(name = "from scratch")]
fn from_scratch(bencher: Bencher) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for (position, _) in &positions {
            black_box(evaluate_fresh(black_box(position)));
        }
    });
}

fn main() {
    // Samples are long, because reading the clock takes tens of nanoseconds. The command line
    // takes precedence.
    Divan::default().sample_size(100).min_time(Duration::from_secs(1)).config_with_args().main();
}
