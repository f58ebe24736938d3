//! A transposition table with both bounds.
//!
//! An entry holds a lower and an upper bound of the value of a position searched to a
//! depth; only a search to the same depth uses them. Its move serves any depth.
//!
//! | to read | what it holds |
//! |---|---|
//! | [`replacement`] | which entry stays when positions share a place |
//! | [`equivalence`] | positions that share an entry because they are worth the same |

pub mod equivalence;
pub mod replacement;

use crate::lab::game::{GameMove, INFINITE, at_ply};
use crate::lab::table::replacement::{MAX_PLACES, NewPlace, Replacement};
use crate::lab::{Law, LawSample, ensure};

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub struct BoundEntry {
    key: u64,
    depth: u32,
    /// The nodes of the search below it, itself included.
    nodes: u64,
    /// How often it has been found.
    uses: u16,
    low: i32,
    high: i32,
    best: Option<GameMove>,
}

/// A lower and an upper bound of a value.
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

    /// The same bounds as they are `ply` plies above.
    pub fn at_ply(self, ply: i32) -> Self {
        Self { low: at_ply(self.low, ply), high: at_ply(self.high, ply) }
    }
}

/// A position in the table.
#[derive(Clone, Copy, Debug)]
pub struct TableNode {
    pub key: u64,
    /// The plies to the leaves.
    pub depth: u32,
    /// The plies from the root.
    pub ply: i32,
}

/// A table of a fixed number of places. Entries are in the order in which places were first
/// used, so that a short search touches little memory.
#[derive(Clone, Debug)]
pub struct BoundTable {
    /// By place, the number of its entry, from 1; 0 for none. The places that a position can
    /// have are next to each other.
    numbers: Vec<u32>,
    entries: Vec<BoundEntry>,
    replacement: Replacement,
}

impl BoundTable {
    /// The bytes of a place and its entry.
    pub const ENTRY_BYTES: usize = size_of::<u32>() + size_of::<BoundEntry>();

    /// An empty table of some places, at most [`u32::MAX`], but enough for one position.
    pub fn new(places: usize, replacement: Replacement) -> Self {
        let bucket = replacement.places();
        let places = (places / bucket).max(1) * bucket;
        Self { numbers: vec![0; places], entries: Vec::with_capacity(places), replacement }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.numbers.fill(0);
        self.entries.clear();
    }

    /// The entry of a place.
    #[inline]
    fn entry(&self, place: usize) -> Option<&BoundEntry> {
        self.entries.get((self.numbers[place] as usize).wrapping_sub(1))
    }

    /// Writes the entry of a place.
    fn write(&mut self, place: usize, entry: BoundEntry) {
        match self.numbers[place] {
            0 => {
                self.entries.push(entry);
                self.numbers[place] = self.entries.len() as u32;
            }
            number => self.entries[number as usize - 1] = entry,
        }
    }

    /// The places of a position.
    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let places = self.replacement.places();
        let first = index(key, self.numbers.len() / places) * places;
        first..first + places
    }

    fn find(&self, key: u64) -> Option<&BoundEntry> {
        self.bucket(key).filter_map(|place| self.entry(place)).find(|entry| entry.key == key)
    }

    /// The bounds of a position, unknown from another depth; `None` if it is not in the table.
    #[inline]
    pub fn bounds(&self, node: TableNode) -> Option<ValueBounds> {
        let entry = self.find(node.key)?;
        let bounds = ValueBounds { low: entry.low, high: entry.high };
        Some(if entry.depth == node.depth { bounds.at_ply(node.ply) } else { ValueBounds::UNKNOWN })
    }

    /// The best move of a position from a search to any depth.
    #[inline]
    pub fn best(&self, key: u64) -> Option<GameMove> {
        self.find(key)?.best
    }

    /// The nodes of the search below a position, itself included; 0 if it is not in the table.
    pub fn nodes(&self, key: u64) -> u64 {
        self.find(key).map_or(0, |entry| entry.nodes)
    }

    /// A position has been found once more.
    pub fn count_use(&mut self, key: u64) {
        let place =
            self.bucket(key).find(|&place| self.entry(place).is_some_and(|it| it.key == key));
        let number = place.map_or(0, |place| self.numbers[place] as usize);
        if let Some(entry) = self.entries.get_mut(number.wrapping_sub(1)) {
            entry.uses = entry.uses.saturating_add(1);
        }
    }

    /// Stores bounds. They replace the bounds of the same position; ones for the same depth
    /// are joined.
    #[inline]
    pub fn put(
        &mut self,
        node: TableNode,
        nodes: u64,
        bounds: ValueBounds,
        best: Option<GameMove>,
    ) {
        let TableNode { key, depth, ply } = node;
        let ValueBounds { low, high } = bounds.at_ply(-ply);
        let mut new = BoundEntry { key, depth, nodes, uses: 0, low, high, best };
        let bucket = self.bucket(key);
        let first = bucket.start;
        let mut there = [None; MAX_PLACES];
        let mut same = None;
        for (kept, place) in there.iter_mut().zip(bucket.clone()) {
            match self.entry(place) {
                Some(old) if old.key == key => {
                    same = Some(place);
                    new.best = new.best.or(old.best);
                    new.uses = old.uses;
                    if old.depth == depth {
                        (new.low, new.high) = (low.max(old.low), high.min(old.high));
                    }
                }
                other => *kept = other,
            }
        }
        let place = match (self.replacement.place(&there[..bucket.len()], &new), same) {
            (NewPlace::Push, _) => {
                if same != Some(first) {
                    self.numbers.swap(first, first + 1);
                }
                first
            }
            (_, Some(same)) => same,
            (NewPlace::At(place), None) => first + place,
            (NewPlace::Nowhere, None) => return,
        };
        self.write(place, new);
    }
}

