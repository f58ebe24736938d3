//! A transposition table with both bounds.
//!
//! An entry holds a lower and an upper bound of the value of a position searched to a
//! depth; only a search to the same depth uses them. Its move serves any depth.

use crate::lab::game::{INFINITE, at_ply};

/// Which entry stays when two positions share a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Replacement {
    /// The deeper one; the newer of equals.
    #[default]
    Deep,
    /// The newer.
    New,
    /// The older.
    Old,
}

impl Replacement {
    /// The names of the schemes.
    pub const NAMES: [&str; 3] = ["deep", "new", "old"];

    /// The scheme of a name.
    pub fn named(name: &str) -> Self {
        match name {
            "new" => Self::New,
            "old" => Self::Old,
            _ => Self::Deep,
        }
    }
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundEntry<M> {
    key: u64,
    depth: u32,
    low: i32,
    high: i32,
    best: Option<M>,
}

/// The bounds that a search has found, and its best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueBounds {
    pub low: i32,
    pub high: i32,
}

impl ValueBounds {
    pub const UNKNOWN: Self = Self { low: -INFINITE, high: INFINITE };

    /// What a fail-soft search of a window proves with its value.
    pub fn of(value: i32, alpha: i32, beta: i32) -> Self {
        Self {
            low: if value > alpha { value } else { -INFINITE },
            high: if value < beta { value } else { INFINITE },
        }
    }

    /// The value with which these bounds end a search of a window, if they do.
    pub fn cut(&self, alpha: i32, beta: i32) -> Option<i32> {
        if self.low >= beta || self.low == self.high {
            Some(self.low)
        } else {
            (self.high <= alpha).then_some(self.high)
        }
    }
}

/// A table of a fixed number of places. Entries are in the order in which places were first
/// used, so that a short search touches little memory.
#[derive(Clone, Debug)]
pub struct BoundTable<M> {
    /// By place, the number of its entry, from 1; 0 for none.
    numbers: Vec<u32>,
    entries: Vec<BoundEntry<M>>,
    replacement: Replacement,
}

impl<M: Copy> BoundTable<M> {
    /// The most places.
    pub const MAX_PLACES: usize = u32::MAX as usize;

    /// The bytes of a place and its entry.
    pub const ENTRY_BYTES: usize = size_of::<u32>() + size_of::<BoundEntry<M>>();

    /// An empty table of some places, at most [`MAX_PLACES`](Self::MAX_PLACES).
    pub fn new(places: usize, replacement: Replacement) -> Self {
        let places = places.clamp(1, Self::MAX_PLACES);
        Self { numbers: vec![0; places], entries: Vec::with_capacity(places), replacement }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.numbers.fill(0);
        self.entries.clear();
    }

    /// The entry of a place.
    #[inline]
    fn entry(&self, place: usize) -> Option<&BoundEntry<M>> {
        self.entries.get((self.numbers[place] as usize).wrapping_sub(1))
    }

    fn place(&self, key: u64) -> usize {
        // The upper bits of the product spread the keys over any number of places.
        ((u128::from(key) * self.numbers.len() as u128) >> 64) as usize
    }

    /// The bounds of a position `ply` plies below the root, unknown from another depth, and
    /// the best move from any; `None` if the position is not in the table.
    #[inline]
    pub fn get(&self, key: u64, depth: u32, ply: i32) -> Option<(ValueBounds, Option<M>)> {
        let entry = self.entry(self.place(key)).filter(|entry| entry.key == key)?;
        let bounds = match entry.depth == depth {
            true => ValueBounds { low: at_ply(entry.low, ply), high: at_ply(entry.high, ply) },
            false => ValueBounds::UNKNOWN,
        };
        Some((bounds, entry.best))
    }

