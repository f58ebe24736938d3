//! The transposition table: what the search already knows about positions.
//!
//! A cluster is one cache line of six entries. An entry is a word of data and a
//! check of sixteen bits: those of the key, xored with the data folded to as
//! many (after R. Hyatt and T. Mann, "A lock-less transposition table
//! implementation for parallel search", 2002). The check of an entry torn by two
//! threads writing at once fails as surely as that of another position, 65535
//! times in 65536. All words are atomics; there is neither a lock nor undefined
//! behaviour. Of the entries of another position that pass, most have a move that is
//! not legal in the one that is asked for, and are found out by that.
//!
//! A new entry replaces an old one of the same position or else the one of its
//! cluster that is worth the least: shallow, and from a search long past.

mod entry;
#[cfg(all(test, feature = "loom"))]
mod model;
#[cfg(all(test, not(feature = "loom")))]
mod stress;

use thiserror::Error;

use crate::chess::{Move, State};
use crate::eval::Score;
use crate::util::memory::{self, MemoryError};
use crate::util::prefetch::{fill_reserved, prefer_huge_pages, prefetch};
use crate::util::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering};
use crate::util::thread::for_each_part;

pub use entry::{Bound, Entry};

const ENTRIES_PER_CLUSTER: usize = 6;

/// How many plies of depth an entry loses for each search since its own.
const AGE_WEIGHT: i32 = 4;
/// How many plies an entry of a principal variation is worth beyond its depth.
const PV_WEIGHT: i32 = 2;
/// A shallower result replaces a deeper one of the same position if it lacks
/// no more than this many plies.
const DEPTH_TOLERANCE: i32 = 3;

/// One cache line.
#[derive(Default)]
#[repr(C, align(64))]
struct Cluster {
    data: [AtomicU64; ENTRIES_PER_CLUSTER],
    check: [AtomicU16; ENTRIES_PER_CLUSTER],
}

impl Cluster {
    /// The entry in a slot, if it belongs to `key`.
    #[inline]
    fn load(&self, slot: usize, key: u64) -> Option<Entry> {
        let data = self.data[slot].load(Ordering::Relaxed);
        if self.check[slot].load(Ordering::Relaxed) ^ folded(data) != key as u16 {
            return None;
        }
        Entry::unpack(data)
    }

    #[inline]
    fn store(&self, slot: usize, key: u64, entry: Entry) {
        let data = entry.pack();
        self.check[slot].store(key as u16 ^ folded(data), Ordering::Relaxed);
        self.data[slot].store(data, Ordering::Relaxed);
    }

    /// The entry in a slot, whatever its position.
    #[inline]
    fn any(&self, slot: usize) -> Option<Entry> {
        Entry::unpack(self.data[slot].load(Ordering::Relaxed))
    }

    /// What losing an entry would cost: its depth, less so the older it is.
    #[inline]
    fn worth(&self, slot: usize, generation: u8) -> i32 {
        self.any(slot).map_or(i32::MIN, |entry| {
            i32::from(entry.depth) + PV_WEIGHT * i32::from(entry.pv)
                - AGE_WEIGHT * i32::from(entry.age(generation))
        })
    }
}

/// All bits of the data have a part in the check.
#[inline]
fn folded(data: u64) -> u16 {
    let half = data ^ (data >> 32);
    (half ^ (half >> 16)) as u16
}

/// What a node found out, to be remembered.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// Plies searched.
    pub depth: i32,
    pub bound: Bound,
    pub score: Score,
    /// The static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The best move; without one, an older entry's is kept.
    pub best: Option<Move>,
    /// Whether the node is, or once was, part of a principal variation.
    pub pv: bool,
}

impl Finding {
    /// Nothing but a static evaluation: a lower bound that every score meets.
    pub fn evaluation(eval: Score) -> Self {
        Self {
            depth: 0,
            bound: Bound::Lower,
            score: -Score::INFINITE,
            eval: Some(eval),
            best: None,
            pv: false,
        }
    }
}

/// There is not enough memory for a table of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no memory for a hash table of {mib} MiB: {cause}")]
pub struct HashError {
    pub mib: usize,
    pub cause: MemoryError,
}

/// The clusters in a table of so many MiB, at least one.
fn clusters_in(mib: usize) -> Result<usize, MemoryError> {
    mib.max(1).checked_mul((1 << 20) / size_of::<Cluster>()).ok_or(MemoryError::Refused)
}

/// Memory for so many clusters, which the system has promised but has not been
/// made to give.
fn reserved(count: usize) -> Result<Vec<Cluster>, MemoryError> {
    let mut clusters = Vec::new();
    clusters.try_reserve_exact(count)?;
    prefer_huge_pages(&mut clusters);
    Ok(clusters)
}

/// The clusters that one thread empties at a time, 16 MiB of them: fewer it has
/// emptied sooner than others are called to help.
const PART: usize = (16 << 20) / size_of::<Cluster>();

