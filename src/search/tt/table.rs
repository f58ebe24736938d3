//! The transposition table: results of earlier searches, by position.
//!
//! The table is a list of clusters. Most foreign entries that pass the check of a
//! [cluster](super::cluster) hold a move that is illegal in the probed position, and are
//! removed for that.
//!
//! A new entry replaces the old one of the same position, unless that is worth more,
//! otherwise the least valuable one of its cluster: shallow, and from an old search.

use thiserror::Error;

use crate::chess::State;
use crate::eval::Score;
use crate::search::tt::cluster::{Cluster, ENTRIES_PER_CLUSTER};
use crate::search::tt::entry::{TtData, TtEntry};
use crate::util::memory::{self, MemoryError};
use crate::util::sync::atomic::{AtomicU8, Ordering};
use crate::util::thread::{PART_BYTES, for_each_part};
use crate::util::unsafe_ops::{fill_reserved, prefetch, reserve_huge_pages};

/// Where the table has a position. A node looks it up once, and stores its results there.
#[derive(Clone, Copy)]
pub struct TtPlace<'t> {
    cluster: &'t Cluster,
    /// The slot of its entry, if there is one.
    slot: Option<usize>,
}

/// There is not enough memory for a table of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no memory for a hash table of {mib} MiB: {cause}")]
pub struct HashError {
    pub mib: usize,
    pub cause: MemoryError,
}

/// The number of clusters in a table of `mib` MiB, at least one MiB.
fn clusters_in(mib: usize) -> Result<usize, MemoryError> {
    mib.max(1).checked_mul((1 << 20) / size_of::<Cluster>()).ok_or(MemoryError::Refused)
}

/// `count` empty clusters in reserved memory. Most of the time goes into page faults:
/// they happen here, on all cores, and not during the first search.
fn filled(mut clusters: Vec<Cluster>, count: usize) -> Vec<Cluster> {
    fill_reserved(&mut clusters, count, Cluster::default);
    clusters
}

/// A table of fixed size, shared by reference.
pub struct TranspositionTable {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of `mib` MiB, at least one.
    pub fn new(mib: usize) -> Result<Self, HashError> {
        Self::leaving(0, mib)
    }

    /// An empty table of `mib` MiB that leaves `others` bytes of memory free.
    pub fn leaving(others: u64, mib: usize) -> Result<Self, HashError> {
        let mut table = Self { clusters: Vec::new(), generation: AtomicU8::new(0) };
        table.resize(mib, others)?;
        Ok(table)
    }

    /// A table smaller than the smallest one of a game.
    #[cfg(all(test, not(feature = "loom")))]
    pub(super) fn with_clusters(count: usize) -> Self {
        Self {
            clusters: filled(reserve_huge_pages(count).unwrap(), count),
            generation: AtomicU8::new(0),
        }
    }

    /// Resizes and clears the table. A new size leaves `others` bytes of memory free, and the
    /// old memory is released before the new pages are touched, so that both are never
    /// needed at once.
    ///
    /// # Errors
    ///
    /// If there is not enough memory; the table is then unchanged.
    pub fn resize(&mut self, mib: usize, others: u64) -> Result<(), HashError> {
        let error = |cause| HashError { mib, cause };
        let count = clusters_in(mib).map_err(error)?;
        if count == self.clusters.len() {
            self.clear();
            return Ok(());
        }
        self.ensure_room(count, others).map_err(error)?;
        let reserved = reserve_huge_pages(count).map_err(|refused| error(refused.into()))?;
        self.clusters = Vec::new();
        *self = Self { clusters: filled(reserved, count), generation: AtomicU8::new(0) };
        Ok(())
    }

    /// Checks that there is memory for `count` clusters in place of the current ones,
    /// and for `others` bytes more.
    fn ensure_room(&self, count: usize, others: u64) -> Result<(), MemoryError> {
        let bytes = |count: usize| count as u64 * size_of::<Cluster>() as u64;
        if let Some(more @ 1..) = count.checked_sub(self.clusters.len()) {
            memory::ensure_free(bytes(more) + others)?;
        }
        // Old and new memory are reserved at the same time.
        memory::ensure_address_space(bytes(count) + others)
    }

