//! Stress test of the table: many threads, few clusters.
//!
//! Every part of an entry depends on its key, so that a reader recognises an entry that
//! was torn or belongs to another position. The check lets 1 in 2^21 of these through.

use std::thread;

use crate::chess::Move;
use crate::eval::Score;
use crate::search::tt::cluster::{CHECK_BITS, ENTRIES_PER_CLUSTER};
use crate::search::tt::entry::{Bound, TtData, TtEntry};
use crate::search::tt::table::TranspositionTable;
use crate::util::rng::SplitMix64;

const THREADS: u64 = 8;
const CLUSTERS: usize = 16;
/// Many more positions than slots.
const POSITIONS: usize = 1 << 16;
const ROUNDS: usize = 300_000;

/// The data of a position, in two versions, so that threads overwrite each other's
/// entries of the same position.
fn data(key: u64, version: i32) -> TtData {
    let part = |shift: u32, bits: u32| (key >> shift & ((1 << bits) - 1)) as i32;
    TtData {
        depth: 1 + part(20, 5) + version,
        bound: Bound::Exact,
        score: Score::new(part(25, 13) - 4096 + version),
        eval: Some(Score::new(part(38, 13) - 4096)),
        best: Move::from_bits(part(4, 12) as u16),
        pv: part(51, 1) != 0,
    }
}

fn belongs(entry: &TtEntry, key: u64) -> bool {
    let stored = (i32::from(entry.depth), entry.score(0), entry.eval, entry.best, entry.pv);
    [0, 1].into_iter().any(|version| {
        let own = data(key, version);
        stored == (own.depth, own.score, own.eval, own.best, own.pv)
    })
}

/// Counts of one thread.
#[derive(Default)]
struct Counts {
    probes: u64,
    own: u64,
    foreign: u64,
}

impl Counts {
    fn probe(&mut self, table: &TranspositionTable, key: u64) {
        self.probes += 1;
        if let Some(entry) = table.probe(key) {
            *(if belongs(&entry, key) { &mut self.own } else { &mut self.foreign }) += 1;
        }
    }
}

/// Writes and probes random positions.
fn read_and_write(table: &TranspositionTable, keys: &[u64], seed: u64) -> Counts {
    let mut random = SplitMix64::new(seed);
    let mut counts = Counts::default();
    for round in 0..ROUNDS {
        let [written, read] = [random.next(), random.next()].map(|n| keys[n as usize % keys.len()]);
        table.store(written, 0, data(written, (round & 1) as i32));
        counts.probe(table, written);
        counts.probe(table, read);
    }
    counts
}

#[test]
fn foreign_entries_pass_no_more_often_than_the_check_allows() {
    let table = TranspositionTable::with_clusters(CLUSTERS);
    let mut random = SplitMix64::new(1);
    let keys: Vec<u64> = (0..POSITIONS).map(|_| random.next()).collect();
    let all: Vec<Counts> = thread::scope(|scope| {
        let (table, keys) = (&table, &keys);
        let threads: Vec<_> = (0..THREADS)
            .map(|n| scope.spawn(move || read_and_write(table, keys, 100 + n)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let sum = |part: fn(&Counts) -> u64| all.iter().map(part).sum::<u64>();
    let (probes, own, foreign) = (sum(|t| t.probes), sum(|t| t.own), sum(|t| t.foreign));
    assert!(own > probes / 4, "{own} of {probes} were found");
    // Each probe compares the checks of a whole cluster.
    let expected = (probes * ENTRIES_PER_CLUSTER as u64) >> CHECK_BITS;
    assert!(foreign < 2 * expected, "{foreign} foreign entries, {expected} expected");
}
