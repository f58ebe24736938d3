//! Making and unmaking every legal move of varied positions, with and without the evaluation's
//! accumulator, and testing single moves for legality.

use std::hint::black_box;
use std::time::Duration;

use divan::counter::ItemsCount;
use divan::{Bencher, Divan};
use lovec::chess::{Move, MoveList, Position};
use lovec::eval::Accumulator;

const FENS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1",
];

fn positions() -> Vec<(Position, MoveList)> {
    let position = |fen| Position::from_fen(fen).expect("a valid FEN");
    FENS.into_iter().map(position).map(|p| (p.clone(), p.legal_moves())).collect()
}

fn count(positions: &[(Position, MoveList)]) -> ItemsCount {
    ItemsCount::new(positions.iter().map(|(_, moves)| moves.len()).sum::<usize>())
}

#[divan::bench(name = "make and unmake")]
fn make(bencher: Bencher) {
    let mut positions = positions();
    bencher.counter(count(&positions)).bench_local(|| {
        for (position, moves) in &mut positions {
            for &m in moves.iter() {
                position.make(black_box(m));
                black_box(position.key());
                position.unmake();
            }
        }
    });
}

#[divan::bench(name = "make and unmake with accumulator")]
fn make_observed(bencher: Bencher) {
    let mut positions = positions();
    bencher.counter(count(&positions)).bench_local(|| {
        for (position, moves) in &mut positions {
            let accumulator = Accumulator::from_state(position);
            for &m in moves.iter() {
                let mut accumulator = accumulator;
                position.make_observed(black_box(m), &mut accumulator);
                black_box(&accumulator);
                position.unmake();
            }
        }
    });
}

#[divan::bench]
fn gives_check(bencher: Bencher) {
    let positions = positions();
    bencher.counter(count(&positions)).bench_local(|| {
        for (position, moves) in &positions {
            black_box(moves.iter().filter(|&&m| position.gives_check(black_box(m))).count());
        }
    });
}

/// A move from a hash table belongs to some position, not always to this one.
#[divan::bench]
fn is_legal(bencher: Bencher) {
    let positions = positions();
    let foreign: Vec<Move> = positions.iter().flat_map(|(_, moves)| moves.clone()).collect();
    bencher.counter(ItemsCount::new(foreign.len() * positions.len())).bench_local(|| {
        for (position, _) in &positions {
            black_box(foreign.iter().filter(|&&m| position.is_legal(black_box(m))).count());
        }
    });
}

fn main() {
    // Samples are long, because reading the clock takes tens of nanoseconds. The command line
    // takes precedence.
    Divan::default().sample_size(100).min_time(Duration::from_secs(1)).config_with_args().main();
}