/// So many empty clusters in the memory that was reserved for them. Most of the
/// time is the system's, which has to find the pages: it is spent now and not
/// when a search first comes to them, and by all cores where that pays.
fn filled(mut clusters: Vec<Cluster>, count: usize) -> Vec<Cluster> {
    fill_reserved(&mut clusters, count, PART, Cluster::default);
    clusters
}

/// A table of fixed size, shared by reference.
pub struct TranspositionTable {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of so many MiB, at least one.
    ///
    /// # Errors
    ///
    /// If the memory cannot be had.
    pub fn new(mib: usize) -> Result<Self, HashError> {
        Self::beside(0, mib)
    }

    /// The same where so many bytes have to be left to others.
    ///
    /// # Errors
    ///
    /// If the memory cannot be had.
    pub fn beside(others: u64, mib: usize) -> Result<Self, HashError> {
        let mut table = Self { clusters: Vec::new(), generation: AtomicU8::new(0) };
        table.resize(mib, others)?;
        Ok(table)
    }

    /// A table smaller than any that is played with.
    #[cfg(all(test, not(feature = "loom")))]
    fn with_clusters(count: usize) -> Self {
        Self { clusters: filled(reserved(count).unwrap(), count), generation: AtomicU8::new(0) }
    }

    /// Takes another size and forgets everything. The old memory is given back
    /// before the new one is used, so that at no time both are needed. `others` is
    /// how many bytes have to be left besides.
    ///
    /// # Errors
    ///
    /// If the memory cannot be had; the table is then left as it was.
    pub fn resize(&mut self, mib: usize, others: u64) -> Result<(), HashError> {
        let error = |cause| HashError { mib, cause };
        let count = clusters_in(mib).map_err(error)?;
        self.ensure_room(count, others).map_err(error)?;
        let reserved = reserved(count).map_err(error)?;
        self.clusters = Vec::new();
        *self = Self { clusters: filled(reserved, count), generation: AtomicU8::new(0) };
        Ok(())
    }

    /// Asks whether there is room for so many clusters in place of those that the
    /// table has, and for so many other bytes.
    fn ensure_room(&self, count: usize, others: u64) -> Result<(), MemoryError> {
        let bytes = |count: usize| count as u64 * size_of::<Cluster>() as u64;
        if let Some(more @ 1..) = count.checked_sub(self.clusters.len()) {
            memory::ensure_free(bytes(more) + others)?;
        }
        // Both are reserved at a time.
        memory::ensure_address_space(bytes(count) + others)
    }

    /// The table's size in MiB.
    pub fn mib(&self) -> usize {
        (self.clusters.len() * size_of::<Cluster>()) >> 20
    }

    /// Empties the table, on all cores: large tables take a while.
    pub fn clear(&mut self) {
        self.generation.store(0, Ordering::Relaxed);
        for_each_part(&mut self.clusters, PART, |part| part.fill_with(Cluster::default));
    }

    /// Begins a new search: entries of former ones become cheaper to replace.
    pub fn age(&self) {
        self.generation.store((self.generation() + 1) & Entry::GENERATION_MASK, Ordering::Relaxed);
    }

    #[inline]
    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        // The high bits of the product spread the key evenly over any length.
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Brings the cluster of a key closer, for a probe that is about to come.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// What is known of a position. An entry whose move is not legal in it was stored
    /// for another one with the same cluster and check, and is not believed.
    #[inline]
    pub fn probe_position(&self, state: &State) -> Option<Entry> {
        let is_own = |entry: &Entry| entry.best.is_none_or(|m| state.is_legal(m));
        self.probe(state.key()).filter(is_own)
    }

    /// The entry of a key, or of another one with the same cluster and check.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key);
        (0..ENTRIES_PER_CLUSTER).find_map(|slot| cluster.load(slot, key))
    }

    /// Remembers a result, unless the table knows a much deeper one of the same
    /// position. Its score is counted from the root, `ply` plies above.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, found: Finding) {
        let cluster = self.cluster(key);
        let generation = self.generation();
        let mut slot = 0;
        let mut least = i32::MAX;
        let mut known = None;
        for candidate in 0..ENTRIES_PER_CLUSTER {
            known = cluster.load(candidate, key);
            if known.is_some() {
                slot = candidate;
                break;
            }
            let worth = cluster.worth(candidate, generation);
            if worth < least {
                (slot, least) = (candidate, worth);
            }
        }
        let depth = found.depth.clamp(0, i32::from(u8::MAX)) as u8;
        let entry = Entry {
            best: found.best.or_else(|| known.and_then(|old| old.best)),
            stored_score: found.score.to_tt(ply),
            eval: found.eval,
            depth,
            bound: found.bound,
            pv: found.pv,
            generation,
        };
        let entry = match known {
            Some(old) if old.outlasts(&entry) => Entry { generation, ..old },
            _ => entry,
        };
        cluster.store(slot, key, entry);
    }

    /// The share of entries that the current search has written, in permille.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation();
        self.permille(|entry| entry.generation == generation)
    }

    /// The share of entries that any search has written, in permille.
    pub fn occupied(&self) -> u32 {
        self.permille(|_| true)
    }

    /// The share of entries that count, in permille, from a sample.
    fn permille(&self, counts: impl Fn(&Entry) -> bool) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(1000 / ENTRIES_PER_CLUSTER)];
        let used = sample
            .iter()
            .flat_map(|cluster| (0..ENTRIES_PER_CLUSTER).filter_map(|slot| cluster.any(slot)))
            .filter(counts)
            .count();
        (used * 1000 / (sample.len() * ENTRIES_PER_CLUSTER)) as u32
    }
}

