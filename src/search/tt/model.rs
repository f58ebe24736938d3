//! A slot of the table in every order in which threads can meet in it.
//!
//! Runs under loom, which tries all interleavings that the memory model allows:
//! `cargo test --features loom --lib tt::model`.

use loom::sync::Arc;
use loom::thread;

use crate::chess::{Move, MoveKind, Square};
use crate::eval::Score;
use crate::search::tt::{Bound, Cluster, Entry, folded};

const KEYS: [u64; 2] = [0x1234, 0xFEDC];

fn entry(number: usize) -> Entry {
    let to = Square::new([28, 27][number]);
    Entry {
        best: Some(Move::new(Square::new(12), to, MoveKind::Quiet)),
        stored_score: [55, -70][number],
        eval: Some(Score::new([50, -60][number])),
        depth: [9, 12][number],
        bound: [Bound::Exact, Bound::Lower][number],
        pv: number == 0,
        generation: 3,
    }
}

/// Tries every order with up to so many changes from one thread to another where
/// nothing forces them; more find no more, and take minutes.
fn check(scene: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(4);
    model.check(scene);
}

/// A reader gets what a writer wrote for its position, whole, or nothing.
fn reads_whole(cluster: &Cluster) {
    for (number, key) in KEYS.into_iter().enumerate() {
        if let Some(found) = cluster.load(0, key) {
            assert_eq!(found, entry(number), "torn, or another's");
        }
    }
}

#[test]
fn an_entry_is_read_whole_or_not_at_all() {
    // The check cannot tell more than its bits do; these differ.
    let folds = [0, 1].map(|number| folded(entry(number).pack()));
    assert!(folds[0] != folds[1] && KEYS[0] as u16 ^ folds[0] != KEYS[1] as u16 ^ folds[1]);
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

/// Two threads may write the same position at once.
#[test]
fn a_position_written_twice_is_one_of_the_two() {
    check(|| {
        let cluster = Arc::new(Cluster::default());
        let writers = [0, 1].map(|number| {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || cluster.store(0, KEYS[0], entry(number)))
        });
        let is_either =
            |found: Option<Entry>| found.is_none_or(|found| found == entry(0) || found == entry(1));
        assert!(is_either(cluster.load(0, KEYS[0])));
        for writer in writers {
            writer.join().unwrap();
        }
        assert!(is_either(cluster.load(0, KEYS[0])));
    });
}
