//! The table under fire: many threads, few clusters.
//!
//! Every entry that is written tells in each of its parts whose it is, so that
//! whoever reads can see whether an entry belongs to another position or was torn.
//! The check lets 1 in 65 536 of such through, and nothing else may.

use std::thread;

use crate::chess::Move;
use crate::eval::Score;
use crate::search::tt::{Bound, ENTRIES_PER_CLUSTER, Entry, Finding, TranspositionTable};
use crate::util::rng::SplitMix64;

const THREADS: u64 = 8;
const CLUSTERS: usize = 16;
/// Many more positions than there are places.
const POSITIONS: usize = 1 << 16;
const ROUNDS: usize = 300_000;

/// What is written for a position: one of two versions, so that entries change
/// though the position stays.
fn finding(key: u64, version: i32) -> Finding {
    let part = |shift: u32, bits: u32| (key >> shift & ((1 << bits) - 1)) as i32;
    Finding {
        depth: 1 + part(20, 5) + version,
        bound: Bound::Exact,
        score: Score::new(part(25, 13) - 4096 + version),
        eval: Some(Score::new(part(38, 13) - 4096)),
        best: Move::from_bits(part(4, 12) as u16),
        pv: part(51, 1) != 0,
    }
}

fn belongs(entry: &Entry, key: u64) -> bool {
    let told = (i32::from(entry.depth), entry.score(0), entry.eval, entry.best, entry.pv);
    [0, 1].into_iter().any(|version| {
        let own = finding(key, version);
        told == (own.depth, own.score, own.eval, own.best, own.pv)
    })
}

/// What one thread has read.
#[derive(Default)]
struct Tally {
    probes: u64,
    own: u64,
    foreign: u64,
}

impl Tally {
    fn take(&mut self, table: &TranspositionTable, key: u64) {
        self.probes += 1;
        if let Some(entry) = table.probe(key) {
            *(if belongs(&entry, key) { &mut self.own } else { &mut self.foreign }) += 1;
        }
    }
}

/// Writes and reads positions at random.
fn fire(table: &TranspositionTable, keys: &[u64], seed: u64) -> Tally {
    let mut random = SplitMix64::new(seed);
    let mut tally = Tally::default();
    for round in 0..ROUNDS {
        let [written, read] = [random.next(), random.next()].map(|n| keys[n as usize % keys.len()]);
        table.store(written, 0, finding(written, (round & 1) as i32));
        tally.take(table, written);
        tally.take(table, read);
    }
    tally
}

#[test]
fn no_entry_of_another_position_is_taken_for_one_beyond_the_odds() {
    let table = TranspositionTable::with_clusters(CLUSTERS);
    let mut random = SplitMix64::new(1);
    let keys: Vec<u64> = (0..POSITIONS).map(|_| random.next()).collect();
    let tallies: Vec<Tally> = thread::scope(|scope| {
        let (table, keys) = (&table, &keys);
        let threads: Vec<_> =
            (0..THREADS).map(|n| scope.spawn(move || fire(table, keys, 100 + n))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let sum = |part: fn(&Tally) -> u64| tallies.iter().map(part).sum::<u64>();
    let (probes, own, foreign) = (sum(|t| t.probes), sum(|t| t.own), sum(|t| t.foreign));
    assert!(own > probes / 4, "{own} of {probes} were found");
    // Each probe compares the checks of a whole cluster.
    let expected = (probes * ENTRIES_PER_CLUSTER as u64) >> u16::BITS;
    assert!(foreign < 2 * expected, "{foreign} foreign entries, {expected} by the odds");
}
