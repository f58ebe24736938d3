//! Numbered tasks for several threads, whose results come in the order of the tasks.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use crate::util::thread::start_prepared;

/// The tasks, and the threads that work on them.
pub struct Tasks<'a> {
    pub numbers: Range<u64>,
    /// How many threads to start: at least one, no more than there are tasks.
    pub threads: usize,
    /// What a thread is called, before its number.
    pub name: &'a str,
    pub stack_bytes: usize,
    /// Whether to begin no further task.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Tasks<'_> {
    /// Works on all tasks. Each thread calls `prepare` with its number, from 0, then `work`
    /// with one task after the other, until there are no more or one is stopped and has no
    /// result. `done` gets the results in the order of the tasks. Those that come after a
    /// stopped task are returned.
    ///
    /// # Errors
    ///
    /// The first of a task or of `done`; `cancel` then has to end the tasks that still run.
    /// That of `prepare` or of the system if no thread could be started; with some of them, it
    /// is only a warning.
    pub fn in_order<P, R: Send, E: From<io::Error> + Display + Send>(
        &self,
        prepare: impl Fn(usize) -> Result<P, E> + Sync,
        work: impl Fn(&mut P, u64) -> Result<Option<R>, E> + Sync,
        cancel: impl Fn(),
        mut done: impl FnMut(R) -> Result<(), E>,
    ) -> Result<Vec<R>, E> {
        let next = AtomicU64::new(self.numbers.start);
        let tasks = self.numbers.end.saturating_sub(self.numbers.start);
        let threads = self.threads.clamp(1, usize::try_from(tasks).unwrap_or(usize::MAX).max(1));
        let (prepare, work, next) = (&prepare, &work, &next);
        let next_task = move || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            (number < self.numbers.end && !(self.is_stopped)()).then_some(number)
        };
        thread::scope(|scope| {
            let (sender, results) = channel();
            let work_on_all = move |mut prepared: P| {
                while let Some(number) = next_task() {
                    let result = work(&mut prepared, number).transpose();
                    let Some(result) = result else { return };
                    // Fails after an error.
                    if sender.send(result.map(|result| (number, result))).is_err() {
                        return;
                    }
                }
            };
            let Self { name, stack_bytes, is_stopped, .. } = *self;
            start_prepared(scope, threads, name, stack_bytes, is_stopped, prepare, work_on_all)?;
            // The channel closes when the last thread drops its sender.
            let mut waiting = InOrder::new(self.numbers.start);
            let result = results.into_iter().try_for_each(|result| {
                let (number, result) = result?;
                waiting.add(number, result);
                std::iter::from_fn(|| waiting.pop()).try_for_each(&mut done)
            });
            if result.is_err() {
                cancel();
            }
            result.map(|()| waiting.into_rest().collect())
        })
    }
}

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
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::util::sync::lock;
    use crate::util::thread::SMALL_STACK_BYTES;

    fn tasks(numbers: Range<u64>, is_stopped: &(dyn Fn() -> bool + Sync)) -> Tasks<'_> {
        Tasks { numbers, threads: 3, name: "test", stack_bytes: SMALL_STACK_BYTES, is_stopped }
    }

    /// The squares of the numbers; `None` stops a task.
    fn square(number: u64) -> io::Result<Option<u64>> {
        match number {
            13 => Ok(None),
            17 => Err(io::Error::other("17")),
            _ => Ok(Some(number * number)),
        }
    }

    /// The squares that come in order, and those that are returned.
    fn squares(numbers: Range<u64>) -> (Vec<u64>, Vec<u64>) {
        let mut squares = Vec::new();
        let add = |it| {
            squares.push(it);
            Ok(())
        };
        let rest = tasks(numbers, &|| false).in_order(Ok, |_, it| square(it), || {}, add).unwrap();
        (squares, rest)
    }

    #[test]
    fn results_come_in_order_and_each_once() {
        assert_eq!(squares(2..12), ((2..12).map(|it| it * it).collect(), vec![]));
    }

    #[test]
    fn what_comes_after_a_stopped_task_is_returned() {
        assert_eq!(squares(12..15), (vec![144], vec![196]));
    }

    #[test]
    fn an_error_cancels_the_others() {
        let is_cancelled = AtomicBool::new(false);
        let cancelled = || is_cancelled.load(Ordering::Relaxed);
        let work = |_: &mut usize, number| {
            if number == 17 {
                return square(number);
            }
            while !cancelled() {
                thread::yield_now();
            }
            Ok(Some(number))
        };
        let cancel = || is_cancelled.store(true, Ordering::Relaxed);
        let error = tasks(16..20, &cancelled).in_order(Ok, work, cancel, |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "17");
        let failed = |_: u64| Err(io::Error::other("done"));
        let error = tasks(0..9, &|| false).in_order(Ok, |_, it| square(it), || {}, failed);
        assert_eq!(error.unwrap_err().to_string(), "done");
    }

    #[test]
    fn one_thread_is_enough() {
        let started = Mutex::new(Vec::new());
        let prepare = |thread| {
            lock(&started).push(thread);
            if thread < 1 { Ok(()) } else { Err(io::Error::other("no room")) }
        };
        let mut results = 0;
        let count = |_| {
            results += 1;
            Ok(())
        };
        let rest = tasks(0..9, &|| false).in_order(prepare, |(), it| square(it), || {}, count);
        assert!(rest.unwrap().is_empty());
        assert_eq!((results, lock(&started).as_slice()), (9, [0, 1].as_slice()));
        let none = |_| Err::<(), _>(io::Error::other("no room"));
        let error = tasks(0..9, &|| false).in_order(none, |(), it| square(it), || {}, |_| Ok(()));
        assert_eq!(error.unwrap_err().to_string(), "no room");
    }

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
