//! A cluster of the transposition table: six entries in one cache line.
//!
//! An entry is a word of data and a check of 21 bits: the low bits of the key, xored with a
//! checksum of the data (after R. Hyatt and T. Mann, "A lock-less transposition table
//! implementation for parallel search chess engines", 2002). Once in two million times the
//! check accepts an entry of another position, or one torn by two threads that write at once.
//! All words are atomics: there is neither a lock nor undefined behaviour.

use crate::search::tt::entry::{PV_WEIGHT, TtEntry};
use crate::util::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

pub(super) const ENTRIES_PER_CLUSTER: usize = 6;

/// The bits of each check in [`Cluster::check_tops`].
const TOP_BITS: usize = 5;
/// The bits of a check.
pub(super) const CHECK_BITS: usize = 16 + TOP_BITS;
const TOP_MASK: u32 = (1 << TOP_BITS) - 1;

/// Plies of depth that an entry loses in value with each later search that does not probe it.
const AGE_WEIGHT: i32 = 4;

/// One cache line.
#[derive(Default)]
#[repr(C, align(64))]
pub(super) struct Cluster {
    data: [AtomicU64; ENTRIES_PER_CLUSTER],
    /// The low bits of the checks.
    check: [AtomicU16; ENTRIES_PER_CLUSTER],
    /// Five more bits of each. A thread that writes one may undo what others write of theirs
    /// meanwhile; these entries are then found no more.
    check_tops: AtomicU32,
}

impl Cluster {
    #[inline]
    pub fn clear(&mut self) {
        for slot in 0..ENTRIES_PER_CLUSTER {
            self.data[slot].store(0, Ordering::Relaxed);
            self.check[slot].store(0, Ordering::Relaxed);
        }
        self.check_tops.store(0, Ordering::Relaxed);
    }

    /// The entry in a slot, if it belongs to `key`.
    #[inline]
    pub fn load(&self, slot: usize, key: u64) -> Option<TtEntry> {
        let data = self.data[slot].load(Ordering::Relaxed);
        let check = check(key, data);
        if self.check[slot].load(Ordering::Relaxed) != check as u16 {
            return None;
        }
        let top = self.check_tops.load(Ordering::Relaxed) >> (TOP_BITS * slot);
        if (top ^ check >> 16) & TOP_MASK != 0 {
            return None;
        }
        TtEntry::unpack(data)
    }

    #[inline]
    pub fn store(&self, slot: usize, key: u64, entry: TtEntry) {
        let data = entry.pack();
        let check = check(key, data);
        let others = self.check_tops.load(Ordering::Relaxed) & !(TOP_MASK << (TOP_BITS * slot));
        let top = (check >> 16 & TOP_MASK) << (TOP_BITS * slot);
        self.check_tops.store(others | top, Ordering::Relaxed);
        self.check[slot].store(check as u16, Ordering::Relaxed);
        self.data[slot].store(data, Ordering::Relaxed);
    }

    /// Removes the entry in a slot.
    #[cold]
    pub fn remove(&self, slot: usize) {
        self.data[slot].store(0, Ordering::Relaxed);
    }

    /// The entry in a slot, of any position.
    #[inline]
    pub fn any(&self, slot: usize) -> Option<TtEntry> {
        TtEntry::unpack(self.data[slot].load(Ordering::Relaxed))
    }

    /// The entry of `key` and its slot.
    #[inline]
    pub fn find(&self, key: u64) -> Option<(usize, TtEntry)> {
        (0..ENTRIES_PER_CLUSTER).find_map(|slot| Some((slot, self.load(slot, key)?)))
    }

    /// The slot of the entry that is lost most cheaply.
    #[inline]
    pub fn least_valuable(&self, generation: u8) -> usize {
        let mut least = (self.replacement_value(0, generation), 0);
        for slot in 1..ENTRIES_PER_CLUSTER {
            let value = self.replacement_value(slot, generation);
            if value < least.0 {
                least = (value, slot);
            }
        }
        least.1
    }

    /// How much is lost when the entry is replaced, in plies: its depth, less for
    /// each later search.
    #[inline]
    fn replacement_value(&self, slot: usize, generation: u8) -> i32 {
        self.any(slot).map_or(i32::MIN, |entry| {
            i32::from(entry.depth) + PV_WEIGHT * i32::from(entry.pv)
                - AGE_WEIGHT * i32::from(entry.age(generation))
        })
    }
}

/// The check of an entry, in the low bits: its key, xored with a hash of its data, the high bits
/// of a product (Fibonacci hashing: D. Knuth, "Sorting and searching", 1973, section 6.4).
#[inline]
pub(super) fn check(key: u64, data: u64) -> u32 {
    let product = data.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    key as u32 ^ (product >> (u64::BITS as usize - CHECK_BITS)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_of_the_data_counts_in_the_check() {
        let kept = |data| check(0, data) & ((1 << CHECK_BITS) - 1);
        let data = 0x1234_5678_9ABC_DEF0;
        assert!((0..u64::BITS).all(|bit| kept(data) != kept(data ^ 1 << bit)));
    }
}