    /// Clears the table, on all cores.
    pub fn clear(&mut self) {
        self.generation.store(0, Ordering::Relaxed);
        let part = PART_BYTES / size_of::<Cluster>();
        for_each_part(&mut self.clusters, part, |part| part.iter_mut().for_each(Cluster::clear));
    }

    /// Starts a new search: the entries of earlier ones lose value.
    pub fn new_search(&self) {
        self.generation
            .store((self.generation() + 1) & TtEntry::GENERATION_MASK, Ordering::Relaxed);
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

    /// Loads the cluster of a key into the cache, for a probe that follows soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// The entry of a position, and the place for another. An entry whose move is illegal in
    /// it belongs to another position with the same cluster and check, and is removed.
    #[inline(always)]
    pub fn look_up(&self, state: &State) -> (Option<TtEntry>, TtPlace<'_>) {
        let (entry, place) = self.look_up_key(state.key());
        let is_foreign = |entry: TtEntry| entry.best.is_some_and(|m| !state.is_legal(m));
        if let Some(slot) = place.slot
            && entry.is_some_and(is_foreign)
        {
            place.cluster.remove(slot);
            return (None, TtPlace { slot: None, ..place });
        }
        (entry, place)
    }

    /// The entry of a position.
    #[inline]
    pub fn probe_position(&self, state: &State) -> Option<TtEntry> {
        self.look_up(state).0
    }

    /// The entry of a key, or of another key with the same cluster and check.
    #[cfg(test)]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        self.look_up_key(key).0
    }

    /// The entry of a key, or of another key with the same cluster and check. An entry of an
    /// earlier search that is still in use counts as an entry of the current one from now on
    /// (as in Stockfish 16).
    #[inline(always)]
    fn look_up_key(&self, key: u64) -> (Option<TtEntry>, TtPlace<'_>) {
        let cluster = self.cluster(key);
        let Some((slot, entry)) = cluster.find(key) else {
            return (None, TtPlace { cluster, slot: None });
        };
        let generation = self.generation();
        if entry.generation != generation {
            cluster.store(slot, key, TtEntry { generation, ..entry });
        }
        (Some(entry), TtPlace { cluster, slot: Some(slot) })
    }

    /// Stores a result in the place of its position, unless the table holds a much deeper
    /// one or a quicker mate. Mate scores are counted from the root, `ply` plies above.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, data: TtData) {
        self.store_at(TtPlace { cluster: self.cluster(key), slot: None }, key, ply, data);
    }

    /// The same, in a place that is known.
    #[inline]
    pub fn store_at(&self, place: TtPlace<'_>, key: u64, ply: usize, data: TtData) {
        let TtPlace { cluster, slot } = place;
        let generation = self.generation();
        let known = slot.and_then(|slot| Some((slot, cluster.load(slot, key)?)));
        let (slot, known) = match known.or_else(|| cluster.find(key)) {
            Some((slot, entry)) => (slot, Some(entry)),
            None => (cluster.least_valuable(generation), None),
        };
        cluster.store(slot, key, TtEntry::new(ply, data, generation, known));
    }

    /// Stores the static evaluation of a position at once after it was looked up without
    /// success. Returns its place.
    #[inline]
    pub fn store_evaluation<'t>(
        &self,
        place: TtPlace<'t>,
        key: u64,
        ply: usize,
        eval: Score,
    ) -> TtPlace<'t> {
        let cluster = place.cluster;
        let generation = self.generation();
        let slot = cluster.least_valuable(generation);
        let entry = TtEntry::new(ply, TtData::evaluation(eval), generation, None);
        cluster.store(slot, key, entry);
        TtPlace { cluster, slot: Some(slot) }
    }

    /// The share of entries that the current search has written or probed, in permille, from a
    /// sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let sample = &self.clusters[..self.clusters.len().min(1000 / ENTRIES_PER_CLUSTER)];
        let used = sample
            .iter()
            .flat_map(|cluster| (0..ENTRIES_PER_CLUSTER).filter_map(|slot| cluster.any(slot)))
            .filter(|entry| entry.generation == generation)
            .count();
        (used * 1000 / (sample.len() * ENTRIES_PER_CLUSTER)) as u32
    }
}

