//! The helper threads.
//!
//! They are started once, keep their experience from search to search, and sleep
//! in between. A search is handed to them as an [`Order`].

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use thiserror::Error;

use crate::search::shared::Shared;
use crate::search::worker::{Memory, Worker};
use crate::search::{SEARCH_BYTES, STACK_BYTES};
use crate::util::memory;
use crate::util::thread::{cores, start};

/// By how much helpers that have no core of their own are nicer to others. Threads
/// that wait for a word or a moment run at once then, however many helpers share
/// the cores, and the first threads lose nothing to the rest.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 8;

/// Not all threads that were asked for could be started.
#[derive(Debug, Error)]
#[error("could not start {wanted} threads; using {had}: {cause}")]
pub struct ThreadError {
    pub wanted: usize,
    pub had: usize,
    pub cause: io::Error,
}

/// What a helper is told.
enum Order {
    /// Search until the search is over.
    Search(Task),
    /// A new game begins.
    Forget,
}

/// A search to help with, of which the helper lets go as soon as it is over.
struct Task {
    shared: Arc<Shared>,
    /// Never used to send: the last one to be dropped says that all are done. It
    /// comes after the share in the search, and fields are dropped in order.
    _busy: Sender<()>,
}

/// Owns the helper threads, which end when this is dropped.
#[derive(Default)]
pub(super) struct Pool {
    helpers: Vec<Sender<Order>>,
    /// Disconnected when all helpers are done, one for each search.
    searches: Vec<Receiver<()>>,
}

impl Pool {
    pub fn len(&self) -> usize {
        self.helpers.len()
    }

    /// Starts or dismisses helpers until there are so many. Each that is started has
    /// its memory when this returns, and there is some left for the searches of all.
    ///
    /// # Errors
    ///
    /// If the system has no thread or no memory for another one.
    pub fn resize(&mut self, count: usize) -> io::Result<()> {
        self.helpers.truncate(count);
        let cores = cores();
        let before = self.helpers.len();
        while self.helpers.len() < count {
            // The main thread is number 0.
            let number = self.helpers.len() + 1;
            let (sender, orders) = channel();
            // The memory of those just started is not in use yet.
            let memories = Memory::BYTES * (number - before) as u64;
            let searches = SEARCH_BYTES * (number as u64 + 1);
            memory::ensure_free(memories + searches)?;
            memory::ensure_address_space(Memory::BYTES + searches + STACK_BYTES as u64)?;
            let memory = Memory::new()?;
            let surplus = number >= cores;
            let name = format!("helper {number}");
            start(&name, STACK_BYTES, move || serve(number, surplus, memory, &orders))?;
            self.helpers.push(sender);
        }
        Ok(())
    }

    /// Sets the first `count` helpers to a search.
    pub fn search(&mut self, shared: &Arc<Shared>, count: usize) {
        self.searches.retain(|done| matches!(done.try_recv(), Err(TryRecvError::Empty)));
        let (busy, done) = channel();
        for helper in self.helpers.iter().take(count) {
            let task = Task { shared: Arc::clone(shared), _busy: busy.clone() };
            // One that is gone does not help.
            let _ = helper.send(Order::Search(task));
        }
        self.searches.push(done);
    }

    /// Waits until no helper has a share in a search any more. Searches that are
    /// not over have to be ended first.
    pub fn wait(&mut self) {
        for done in self.searches.drain(..) {
            // An error is the end that is waited for.
            let _ = done.recv();
        }
    }

    /// Lets the helpers forget what they learnt.
    pub fn clear(&self) {
        for helper in &self.helpers {
            let _ = helper.send(Order::Forget);
        }
    }
}

/// The life of a helper.
fn serve(number: usize, surplus: bool, mut memory: Memory, orders: &Receiver<Order>) {
    if surplus {
        give_way();
    }
    for order in orders {
        match order {
            Order::Forget => memory.clear(),
            Order::Search(task) if task.shared.is_over() => {}
            Order::Search(task) => {
                Worker::new(&task.shared, number, &mut memory, &mut ()).help(number);
            }
        }
    }
}

/// Lowers the priority of this thread, where the system has one for each thread
/// rather than for the process.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        log::debug!("a helper keeps its priority: {error}");
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::chess::Position;
    use crate::search::shared::Job;
    use crate::search::{Control, Limits, SearchOptions, Tables, TranspositionTable};

    fn shared(threads: usize) -> Arc<Shared> {
        let start = Instant::now();
        let job = Job {
            position: Position::startpos(),
            limits: Limits::default(),
            options: SearchOptions::default(),
            control: Control::new(start, false),
            start,
        };
        Arc::new(Shared::new(
            job,
            Arc::new(TranspositionTable::new(1).unwrap()),
            Tables::default(),
            threads,
        ))
    }

    fn pool_of(helpers: usize) -> Pool {
        let mut pool = Pool::default();
        pool.resize(helpers).unwrap();
        pool
    }

    fn nodes(shared: &Shared) -> Vec<u64> {
        shared.desks.iter().map(|desk| desk.nodes()).collect()
    }

    /// Waits for something that takes a moment.
    fn await_that(what: impl Fn() -> bool) {
        let start = Instant::now();
        while !what() {
            assert!(start.elapsed() < Duration::from_secs(60), "it never comes true");
            thread::yield_now();
        }
    }

    #[test]
    fn every_helper_searches_until_the_end_and_then_lets_go() {
        let mut pool = pool_of(3);
        for _ in 0..5 {
            let shared = shared(4);
            pool.search(&shared, 3);
            await_that(|| nodes(&shared)[1..].iter().all(|&nodes| nodes > 0));
            await_that(|| shared.desks[1..].iter().all(|desk| desk.ballot().is_some()));
            shared.end();
            pool.wait();
            assert_eq!(Arc::strong_count(&shared), 1, "somebody still has a share");
            assert_eq!(nodes(&shared)[0], 0, "nobody does the main thread's work");
        }
    }

    #[test]
    fn only_those_who_are_asked_help() {
        let mut pool = pool_of(3);
        let shared = shared(4);
        pool.search(&shared, 1);
        await_that(|| nodes(&shared)[1] > 0);
        shared.end();
        pool.wait();
        assert_eq!(nodes(&shared)[2..], [0, 0]);
    }

    #[test]
    fn a_search_that_is_over_is_not_begun() {
        let mut pool = pool_of(2);
        let shared = shared(3);
        shared.end();
        pool.search(&shared, 2);
        pool.wait();
        assert_eq!(nodes(&shared), [0, 0, 0]);
    }

    #[test]
    fn a_helper_that_is_dismissed_finishes_first() {
        let mut pool = pool_of(4);
        let shared = shared(5);
        pool.search(&shared, 4);
        pool.resize(0).unwrap();
        assert_eq!(pool.len(), 0);
        shared.end();
        pool.wait();
        assert_eq!(Arc::strong_count(&shared), 1);
    }
}