#[cfg(all(test, not(feature = "loom")))]
mod tests {
    use super::{Bound, ENTRIES_PER_CLUSTER, Finding, TranspositionTable, clusters_in};
    use crate::chess::{Move, MoveKind, Square};
    use crate::eval::Score;
    use crate::util::memory::{self, MemoryError};

    fn of_depth(depth: i32) -> Finding {
        Finding {
            depth,
            bound: Bound::Exact,
            score: Score::ZERO,
            eval: None,
            best: None,
            pv: false,
        }
    }

    #[test]
    fn what_was_stored_is_found_and_nothing_else() {
        let table = TranspositionTable::new(1).unwrap();
        let key = 0x1234_5678_9ABC_DEF0;
        let found = Finding {
            depth: 9,
            bound: Bound::Lower,
            score: Score::mate_in(7),
            eval: Some(Score::new(-55)),
            best: Some(Move::new(Square::E1, Square::H8, MoveKind::Quiet)),
            pv: true,
        };
        table.store(key, 3, found);
        let entry = table.probe(key).unwrap();
        assert_eq!(entry.score(3), found.score);
        assert_eq!(entry.eval, found.eval);
        assert_eq!(entry.best, found.best);
        assert_eq!((entry.depth, entry.bound, entry.pv), (9, Bound::Lower, true));
        assert_eq!(table.probe(key ^ 1), None);
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest_entry() {
        let table = TranspositionTable::new(1).unwrap();
        // Small keys all fall into the first cluster.
        for key in 1..=ENTRIES_PER_CLUSTER as u64 {
            table.store(key, 0, of_depth(10 + key as i32));
        }
        table.store(99, 0, of_depth(1));
        assert!(table.probe(1).is_none() && table.probe(99).is_some());
        assert!((2..=ENTRIES_PER_CLUSTER as u64).all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn entries_of_old_searches_go_first() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(1, 0, of_depth(20));
        for _ in 0..5 {
            table.age();
        }
        for key in 2..=ENTRIES_PER_CLUSTER as u64 + 1 {
            table.store(key, 0, of_depth(5));
        }
        assert!(table.probe(1).is_none());
    }

    #[test]
    fn a_mate_gives_way_to_a_quicker_one_only() {
        let table = TranspositionTable::new(1).unwrap();
        let mate = |depth, plies| Finding {
            bound: Bound::Lower,
            score: Score::mate_in(plies),
            ..of_depth(depth)
        };
        let plies = |table: &TranspositionTable| table.probe(1).unwrap().plies_to_mate();
        table.store(1, 0, mate(5, 9));
        for weaker in [of_depth(30), mate(30, 11), Finding::evaluation(Score::ZERO)] {
            table.age();
            table.store(1, 0, weaker);
            assert_eq!(plies(&table), Some(9));
        }
        table.store(1, 0, mate(1, 7));
        assert_eq!(plies(&table), Some(7));
    }

    #[test]
    fn a_cleared_table_is_empty() {
        let mut table = TranspositionTable::new(2).unwrap();
        for key in (0..10_000u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15)) {
            table.store(key, 0, of_depth(3));
        }
        assert!(table.hashfull() > 0);
        table.clear();
        assert_eq!(table.hashfull(), 0);
        assert!(table.probe(0x9E37_79B9_7F4A_7C15).is_none());
    }

    #[test]
    fn an_absurd_size_is_refused() {
        assert!(TranspositionTable::new(usize::MAX).is_err());
        assert!(TranspositionTable::new(1 << 40).is_err());
    }

    /// The system would promise a table of this size, and could not keep the promise.
    #[test]
    fn a_size_between_the_free_memory_and_all_of_it_is_refused() {
        let Some(total) = memory::total_mib() else { return };
        let mut table = TranspositionTable::new(1).unwrap();
        // Nothing is allocated for the question alone.
        let refused = table.ensure_room(clusters_in(total - 1).unwrap(), 0).unwrap_err();
        assert_ne!(refused, MemoryError::Refused);
        assert_eq!(table.resize(1 << 40, 0).unwrap_err().mib, 1 << 40);
    }

    #[test]
    fn another_size_is_empty_and_a_refused_one_changes_nothing() {
        let mut table = TranspositionTable::new(1).unwrap();
        for mib in [2, 40, 1] {
            table.store(1, 0, of_depth(3));
            assert!(table.resize(usize::MAX, 0).is_err());
            assert!(table.resize(100, 1 << 60).is_err(), "others need the memory");
            assert!(table.probe(1).is_some());
            table.resize(mib, 0).unwrap();
            assert_eq!(table.mib(), mib);
            assert!(table.clusters.iter().all(|cluster| cluster.any(0).is_none()));
        }
    }
}
