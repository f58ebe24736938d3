//! What the threads of one search have in common.
//!
//! Lazy SMP: every thread searches the same position by itself, and what they tell
//! each other they tell through the transposition table. All else here is either
//! never changed during a search or written by one thread alone.
//!
//! Nobody waits for anybody. The main thread decides when the search is over and
//! takes what the others have put on their desks by then; a helper that the system
//! keeps from running learns of the end when it runs again.

use std::iter;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::chess::Position;
use crate::search::SearchOptions;
use crate::search::control::Control;
use crate::search::limits::Limits;
use crate::search::probe::{Probe, Tables};
use crate::search::tt::TranspositionTable;
use crate::search::worker::RootMove;
use crate::util::sync::lock;

/// What to search, and when to end.
pub(super) struct Job {
    pub position: Position,
    pub limits: Limits,
    pub options: SearchOptions,
    pub control: Arc<Control>,
    /// When the search was asked for.
    pub start: Instant,
}

/// A search, and where its threads meet.
pub(super) struct Shared {
    pub job: Job,
    pub tt: Arc<TranspositionTable>,
    pub probe: Probe,
    /// One for each thread; the first is the main thread's.
    pub desks: Vec<Desk>,
    /// The main thread has its result.
    over: AtomicBool,
}

impl Shared {
    pub fn new(job: Job, tt: Arc<TranspositionTable>, tables: Tables, threads: usize) -> Self {
        let desks: Vec<_> = iter::repeat_with(Desk::default).take(threads).collect();
        let probe = Probe::new(tables, &job.position, &job.options);
        desks[0].add_table_hits(probe.ranked_moves() as u64);
        Self { job, tt, probe, desks, over: AtomicBool::new(false) }
    }

    /// The nodes of all threads until now.
    pub fn nodes(&self) -> u64 {
        self.desks.iter().map(Desk::nodes).sum()
    }

    /// The positions that all threads have found in endgame tables until now.
    pub fn table_hits(&self) -> u64 {
        self.desks.iter().map(|desk| desk.table_hits.load(Ordering::Relaxed)).sum()
    }

    /// The nodes that one thread may visit. All together never visit more than
    /// the limit, whichever of them is the fastest.
    pub fn node_limit(&self, thread: usize) -> u64 {
        let level = self.job.options.strength.map_or(u64::MAX, |strength| strength.nodes);
        let limit = self.job.limits.nodes.unwrap_or(u64::MAX).min(level);
        if limit == u64::MAX {
            return limit;
        }
        let threads = self.desks.len() as u64;
        limit / threads + u64::from((thread as u64) < limit % threads)
    }

    /// Whether the threads are to stop: the search was stopped from outside, or
    /// its result is known.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.job.control.is_stopped() || self.over.load(Ordering::Relaxed)
    }

    /// The result is known; whoever still searches may stop.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// What one thread puts down for the others to read. It fills its own cache lines,
/// in pairs since processors fetch two at a time, so that counting nodes slows
/// nobody else down.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Desk {
    nodes: AtomicU64,
    /// Positions found in endgame tables.
    table_hits: AtomicU64,
    /// The best move of the last iteration.
    ballot: Mutex<Option<RootMove>>,
}

impl Desk {
    #[inline]
    pub fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Counts positions found in endgame tables. Only the thread itself does.
    pub fn add_table_hits(&self, hits: u64) {
        self.table_hits.store(self.table_hits.load(Ordering::Relaxed) + hits, Ordering::Relaxed);
    }

    pub fn vote(&self, best: &RootMove) {
        *lock(&self.ballot) = Some(best.clone());
    }

    /// The vote, unless it is just being written: that may take as long as the system
    /// lets the writer sleep.
    pub fn ballot(&self) -> Option<RootMove> {
        self.ballot.try_lock().ok()?.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Strength;

    fn limits_of(threads: usize, nodes: Option<u64>, strength: Option<Strength>) -> Vec<u64> {
        let start = Instant::now();
        let job = Job {
            position: Position::startpos(),
            limits: Limits { nodes, ..Limits::default() },
            options: SearchOptions { strength, ..SearchOptions::default() },
            control: Control::new(start, false),
            start,
        };
        let shared = Shared::new(
            job,
            Arc::new(TranspositionTable::new(1).unwrap()),
            Tables::default(),
            threads,
        );
        (0..threads).map(|thread| shared.node_limit(thread)).collect()
    }

    #[test]
    fn the_node_limit_is_shared_out_to_the_last_node() {
        assert_eq!(limits_of(1, Some(1_000), None), [1_000]);
        assert_eq!(limits_of(3, Some(1_000), None), [334, 333, 333]);
        assert_eq!(limits_of(4, Some(2), None), [1, 1, 0, 0]);
        assert_eq!(limits_of(2, None, None), [u64::MAX; 2]);
        for threads in 1..40 {
            assert_eq!(limits_of(threads, Some(12_345), None).iter().sum::<u64>(), 12_345);
        }
    }

    #[test]
    fn a_level_is_a_limit_too() {
        let level = Strength { nodes: 60, tolerance: 300.0 };
        assert_eq!(limits_of(1, None, Some(level)), [60]);
        assert_eq!(limits_of(1, Some(50), Some(level)), [50]);
    }

    #[test]
    fn desks_do_not_share_cache_lines() {
        assert_eq!(align_of::<Desk>() % 128, 0);
        assert_eq!(size_of::<Desk>() % 128, 0);
    }
}