    /// Stores bounds. They replace the bounds of the same position; ones for the same depth
    /// are joined.
    #[inline]
    pub fn put(&mut self, key: u64, depth: u32, ply: i32, bounds: ValueBounds, best: Option<M>) {
        let place = self.place(key);
        let (mut low, mut high) = (at_ply(bounds.low, -ply), at_ply(bounds.high, -ply));
        let mut best = best;
        if let Some(old) = self.entry(place) {
            if old.key == key {
                best = best.or(old.best);
                if old.depth == depth {
                    (low, high) = (low.max(old.low), high.min(old.high));
                }
            } else if match self.replacement {
                Replacement::Deep => old.depth > depth,
                Replacement::New => false,
                Replacement::Old => true,
            } {
                return;
            }
        }
        let entry = BoundEntry { key, depth, low, high, best };
        match self.numbers[place] {
            0 => {
                self.entries.push(entry);
                self.numbers[place] = self.entries.len() as u32;
            }
            number => self.entries[number as usize - 1] = entry,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::game::WIN;

    const BOUNDS: ValueBounds = ValueBounds { low: 3, high: INFINITE };

    fn table(replacement: Replacement) -> BoundTable<u8> {
        let mut table = BoundTable::new(1, replacement);
        table.put(7, 4, 2, BOUNDS, Some(1));
        table
    }

    #[test]
    fn bounds_of_one_depth_are_joined() {
        let mut table = table(Replacement::Old);
        table.put(7, 4, 2, ValueBounds { low: -INFINITE, high: 9 }, None);
        assert_eq!(table.get(7, 4, 2), Some((ValueBounds { low: 3, high: 9 }, Some(1))));
        assert_eq!(table.get(7, 5, 2), Some((ValueBounds::UNKNOWN, Some(1))));
        assert_eq!(table.get(8, 4, 2), None);
    }

    #[test]
    fn a_cleared_table_is_empty() {
        let mut table = BoundTable::new(100, Replacement::Old);
        let keys = (0..200).map(|number| crate::util::rng::SplitMix64::new(number).next());
        keys.clone().for_each(|key| table.put(key, 1, 0, BOUNDS, Some(key)));
        let found = keys.clone().filter(|&key| table.get(key, 1, 0).is_some());
        assert!((50..=100).contains(&found.count()));
        assert!(keys.clone().all(|key| table.get(key, 1, 0).is_none_or(|it| it.1 == Some(key))));
        table.clear();
        assert!(keys.clone().all(|key| table.get(key, 1, 0).is_none()));
    }

    #[test]
    fn replacement() {
        for (replacement, depth, stays) in [
            (Replacement::Deep, 3, true),
            (Replacement::Deep, 4, false),
            (Replacement::New, 1, false),
            (Replacement::Old, 9, true),
        ] {
            let mut table = table(replacement);
            table.put(8, depth, 2, BOUNDS, None);
            assert_eq!(table.get(7, 4, 2).is_some(), stays, "{replacement:?} {depth}");
            assert_eq!(table.get(8, depth, 2).is_some(), !stays);
        }
    }

    #[test]
    fn wins_are_counted_from_the_position() {
        let mut table = BoundTable::<u8>::new(1, Replacement::New);
        let win = ValueBounds { low: WIN - 5, high: WIN - 5 };
        table.put(7, 4, 2, win, None);
        let (bounds, _) = table.get(7, 4, 6).unwrap();
        assert_eq!((bounds.low, bounds.high), (WIN - 9, WIN - 9));
    }

    #[test]
    fn values_prove_bounds() {
        let of = |value| ValueBounds::of(value, 0, 10);
        assert_eq!((of(-3).low, of(-3).high), (-INFINITE, -3));
        assert_eq!((of(5).low, of(5).high), (5, 5));
        assert_eq!((of(12).low, of(12).high), (12, INFINITE));
        let cuts = [-3, 5, 12].map(|value| of(value).cut(0, 10));
        assert_eq!(cuts, [Some(-3), Some(5), Some(12)]);
        assert_eq!(of(12).cut(0, 20), None);
    }
}
