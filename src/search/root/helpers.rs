//! The helper threads: each searches the same position, and all share the transposition
//! table (Chess Programming Wiki, "Lazy SMP").
//!
//! They are started once, keep their histories from search to search, and sleep in
//! between. A search reaches them as a message.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use thiserror::Error;

use crate::search::thread::shared::Shared;
use crate::search::thread::worker::{Memory, Worker};
use crate::util::memory::{self, FreeMemory};
use crate::util::thread::{self, cores};

/// The stack of a searching thread: each node of the longest line holds lists of moves.
pub const STACK_BYTES: usize = 32 << 20;

/// What a thread allocates during a search in addition to its memory, in bytes: its
/// lines, its copy of the game, the used part of its stack.
pub const SEARCH_BYTES: u64 = 1 << 20;

/// The niceness of surplus helpers, which have no core of their own. Threads that wait
/// for a command or a deadline then run at once, even with many helpers.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 8;

/// Not all requested threads could be started.
#[derive(Debug, Error)]
#[error("could not start {wanted} threads; using {had}: {cause}")]
pub struct ThreadError {
    pub wanted: usize,
    pub had: usize,
    pub cause: io::Error,
}

/// A message to a helper.
enum Message {
    /// Search until the search is over.
    Search(HelperSearch),
    /// Clear the memory, for a new game.
    Clear,
}

/// A search to help with.
struct HelperSearch {
    shared: Arc<Shared>,
    /// Never used to send: the channel closes when the last helper drops its sender.
    /// Fields are dropped in order, so that the helper has released the search then.
    _busy: Sender<()>,
}

/// Owns the helper threads, which end when this is dropped.
#[derive(Default)]
pub struct Helpers {
    helpers: Vec<Sender<Message>>,
    /// Disconnected when all helpers are done, one for each search.
    searches: Vec<Receiver<()>>,
}

impl Helpers {
    pub fn len(&self) -> usize {
        self.helpers.len()
    }

    /// Starts or ends helpers until there are `count`. The memory of each is reserved here,
    /// and enough is left for the searches of all.
    pub fn resize(&mut self, count: usize) -> io::Result<()> {
        self.helpers.truncate(count);
        let (busy, done) = channel();
        let started = self.start(count, &busy);
        drop(busy);
        // The error of the closed channel is the signal.
        let _ = done.recv();
        started
    }

    /// Starts helpers until there are `count`. Each touches its own memory, at the same time as
    /// the others and near the core that it runs on, and drops its copy of `busy` then.
    fn start(&mut self, count: usize, busy: &Sender<()>) -> io::Result<()> {
        let (cores, before, free) = (cores(), self.helpers.len(), FreeMemory::now());
        while self.helpers.len() < count {
            // The main thread is number 0.
            let number = self.helpers.len() + 1;
            let memories = Memory::BYTES * (number - before) as u64;
            let searches = SEARCH_BYTES * (number as u64 + 1);
            free.ensure(memories + searches)?;
            memory::ensure_address_space(Memory::BYTES + searches + STACK_BYTES as u64)?;
            let reserved = Memory::reserve()?;
            let surplus = number >= cores;
            let name = format!("helper {number}");
            let (busy, (sender, messages)) = (busy.clone(), channel());
            thread::start(&name, STACK_BYTES, move || {
                let memory = Memory::in_reserved(reserved);
                drop(busy);
                helper_loop(number, surplus, memory, &messages);
            })?;
            self.helpers.push(sender);
        }
        Ok(())
    }

    /// Starts a search on the first `count` helpers.
    pub fn search(&mut self, shared: &Arc<Shared>, count: usize) {
        self.searches.retain(|done| matches!(done.try_recv(), Err(TryRecvError::Empty)));
        let (busy, done) = channel();
        for helper in self.helpers.iter().take(count) {
            let search = HelperSearch { shared: Arc::clone(shared), _busy: busy.clone() };
            // A helper that has ended does not search.
            let _ = helper.send(Message::Search(search));
        }
        self.searches.push(done);
    }

    /// Waits until all helpers have released their searches, which must be over.
    pub fn wait(&mut self) {
        for done in self.searches.drain(..) {
            // The error of the closed channel is the signal.
            let _ = done.recv();
        }
    }

    /// Clears the memory of the helpers, for a new game.
    pub fn clear(&self) {
        for helper in &self.helpers {
            let _ = helper.send(Message::Clear);
        }
    }
}

/// The main loop of a helper.
fn helper_loop(
    number: usize,
    surplus: bool,
    mut memory: Box<Memory>,
    messages: &Receiver<Message>,
) {
    if surplus {
        lower_priority();
    }
    for message in messages {
        match message {
            Message::Clear => memory.clear(),
            Message::Search(search) if search.shared.is_over() => {}
            Message::Search(search) => {
                Worker::new(&search.shared, number, &mut memory, &mut ()).iterate_as_helper();
            }
        }
    }
}

/// Lowers the priority of this thread, on systems where each thread has its own.
fn lower_priority() {
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
    use crate::search::tt::table::TranspositionTable;
    use crate::search::{Limits, SearchRequest, Tables};

    fn shared(threads: usize) -> Arc<Shared> {
        let request = SearchRequest::new(Position::startpos(), Limits::default());
        Arc::new(Shared::new(
            request,
            Arc::new(TranspositionTable::new(1).unwrap()),
            Tables::default(),
            threads,
        ))
    }

    fn start_helpers(count: usize) -> Helpers {
        let mut helpers = Helpers::default();
        helpers.resize(count).unwrap();
        helpers
    }

    fn nodes(shared: &Shared) -> Vec<u64> {
        shared.threads.iter().map(|thread| thread.nodes()).collect()
    }

    /// Waits until a condition holds.
    fn wait_until(condition: impl Fn() -> bool) {
        let start = Instant::now();
        while !condition() {
            assert!(start.elapsed() < Duration::from_secs(60), "the condition never holds");
            thread::yield_now();
        }
    }

    #[test]
    fn every_helper_searches_until_the_end_and_releases_the_search() {
        let mut helpers = start_helpers(3);
        for _ in 0..5 {
            let shared = shared(4);
            helpers.search(&shared, 3);
            wait_until(|| nodes(&shared)[1..].iter().all(|&nodes| nodes > 0));
            wait_until(|| shared.threads[1..].iter().all(|thread| thread.best_move().is_some()));
            shared.finish();
            helpers.wait();
            assert_eq!(Arc::strong_count(&shared), 1, "a helper still holds the search");
            assert_eq!(nodes(&shared)[0], 0, "no helper counts for the main thread");
        }
    }

    #[test]
    fn only_the_requested_helpers_search() {
        let mut helpers = start_helpers(3);
        let shared = shared(4);
        helpers.search(&shared, 1);
        wait_until(|| nodes(&shared)[1] > 0);
        shared.finish();
        helpers.wait();
        assert_eq!(nodes(&shared)[2..], [0, 0]);
    }

    #[test]
    fn a_search_that_is_over_is_not_started() {
        let mut helpers = start_helpers(2);
        let shared = shared(3);
        shared.finish();
        helpers.search(&shared, 2);
        helpers.wait();
        assert_eq!(nodes(&shared), [0, 0, 0]);
    }

    #[test]
    fn a_helper_that_is_ended_finishes_its_search_first() {
        let mut helpers = start_helpers(4);
        let shared = shared(5);
        helpers.search(&shared, 4);
        helpers.resize(0).unwrap();
        assert_eq!(helpers.len(), 0);
        shared.finish();
        helpers.wait();
        assert_eq!(Arc::strong_count(&shared), 1);
    }
}
