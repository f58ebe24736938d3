//! A list with room for a fixed number of items, in place.
//!
//! The lists of moves of a node are made millions of times a second, so that the memory of a new
//! list is not filled, and each function may be inlined into any part of the program.
#![allow(unsafe_code)]

use std::fmt::{self, Debug, Formatter};
use std::hash::{Hash, Hasher};
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::slice;

/// At most `N` items, which need no drop. It is a slice of its items.
pub struct ArrayList<T: Copy, const N: usize> {
    /// The first `length` are initialised.
    items: [MaybeUninit<T>; N],
    length: usize,
}

impl<T: Copy, const N: usize> ArrayList<T, N> {
    /// An empty list.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { items: [const { MaybeUninit::uninit() }; N], length: 0 }
    }

    /// Appends an item. Panics if the list is full.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.items[self.length].write(item);
        self.length += 1;
    }

    /// Appends an item if there is room. Returns whether there is.
    #[inline(always)]
    pub fn try_push(&mut self, item: T) -> bool {
        let has_room = self.length < N;
        if has_room {
            self.push(item);
        }
        has_room
    }

    /// Appends items as far as there is room.
    #[inline]
    pub fn extend_if_room(&mut self, items: impl IntoIterator<Item = T>) {
        items.into_iter().take(N - self.length).for_each(|item| self.push(item));
    }

    /// Replaces the items by `count` new ones, made from their indices. Panics if there are more
    /// than fit.
    #[inline(always)]
    pub fn refill(&mut self, count: usize, mut item: impl FnMut(usize) -> T) {
        let places = &mut self.items[..count];
        let mut index = 0;
        while index < count {
            places[index].write(item(index));
            index += 1;
        }
        self.length = count;
    }

    /// Removes the last item.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.last().copied()?;
        self.length -= 1;
        Some(last)
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
    }
}

impl<T: Copy, const N: usize> Deref for ArrayList<T, N> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the first `length` items are initialised, and a `MaybeUninit` has the layout of
        // its value.
        unsafe { slice::from_raw_parts(self.items.as_ptr().cast(), self.length) }
    }
}

impl<T: Copy, const N: usize> DerefMut for ArrayList<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the list is borrowed for as long as the slice.
        unsafe { slice::from_raw_parts_mut(self.items.as_mut_ptr().cast(), self.length) }
    }
}

impl<T: Copy, const N: usize> Default for ArrayList<T, N> {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

/// Copies the items alone.
impl<T: Copy, const N: usize> Clone for ArrayList<T, N> {
    fn clone(&self) -> Self {
        self.iter().copied().collect()
    }
}

impl<T: Copy + Debug, const N: usize> Debug for ArrayList<T, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Copy + PartialEq, const N: usize> PartialEq for ArrayList<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Copy + Eq, const N: usize> Eq for ArrayList<T, N> {}

impl<T: Copy + Hash, const N: usize> Hash for ArrayList<T, N> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (**self).hash(hasher);
    }
}

/// Panics if there are more items than fit.
impl<T: Copy, const N: usize> FromIterator<T> for ArrayList<T, N> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::new();
        items.into_iter().for_each(|item| list.push(item));
        list
    }
}

impl<T: Copy, const N: usize> IntoIterator for ArrayList<T, N> {
    type Item = T;
    type IntoIter = IntoItems<T, N>;

    #[inline]
    fn into_iter(self) -> IntoItems<T, N> {
        IntoItems { list: self, next: 0 }
    }
}

impl<'a, T: Copy, const N: usize> IntoIterator for &'a ArrayList<T, N> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    #[inline(always)]
    fn into_iter(self) -> slice::Iter<'a, T> {
        self.iter()
    }
}

/// The items of a list that is given away.
pub struct IntoItems<T: Copy, const N: usize> {
    list: ArrayList<T, N>,
    next: usize,
}

impl<T: Copy, const N: usize> Iterator for IntoItems<T, N> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let item = self.list.get(self.next).copied()?;
        self.next += 1;
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::ArrayList;

    type Short = ArrayList<u16, 8>;

    #[derive(Clone, Debug)]
    enum Step {
        Push(u16),
        Extend(Vec<u16>),
        Refill(Vec<u16>),
        Pop,
        Clear,
        Sort,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => any::<u16>().prop_map(Step::Push),
            1 => prop::collection::vec(any::<u16>(), 0..6).prop_map(Step::Extend),
            1 => prop::collection::vec(any::<u16>(), 0..9).prop_map(Step::Refill),
            2 => Just(Step::Pop),
            1 => Just(Step::Clear),
            1 => Just(Step::Sort),
        ]
    }

    proptest! {
        /// A list is a vector that does not grow beyond its room.
        #[test]
        fn a_list_is_a_short_vector(steps in prop::collection::vec(step(), 0..40)) {
            let (mut list, mut vector) = (Short::new(), Vec::new());
            for step in steps {
                match step {
                    Step::Push(item) => {
                        let has_room = vector.len() < 8;
                        prop_assert_eq!(list.try_push(item), has_room);
                        vector.extend(has_room.then_some(item));
                    }
                    Step::Extend(items) => {
                        list.extend_if_room(items.iter().copied());
                        vector.extend(items);
                        vector.truncate(8);
                    }
                    Step::Refill(items) => {
                        list.refill(items.len(), |index| items[index]);
                        vector = items;
                    }
                    Step::Pop => prop_assert_eq!(list.pop(), vector.pop()),
                    Step::Clear => {
                        list.clear();
                        vector.clear();
                    }
                    Step::Sort => {
                        list.sort_unstable();
                        vector.sort_unstable();
                    }
                }
                prop_assert_eq!(&*list, &*vector);
                prop_assert_eq!(&list.clone(), &list);
                prop_assert_eq!(list.clone().into_iter().collect::<Vec<_>>(), vector.clone());
            }
        }
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_full_list_takes_no_more() {
        let mut list: Short = (0..8).collect();
        list.push(8);
    }
}
