//! Results of several threads, returned in the order of their tasks.

use std::collections::BTreeMap;

/// Numbered items that are added in any order and taken in order.
#[derive(Debug)]
pub struct InOrder<T> {
    /// The number of the next item to take.
    next: u64,
    /// Items that wait for an earlier one.
    waiting: BTreeMap<u64, T>,
}

impl<T> InOrder<T> {
    /// No items yet; `first` is the number of the first one.
    pub const fn new(first: u64) -> Self {
        Self { next: first, waiting: BTreeMap::new() }
    }

    /// Adds an item. Each number may be added once.
    pub fn add(&mut self, number: u64, item: T) {
        let before = self.waiting.insert(number, item);
        debug_assert!(before.is_none() && number >= self.next, "number {number} is added twice");
    }

    /// The next item, if it has been added.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(item)
    }

    /// The items that still wait, in order, though earlier ones are missing.
    pub fn into_rest(self) -> impl Iterator<Item = T> {
        self.waiting.into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_taken_in_order_once_all_earlier_ones_are_there() {
        let mut items = InOrder::new(3);
        let mut left = Vec::new();
        for number in [5, 3, 4, 8, 6] {
            items.add(number, number);
            left.push(std::iter::from_fn(|| items.pop()).collect::<Vec<_>>());
        }
        assert_eq!(left, [vec![], vec![3], vec![4, 5], vec![], vec![6]]);
        assert_eq!(items.into_rest().collect::<Vec<_>>(), [8]);
    }
}
