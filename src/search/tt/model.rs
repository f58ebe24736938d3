//! All interleavings of threads that access one slot of the table.
//!
//! Runs under loom, which tries every order that the memory model allows:
//! `cargo test --features loom --lib tt::model`.

use loom::sync::Arc;
use loom::thread;

use crate::chess::{Move, MoveKind, Square};
use crate::eval::Score;
use crate::search::tt::cluster::{Cluster, check as check_of};
use crate::search::tt::entry::{Bound, TtEntry};

const KEYS: [u64; 2] = [0x1234, 0xFEDC];

fn entry(number: usize) -> TtEntry {
    let to = Square::new([28, 27][number]);
    TtEntry {
        best: Some(Move::new(Square::new(12), to, MoveKind::Quiet)),
        stored_score: [55, -70][number],
        eval: Some(Score::new([50, -60][number])),
        depth: [9, 12][number],
        bound: [Bound::Exact, Bound::Lower][number],
        pv: number == 0,
        generation: 3,
    }
}

/// Tries every order with up to three preemptions; more find nothing else and take
/// minutes.
fn check(scene: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(scene);
}

/// Asserts that a reader gets a complete entry of its position, or none.
fn reads_whole(cluster: &Cluster) {
    for (number, key) in KEYS.into_iter().enumerate() {
        if let Some(found) = cluster.load(0, key) {
            assert_eq!(found, entry(number), "torn, or of another position");
        }
    }
}

#[test]
fn an_entry_is_read_whole_or_rejected() {
    // Precondition: the checks of the two entries differ.
    let low = |key: usize, data: usize| check_of(KEYS[key], entry(data).pack()) as u16;
    assert!(low(0, 0) != low(0, 1) && low(0, 0) != low(1, 1));
    check(|| {
        let cluster = Arc::new(Cluster::default());
        let writers = [0, 1].map(|number| {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || cluster.store(0, KEYS[number], entry(number)))
        });
        reads_whole(&cluster);
        for writer in writers {
            writer.join().unwrap();
        }
        reads_whole(&cluster);
    });
}

#[test]
fn a_position_written_twice_holds_one_of_the_two() {
    check(|| {
        let cluster = Arc::new(Cluster::default());
        let writers = [0, 1].map(|number| {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || cluster.store(0, KEYS[0], entry(number)))
        });
        let is_either = |found: Option<TtEntry>| {
            found.is_none_or(|found| found == entry(0) || found == entry(1))
        };
        assert!(is_either(cluster.load(0, KEYS[0])));
        for writer in writers {
            writer.join().unwrap();
        }
        assert!(is_either(cluster.load(0, KEYS[0])));
    });
}
