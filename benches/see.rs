//! Static exchange evaluation of every capture of busy positions.

use std::hint::black_box;
use std::time::Duration;

use divan::counter::ItemsCount;
use divan::{Bencher, Divan};
use lovec::chess::see::see_at_least;
use lovec::chess::{Move, Position};

const FENS: [&str; 5] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
    "2r1r1k1/pp1bppbp/3p1np1/q3P3/2P2P2/1P2B3/P1N1B1PP/2RQ1RK1 b - - 0 1",
    "7r/5qpk/2Qp1b1p/1N1r3n/BB3p2/5p2/P1P2P2/4RK1R w - - 0 1",
];

#[divan::bench(args = [-100, 0, 100])]
fn threshold(bencher: Bencher, threshold: i32) {
    let captures: Vec<(Position, Vec<Move>)> = FENS
        .into_iter()
        .map(|fen| {
            let position = Position::from_fen(fen).expect("a valid FEN");
            let moves = position.legal_moves().into_iter().filter(|m| m.is_capture()).collect();
            (position, moves)
        })
        .collect();
    let count: usize = captures.iter().map(|(_, moves)| moves.len()).sum();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for (position, moves) in &captures {
            for &m in moves {
                black_box(see_at_least(position, black_box(m), threshold));
            }
        }
    });
}

fn main() {
    // Samples are long, because reading the clock takes tens of nanoseconds. The command line
    // takes precedence.
    Divan::default().sample_size(100).min_time(Duration::from_secs(1)).config_with_args().main();
}
