//! Results of threads, put back in the order of their tasks.

use std::collections::BTreeMap;

/// Items that are numbered, come in any order and leave in order.
#[derive(Debug)]
pub struct InOrder<T> {
    /// The number of the item that leaves next.
    next: u64,
    /// Items that wait for one before them.
    waiting: BTreeMap<u64, T>,
}

impl<T> InOrder<T> {
    /// Nothing yet; `first` is the number of the first item.
    pub const fn new(first: u64) -> Self {
        Self { next: first, waiting: BTreeMap::new() }
    }

    /// Adds an item. Each number may be added once.
    pub fn add(&mut self, number: u64, item: T) {
        let before = self.waiting.insert(number, item);
        debug_assert!(before.is_none() && number >= self.next, "number {number} came twice");
    }

    /// The next item, if it has come.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(item)
    }

    /// The items that still wait, in order, though some between them never came.
    pub fn into_rest(self) -> impl Iterator<Item = T> {
        self.waiting.into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_leave_in_order_once_all_before_them_have_come() {
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
