//! The searcher: everything that is kept from one search to the next.

use std::io;
use std::sync::Arc;

use thiserror::Error;

use crate::search::clock::control::Timer;
use crate::search::clock::time::Budget;
use crate::search::report::{Reporter, SearchResult};
use crate::search::request::SearchRequest;
use crate::search::root::helpers::{Helpers, SEARCH_BYTES, ThreadError};
use crate::search::statistics::SearchStatistics;
use crate::search::tables::Tables;
use crate::search::thread::shared::Shared;
use crate::search::thread::worker::{Memory, Worker};
use crate::search::tt::table::{HashError, TranspositionTable};
use crate::util::memory::MemoryError;

/// Why a searcher, or the engine around it, could not be started, or has too few threads.
#[derive(Debug, Error)]
pub enum SearcherError {
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("no memory for a search: {0}")]
    Memory(#[from] MemoryError),
    #[error("could not start a thread: {0}")]
    Thread(#[from] io::Error),
    #[error(transparent)]
    Threads(#[from] ThreadError),
}

/// Everything that is kept from one search to the next: the transposition
/// table, the histories, the helper threads, the timer thread.
pub struct Searcher {
    /// Shared with the helpers while they search.
    tt: Arc<TranspositionTable>,
    /// The endgame tables of later searches.
    pub tables: Tables,
    memory: Box<Memory>,
    helpers: Helpers,
    timer: Timer,
}

impl Searcher {
    /// The memory of a thread during a search, in bytes.
    pub const THREAD_BYTES: u64 = Memory::BYTES + SEARCH_BYTES;

    /// A searcher with one thread and a transposition table of `hash_mib` MiB.
    pub fn new(hash_mib: usize) -> Result<Self, SearcherError> {
        Self::one_of_many(0, hash_mib)
    }

    /// Like [`Searcher::new`], but leaves memory for the searches of `others` more
    /// searchers.
    pub fn one_of_many(others: usize, hash_mib: usize) -> Result<Self, SearcherError> {
        let searches = SEARCH_BYTES * (others as u64 + 1);
        Ok(Self {
            tt: Arc::new(TranspositionTable::leaving(Memory::BYTES + searches, hash_mib)?),
            tables: Tables::default(),
            memory: Memory::new()?,
            helpers: Helpers::default(),
            timer: Timer::new()?,
        })
    }

    /// What happened at the nodes of all searches by the main thread, in a build that counts.
    pub fn statistics(&self) -> &SearchStatistics {
        &self.memory.statistics
    }

    /// The number of search threads.
    pub fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Sets the number of search threads.
    ///
    /// # Errors
    ///
    /// If the system cannot start them or has no memory for them; the threads that could
    /// be started are used.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadError> {
        self.helpers.resize(threads.max(1) - 1).map_err(|cause| ThreadError {
            wanted: threads,
            had: self.threads(),
            cause,
        })
    }

    /// Replaces the transposition table by an empty one, perhaps of another size.
    ///
    /// # Errors
    ///
    /// If there is not enough memory; the table is then unchanged.
    pub fn resize_hash(&mut self, mib: usize) -> Result<(), HashError> {
        let searches = SEARCH_BYTES * self.threads() as u64;
        self.tt_mut().resize(mib, searches)
    }

    /// Clears what belongs to a game, for a new game.
    pub fn clear(&mut self) {
        self.tt_mut().clear();
        self.memory.clear();
        self.helpers.clear();
    }

    /// The transposition table between two searches, when no helper shares it.
    fn tt_mut(&mut self) -> &mut TranspositionTable {
        self.helpers.wait();
        Arc::get_mut(&mut self.tt).expect("no search is running")
    }

    /// Searches a position.
    ///
    /// The first iteration is always completed, so that there is a move and a report with
    /// a score whatever the limits. An infinite or pondering search does not return
    /// before its control releases it.
    pub fn search(&mut self, request: SearchRequest, reporter: &mut dyn Reporter) -> SearchResult {
        self.tt.new_search();
        let SearchRequest { limits, options, control, .. } = &request;
        let budget = Budget::new(limits, options.move_overhead).filter(|_| !limits.infinite);
        if let Some(budget) = budget {
            self.timer.watch(control, budget.hard);
        }
        // Below full strength the nodes are limited, and helpers would only make the
        // result vary.
        let helpers = if options.strength.is_some() { 0 } else { self.helpers.len() };
        let (tt, tables) = (Arc::clone(&self.tt), self.tables.clone());
        let shared = Arc::new(Shared::new(request, tt, tables, helpers + 1));
        let SearchRequest { limits, options, control, .. } = &shared.request;
        let mut worker = Worker::new(&shared, 0, &mut self.memory, reporter);
        if !worker.root.moves.is_empty() {
            self.helpers.search(&shared, helpers);
            worker.iterate(limits, budget);
            shared.finish();
            worker.select_best_thread();
        }
        control.wait_until_released(limits.infinite);
        if worker.root.moves.is_empty() {
            worker.report_game_over();
        } else if let Some(strength) = options.strength {
            worker.pick_weakened_move(strength);
        }
        control.finish();
        worker.result()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Position};
    use crate::search::Limits;

    /// The best move and depth in the entry of the position after a search of some of its
    /// moves.
    fn entry_after(search_moves: Option<Vec<Move>>) -> Option<(Option<Move>, i8)> {
        let position = Position::startpos();
        let limits = Limits { depth: Some(5), search_moves, ..Limits::default() };
        let mut searcher = Searcher::new(1).unwrap();
        searcher.search(SearchRequest::new(position.clone(), limits), &mut ());
        searcher.tt.probe(position.key()).map(|entry| (entry.best, entry.depth))
    }

    #[test]
    fn no_mate_in_no_moves_is_proved_or_refuted() {
        let limits = Limits { depth: Some(2), mate: Some(0), ..Limits::default() };
        let request = SearchRequest::new(Position::startpos(), limits);
        assert_eq!(Searcher::new(1).unwrap().search(request, &mut ()).depth, 2);
    }

    #[test]
    fn a_search_of_some_moves_stores_no_result_for_the_position() {
        // The depth of the last moves, which is reduced after a move has raised alpha.
        assert!(matches!(entry_after(None), Some((Some(_), 1..=5))));
        let last = Position::startpos().legal_moves().last().copied();
        assert!(matches!(entry_after(Some(last.into_iter().collect())), Some((None, ..0))));
    }
}