#[cfg(all(test, not(feature = "loom")))]
mod tests {
    use super::{TranspositionTable, clusters_in};
    use crate::chess::{Move, MoveKind, Position, Square};
    use crate::eval::Score;
    use crate::search::tt::cluster::{CHECK_BITS, ENTRIES_PER_CLUSTER};
    use crate::search::tt::entry::{Bound, TtData};
    use crate::util::memory::{self, MemoryError};

    fn of_depth(depth: i32) -> TtData {
        TtData { depth, bound: Bound::Exact, score: Score::ZERO, eval: None, best: None, pv: false }
    }

    #[test]
    fn a_stored_entry_is_found_under_its_key_only() {
        let table = TranspositionTable::new(1).unwrap();
        let key = 0x1234_5678_9ABC_DEF0;
        let data = TtData {
            depth: 9,
            bound: Bound::Lower,
            score: Score::mate_in(7),
            eval: Some(Score::new(-55)),
            best: Some(Move::new(Square::E1, Square::H8, MoveKind::Quiet)),
            pv: true,
        };
        table.store(key, 3, data);
        let entry = table.probe(key).unwrap();
        assert_eq!(entry.score(3), data.score);
        assert_eq!(entry.eval, data.eval);
        assert_eq!(entry.best, data.best);
        assert_eq!((entry.depth, entry.bound, entry.pv), (9, Bound::Lower, true));
        assert!((0..CHECK_BITS).all(|bit| table.probe(key ^ 1 << bit).is_none()));
    }

    /// A move of another position, as the best one of the initial position.
    #[test]
    fn an_entry_with_an_illegal_move_is_removed() {
        let table = TranspositionTable::new(1).unwrap();
        let start = Position::startpos();
        let best = Some(Move::new(Square::E1, Square::H8, MoveKind::Quiet));
        table.store(start.key(), 0, TtData { best, ..of_depth(9) });
        assert!(table.look_up(&start).0.is_none());
        assert!(table.probe(start.key()).is_none());
    }

    #[test]
    fn a_full_cluster_replaces_its_shallowest_entry() {
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
    fn entries_of_old_searches_are_replaced_first() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(1, 0, of_depth(20));
        for _ in 0..5 {
            table.new_search();
        }
        for key in 2..=ENTRIES_PER_CLUSTER as u64 + 1 {
            table.store(key, 0, of_depth(5));
        }
        assert!(table.probe(1).is_none());
    }

    #[test]
    fn an_old_entry_in_use_is_kept_over_new_ones() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(1, 0, of_depth(20));
        for key in 2..=ENTRIES_PER_CLUSTER as u64 + 1 {
            table.new_search();
            assert!(table.probe(1).is_some());
            table.store(key, 0, of_depth(5));
        }
        assert!(table.probe(1).is_some());
        // A shallow search of the same position does not replace it either.
        table.store(1, 0, TtData { bound: Bound::Upper, ..of_depth(3) });
        assert_eq!(table.probe(1).unwrap().depth, 20);
    }

    #[test]
    fn a_mate_is_replaced_only_by_a_quicker_one() {
        let table = TranspositionTable::new(1).unwrap();
        let mate = |depth, plies| TtData {
            bound: Bound::Lower,
            score: Score::mate_in(plies),
            ..of_depth(depth)
        };
        let plies = |table: &TranspositionTable| table.probe(1).unwrap().plies_to_mate();
        table.store(1, 0, mate(5, 9));
        for weaker in [of_depth(30), mate(30, 11), TtData::evaluation(Score::ZERO)] {
            table.new_search();
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
    fn a_size_beyond_memory_is_an_error() {
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
    fn a_size_that_is_set_empties_and_a_refused_one_changes_nothing() {
        let mut table = TranspositionTable::new(1).unwrap();
        for mib in [2, 40, 40, 1] {
            table.store(1, 0, of_depth(3));
            assert!(table.resize(usize::MAX, 0).is_err());
            assert!(table.resize(100, 1 << 60).is_err(), "others need the memory");
            assert!(table.probe(1).is_some());
            table.resize(mib, 0).unwrap();
            assert_eq!(table.clusters.len(), clusters_in(mib).unwrap());
            assert!(table.clusters.iter().all(|cluster| cluster.any(0).is_none()));
        }
    }
}
