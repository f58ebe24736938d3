//! When a search ends early.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::search::Stop;
use crate::util::memory;

/// How many nodes are visited between two looks at the clock.
const INTERVAL: u64 = 1024;

/// The conditions under which a search ends early.
#[derive(Clone, Copy, Debug)]
pub struct Limit<'a> {
    pub nodes: u64,
    pub time: Option<Duration>,
    /// Bytes that an algorithm may keep: trees, lists and tables.
    pub memory: u64,
    /// Ends this search when it is set.
    pub stop: Option<&'a AtomicBool>,
    /// Ends all searches of the job when it is stopped.
    pub job: Option<&'a Stop>,
}

impl Limit<'_> {
    /// No limit but a gigabyte of memory.
    pub const NONE: Self =
        Self { nodes: u64::MAX, time: None, memory: 1 << 30, stop: None, job: None };

    /// Whether the flag or the job ends the search.
    pub fn is_interrupted(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.job.is_some_and(Stop::is_stopped)
    }
}

/// Why a search has ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StopReason {
    #[error("the limit of nodes")]
    Nodes,
    #[error("the limit of time")]
    Time,
    #[error("the limit of memory")]
    Memory,
    #[error("too little memory")]
    NoMemory,
    #[error("interrupted")]
    Interrupted,
    /// The algorithm cannot search this game or this position.
    #[error("{0}")]
    Unsuitable(&'static str),
}

/// What a step of a search yields, unless the search has to end.
pub type Searched<T> = Result<T, StopReason>;

/// Compares a running search with its limit.
#[derive(Debug)]
pub struct LimitCheck<'a> {
    limit: Limit<'a>,
    start: Instant,
    nodes: u64,
    /// The number of nodes at which the limit is looked at next.
    next: u64,
    memory: u64,
    /// The most bytes that were allocated at a time.
    memory_peak: u64,
    /// The last reason for which the search had to end.
    reason: Option<StopReason>,
}

impl<'a> LimitCheck<'a> {
    /// The time of the limit runs from now on.
    pub fn new(limit: Limit<'a>) -> Self {
        let next = limit.nodes.min(INTERVAL);
        let (start, reason) = (Instant::now(), None);
        Self { limit, start, nodes: 0, next, memory: 0, memory_peak: 0, reason }
    }

    pub fn limit(&self) -> &Limit<'a> {
        &self.limit
    }

    /// The nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The nodes that are left.
    pub fn nodes_left(&self) -> u64 {
        self.limit.nodes - self.nodes
    }

    /// The most bytes that were allocated at a time.
    pub fn memory_peak(&self) -> u64 {
        self.memory_peak
    }

    /// The last reason for which the search had to end, if there was one.
    pub fn reason(&self) -> Option<StopReason> {
        self.reason
    }

    /// The time that is left.
    pub fn time_left(&self) -> Option<Duration> {
        self.limit.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    /// Counts a node.
    #[inline]
    pub fn node(&mut self) -> Searched<()> {
        if self.nodes >= self.next {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn look(&mut self) -> Searched<()> {
        if self.nodes >= self.limit.nodes {
            return self.end(StopReason::Nodes);
        }
        self.check_time()?;
        self.next = self.limit.nodes.min(self.nodes + INTERVAL);
        Ok(())
    }

    /// Looks at the clock and at the flag of an interrupt.
    pub fn check_time(&mut self) -> Searched<()> {
        if self.limit.is_interrupted() {
            return self.end(StopReason::Interrupted);
        }
        if self.time_left().is_some_and(|time| time.is_zero()) {
            return self.end(StopReason::Time);
        }
        Ok(())
    }

    fn end(&mut self, reason: StopReason) -> Searched<()> {
        self.reason = Some(reason);
        Err(reason)
    }

    /// Whether this many bytes more can be allocated.
    #[inline]
    pub fn has_room(&self, bytes: usize) -> bool {
        self.memory + bytes as u64 <= self.limit.memory
    }

    /// Counts bytes that are allocated.
    ///
    /// # Errors
    ///
    /// If they exceed the limit; they are then not counted.
    #[inline]
    pub fn allocate(&mut self, bytes: usize) -> Searched<()> {
        if !self.has_room(bytes) {
            return self.end(StopReason::Memory);
        }
        self.memory += bytes as u64;
        self.memory_peak = self.memory_peak.max(self.memory);
        Ok(())
    }

    /// As [`allocate`](Self::allocate), for many bytes, which the system has to have.
    pub fn allocate_at_once(&mut self, bytes: usize) -> Searched<()> {
        self.allocate(bytes)?;
        if memory::ensure(bytes as u64).is_err() {
            return self.end(StopReason::NoMemory);
        }
        Ok(())
    }

    /// Counts bytes that are freed.
    #[inline]
    pub fn free(&mut self, bytes: usize) {
        self.memory = self.memory.saturating_sub(bytes as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_nodes_is_exact() {
        for nodes in [0, 1, INTERVAL - 1, INTERVAL, INTERVAL + 1, 3 * INTERVAL] {
            let mut check = LimitCheck::new(Limit { nodes, ..Limit::NONE });
            assert!((0..nodes).all(|_| check.node().is_ok()), "{nodes}");
            assert_eq!((check.node(), check.nodes()), (Err(StopReason::Nodes), nodes));
        }
    }

    #[test]
    fn memory_can_be_freed() {
        let mut check = LimitCheck::new(Limit { memory: 100, ..Limit::NONE });
        assert_eq!(check.allocate(70), Ok(()));
        assert_eq!(check.allocate(31), Err(StopReason::Memory));
        check.free(2);
        assert_eq!(check.allocate(31), Ok(()));
        assert_eq!((check.memory, check.memory_peak()), (99, 99));
        check.free(50);
        assert_eq!(check.memory_peak(), 99);
    }

    #[test]
    fn a_set_flag_ends_the_search_soon() {
        let stop = AtomicBool::new(true);
        let mut check = LimitCheck::new(Limit { stop: Some(&stop), ..Limit::NONE });
        let ended = (0..=INTERVAL).find_map(|_| check.node().err());
        assert_eq!(ended, Some(StopReason::Interrupted));
    }
}
