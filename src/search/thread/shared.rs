//! What the threads of one search share.
//!
//! Lazy SMP: every thread searches the same position by itself, and the threads exchange
//! results through the transposition table. Everything else here is constant during a
//! search or written by one thread only, but for the flag that it is over.
//!
//! No thread waits for another. The search is over when the main thread decides so, or any
//! thread finds that all nodes are used; the main thread takes what the others have published
//! by then. A helper that the system has suspended learns of the end when it runs again.

use std::iter;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::search::request::SearchRequest;
use crate::search::tables::{Probe, Tables};
use crate::search::thread::root_moves::RootMove;
use crate::search::tt::table::TranspositionTable;
use crate::util::sync::lock;

/// The shared state of a search.
pub struct Shared {
    pub request: SearchRequest,
    pub tt: Arc<TranspositionTable>,
    pub probe: Probe,
    /// The published state of each thread; the first is the main thread.
    pub threads: Vec<ThreadState>,
    /// Whether the main thread has its result, or all nodes are used.
    over: AtomicBool,
}

impl Shared {
    pub fn new(
        request: SearchRequest,
        tt: Arc<TranspositionTable>,
        tables: Tables,
        threads: usize,
    ) -> Self {
        let threads: Vec<_> = iter::repeat_with(ThreadState::default).take(threads).collect();
        let options = &request.options;
        // Weakened play knows how to mate with a queen or a rook, and no more.
        let tables = if options.strength.is_some() { Tables::default() } else { tables };
        let probe = Probe::new(tables, &request.position, options.probe, options.selective);
        threads[0].add_table_hits(probe.ranked_count() as u64);
        Self { request, tt, probe, threads, over: AtomicBool::new(false) }
    }

    /// The nodes of all threads so far.
    pub fn nodes(&self) -> u64 {
        self.threads.iter().map(ThreadState::nodes).sum()
    }

    /// The positions found in endgame tables by all threads so far.
    pub fn table_hits(&self) -> u64 {
        self.threads.iter().map(|thread| thread.table_hits.load(Ordering::Relaxed)).sum()
    }

    /// The limit of nodes; `u64::MAX` for none.
    pub fn node_limit(&self) -> u64 {
        let level = self.request.options.strength.map_or(u64::MAX, |strength| strength.nodes);
        self.request.limits.nodes.unwrap_or(u64::MAX).min(level)
    }

    /// Whether the threads must stop: the search was stopped from outside, the main thread
    /// has its result, or all nodes are used.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.request.control.is_stopped() || self.over.load(Ordering::Relaxed)
    }

    /// Stops all threads.
    pub fn finish(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// What one thread publishes for the others. It fills cache lines of its own, in pairs
/// since processors fetch two at a time, so that counting nodes does not slow down
/// other threads.
#[derive(Default)]
#[repr(align(128))]
pub struct ThreadState {
    nodes: AtomicU64,
    /// Positions found in endgame tables.
    table_hits: AtomicU64,
    /// The best move of the last complete iteration.
    best_move: Mutex<Option<RootMove>>,
}

impl ThreadState {
    #[inline]
    pub fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Counts positions found in endgame tables. Only the thread itself calls this.
    pub fn add_table_hits(&self, hits: u64) {
        self.table_hits.store(self.table_hits.load(Ordering::Relaxed) + hits, Ordering::Relaxed);
    }

    /// Publishes the best move of an iteration.
    pub fn publish(&self, best: &RootMove) {
        *lock(&self.best_move) = Some(best.clone());
    }

    /// The best move, unless the thread is writing it at this moment: waiting could take
    /// as long as the system suspends the writer.
    pub fn best_move(&self) -> Option<RootMove> {
        self.best_move.try_lock().ok()?.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::search::{Limits, SearchOptions, Strength};

    #[test]
    fn a_strength_level_limits_the_nodes() {
        let limit = |nodes, strength| {
            let limits = Limits { nodes, ..Limits::default() };
            let options = SearchOptions { strength, ..SearchOptions::default() };
            let request =
                SearchRequest { options, ..SearchRequest::new(Position::startpos(), limits) };
            let table = Arc::new(TranspositionTable::new(1).unwrap());
            Shared::new(request, table, Tables::default(), 1).node_limit()
        };
        let level = Some(Strength { nodes: 60, temperature: 0.6 });
        assert_eq!(limit(None, None), u64::MAX);
        assert_eq!(limit(Some(1_000), None), 1_000);
        assert_eq!(limit(None, level), 60);
        assert_eq!(limit(Some(50), level), 50);
    }
}