/// The index of a key among a number of places: the upper bits of the product spread the
/// keys over any number of them.
fn index(key: u64, places: usize) -> usize {
    ((u128::from(key) * places as u128) >> 64) as usize
}

/// A table of best moves alone, next to the bounds: a move is small, so that there is room
/// for more of them, and it stays when the bounds of its position are replaced. The newer
/// move of a place stays.
#[derive(Clone, Debug)]
pub struct MoveTable(Vec<Option<(u64, GameMove)>>);

impl MoveTable {
    /// The bytes of an entry.
    pub const ENTRY_BYTES: usize = size_of::<Option<(u64, GameMove)>>();

    pub fn new(entries: usize) -> Self {
        Self(vec![None; entries.max(1)])
    }

    pub fn get(&self, key: u64) -> Option<GameMove> {
        self.0[index(key, self.0.len())].filter(|entry| entry.0 == key).map(|entry| entry.1)
    }

    pub fn put(&mut self, key: u64, m: GameMove) {
        let place = index(key, self.0.len());
        self.0[place] = Some((key, m));
    }
}

pub const LAWS: [Law; 4] = [
    Law {
        name: "any-table",
        text: "no table changes the value, whatever its size and replacement, with its moves or \
               without",
        applies: |_| true,
        check: |sample| {
            let truth = sample.minimax()?.value;
            for table in ["table=1", "table=9999", "table=5:moves=3:order=tt"] {
                sample.expect_values(&["ab", "negamax"], table, truth)?;
            }
            for replace in Replacement::NAMES {
                let row = format!("ab:table=50:replace={replace}:deepen:order=tt");
                sample.expect_value(&row, truth)?;
            }
            sample.expect_value("negascout:moves=50:deepen:order=tt", truth)
        },
    },
    Law {
        name: "any-replacement-in-a-large-table",
        text: "in a table that is much larger than the tree all schemes of replacement visit the \
               same nodes",
        applies: |sample| !sample.is_synthetic() && sample.size() < 2000,
        check: |sample| {
            let run = |replace| sample.run(&format!("ab:table=100000:replace={replace}:deepen"));
            let deep = run("deep")?;
            Replacement::NAMES.into_iter().try_for_each(|replace| {
                let counts = run(replace)?.counts;
                ensure(counts == deep.counts, || {
                    format!("{replace}: {} nodes, deep {}", counts.nodes, deep.counts.nodes)
                })
            })
        },
    },
    Law {
        name: "a-table-saves-nodes",
        text: "negamax with a table that is larger than the tree visits no more nodes than without",
        applies: |_| true,
        check: |sample| sample.expect_no_more_than_minimax("negamax:table=10000"),
    },
    Law {
        name: "no-hits-in-a-tree",
        text: "where no position occurs twice the table is never hit, and nothing changes",
        applies: LawSample::is_synthetic,
        check: |sample| {
            for row in ["negamax:table=9999", "ab:table=9999", "ab:table=9999:replace=twobig1"] {
                let plain = row.split(':').next().unwrap_or(row);
                let (with, without) = (sample.run(row)?, sample.run(plain)?);
                ensure(with == without, || format!("{row}: {} hits", with.counts.hits))?;
            }
            Ok(())
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::game::WIN;

    const BOUNDS: ValueBounds = ValueBounds { low: 3, high: INFINITE };

    fn node(key: u64, depth: u32) -> TableNode {
        TableNode { key, depth, ply: 2 }
    }

    /// A table of one bucket with a position.
    fn table(replacement: Replacement) -> BoundTable {
        let mut table = BoundTable::new(1, replacement);
        table.put(node(7, 4), 40, BOUNDS, Some(1));
        table
    }

    #[test]
    fn bounds_of_one_depth_are_joined() {
        let mut table = table(Replacement::Old);
        table.put(node(7, 4), 40, ValueBounds { low: -INFINITE, high: 9 }, None);
        assert_eq!(table.bounds(node(7, 4)), Some(ValueBounds { low: 3, high: 9 }));
        assert_eq!(
            (table.bounds(node(7, 5)), table.best(7)),
            (Some(ValueBounds::UNKNOWN), Some(1))
        );
        assert_eq!((table.bounds(node(8, 4)), table.best(8)), (None, None));
    }

    #[test]
    fn a_cleared_table_is_empty() {
        for scheme in Replacement::ALL {
            let mut table = BoundTable::new(100, scheme);
            let keys = (0..200).map(|number| crate::util::rng::SplitMix64::new(number).next());
            keys.clone().for_each(|key| table.put(node(key, 1), 1, BOUNDS, Some(key as GameMove)));
            let found = keys.clone().filter(|&key| table.bounds(node(key, 1)).is_some());
            assert!((50..=100).contains(&found.count()), "{scheme:?}");
            assert!(
                keys.clone().all(|key| table.best(key).is_none_or(|best| best == key as GameMove))
            );
            table.clear();
            assert!(keys.clone().all(|key| table.bounds(node(key, 1)).is_none()));
        }
    }

    #[test]
    fn one_place_is_replaced_or_not() {
        for (replacement, depth, nodes, stays) in [
            (Replacement::Deep, 3, 99, true),
            (Replacement::Deep, 4, 1, false),
            (Replacement::New, 1, 1, false),
            (Replacement::Old, 9, 99, true),
            (Replacement::Big1, 9, 39, true),
            (Replacement::Big1, 1, 40, false),
            (Replacement::BigAll, 9, 39, true),
            (Replacement::BigAll, 1, 40, false),
        ] {
            let mut table = table(replacement);
            table.put(node(8, depth), nodes, BOUNDS, None);
            assert_eq!(table.bounds(node(7, 4)).is_some(), stays, "{replacement:?} {depth}");
            assert_eq!(table.bounds(node(8, depth)).is_some(), !stays);
        }
    }

    /// The deepest, or biggest, position stays in the first place; the others follow each other
    /// in the second.
    #[test]
    fn the_deepest_and_the_newest_stay() {
        for replacement in [Replacement::TwoDeep, Replacement::TwoBig1] {
            let mut table = table(replacement);
            let mut kept_after = |key, depth: u32| {
                table.put(node(key, depth), 10 * u64::from(depth), BOUNDS, None);
                [7, 8, 9].map(|key| table.nodes(key) > 0)
            };
            assert_eq!(kept_after(8, 2), [true, true, false]);
            assert_eq!(kept_after(9, 1), [true, false, true]);
            assert_eq!(kept_after(8, 6), [true, true, false]);
            // The position in the first place is searched again, and the other one is kept.
            assert_eq!(kept_after(8, 7), [true, true, false]);
        }
    }

    #[test]
    fn a_cluster_has_six_places() {
        let mut table = table(Replacement::Cluster);
        (10..16).for_each(|key| table.put(node(key, key as u32), 1, BOUNDS, None));
        assert_eq!((table.nodes(7), table.nodes(10), table.nodes(15)), (0, 1, 1));
        // An exact value counts as two plies more.
        let mut table = BoundTable::new(1, Replacement::Cluster);
        table.put(node(7, 4), 40, ValueBounds { low: 3, high: 3 }, None);
        (10..16).for_each(|key| table.put(node(key, 5), 1, BOUNDS, None));
        assert_eq!((table.nodes(7), table.nodes(10), table.nodes(15)), (40, 0, 1));
    }

    #[test]
    fn what_is_used_stays() {
        let mut table = table(Replacement::Used);
        table.count_use(7);
        (10..30).for_each(|key| table.put(node(key, 5), 1, BOUNDS, None));
        assert_eq!((table.nodes(7), table.nodes(10), table.nodes(29)), (40, 0, 1));
    }

    #[test]
    fn the_newer_move_of_a_place_stays() {
        let mut moves = MoveTable::new(1);
        moves.put(7, 1);
        assert_eq!((moves.get(7), moves.get(8)), (Some(1), None));
        moves.put(8, 2);
        assert_eq!((moves.get(7), moves.get(8)), (None, Some(2)));
    }

    #[test]
    fn wins_are_counted_from_the_position() {
        let mut table = BoundTable::new(1, Replacement::New);
        let win = ValueBounds { low: WIN - 5, high: WIN - 5 };
        table.put(node(7, 4), 1, win, None);
        let bounds = table.bounds(TableNode { ply: 6, ..node(7, 4) }).unwrap();
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
