//! Layer 3: which move is best.
//!
//! | to read | what it does |
//! |---|---|
//! | [`iterate`] | deepens one ply at a time until a limit is reached |
//! | [`shared`], [`pool`], [`vote`] | what the threads of a search have in common, where they sleep, whose result counts |
//! | [`aspiration`] | searches the root in a narrow window, wider if it must |
//! | [`negamax`] | the node: principal variation search, step by step |
//! | [`quiescence`] | the leaves: captures until the position is quiet |
//! | [`prune`], [`reduce`], [`extend`] | which nodes and moves are cut, which moves get fewer or more plies |
//! | [`picker`], [`history`], [`learn`] | in what order moves are tried, and how experience orders them |
//! | [`params`] | every number of the search |
//! | [`tt`] | what is already known of a position |
//! | [`probe`] | what endgame tables know |
//! | [`time`], [`timer`], [`control`] | how long to think, and who says stop |
//! | [`mate_line`], [`mate_proof`] | the line to a mate that the table proves; whether there is a mate |
//! | [`strength`] | how to play below full strength |
//! | [`report`] | what a search says while it runs |

mod aspiration;
pub mod control;
mod extend;
mod history;
mod iterate;
mod learn;
pub mod limits;
mod mate_line;
mod mate_proof;
mod negamax;
mod node;
pub mod params;
mod picker;
mod pool;
pub mod probe;
mod prune;
mod pv;
mod quiescence;
mod reduce;
pub mod report;
mod shared;
mod stack;
pub mod strength;
pub mod time;
mod timer;
pub mod tt;
mod vote;
mod window;
mod worker;

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::chess::{Move, Position};
use crate::eval::Score;
use crate::search::pool::Pool;
use crate::search::probe::ProbeOptions;
use crate::search::shared::{Job, Shared};
use crate::search::time::Budget;
use crate::search::timer::Timer;
use crate::search::worker::{Memory, Worker};
use crate::util::memory::MemoryError;

pub use control::Control;
pub use limits::{Clock, Limits};
pub use pool::ThreadError;
pub use probe::Tables;
pub use report::{Report, Reporter};
pub use strength::Strength;
pub use tt::{Bound, HashError, TranspositionTable};

/// The deepest iteration.
pub const MAX_DEPTH: u8 = 127;
/// The longest line that a search can look at.
pub const MAX_PLY: usize = 200;

/// The most threads that may search.
pub const MAX_THREADS: usize = 1024;

/// The stack that a thread needs for the longest line: each of its nodes holds
/// lists of moves.
pub const STACK_BYTES: usize = 32 << 20;
/// What a thread allocates for a search besides, in bytes: its lines, its copy of the
/// game, the part of its stack that it comes to.
const SEARCH_BYTES: u64 = 1 << 20;

/// What a user may choose for all searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchOptions {
    /// How many best lines to find.
    pub multi_pv: usize,
    /// Time lost to communication on every move.
    pub move_overhead: Duration,
    /// Whether the search may prune, reduce and extend. Without that it finds
    /// what plain minimax finds, with as few nodes as alpha-beta and the table
    /// allow: for tests and comparisons.
    pub selective: bool,
    /// How strongly to play; `None` for as strongly as possible.
    pub strength: Option<Strength>,
    /// What to ask of endgame tables.
    pub probe: ProbeOptions,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            selective: true,
            strength: None,
            probe: ProbeOptions::default(),
        }
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` if there is none, on the board or among the
    /// moves that were allowed.
    pub best: Option<Move>,
    /// The reply to expect.
    pub ponder: Option<Move>,
    pub score: Score,
    pub nodes: u64,
    /// The last iteration begun.
    pub depth: u8,
}

/// Why there is no searcher.
#[derive(Debug, Error)]
pub enum SearcherError {
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("no memory for a search: {0}")]
    Memory(#[from] MemoryError),
    #[error("could not start a thread: {0}")]
    Thread(#[from] io::Error),
}

/// Everything that is kept from one search to the next: the transposition
/// table, the histories, the helper threads, the timer thread.
pub struct Searcher {
    /// Helpers have a share in it as long as they search.
    tt: Arc<TranspositionTable>,
    /// Where later searches look endings up.
    pub tables: Tables,
    memory: Memory,
    pool: Pool,
    timer: Timer,
}

impl Searcher {
    /// A searcher of one thread with a table of so many MiB.
    ///
    /// # Errors
    ///
    /// If there is no memory for it, or no thread to keep the time.
    pub fn new(hash_mib: usize) -> Result<Self, SearcherError> {
        Self::beside(0, hash_mib)
    }

    /// As [`Searcher::new`], for one of many searchers: memory for searches is left to
    /// so many others.
    ///
    /// # Errors
    ///
    /// As [`Searcher::new`].
    pub fn beside(others: usize, hash_mib: usize) -> Result<Self, SearcherError> {
        let searches = SEARCH_BYTES * (others as u64 + 1);
        Ok(Self {
            tt: Arc::new(TranspositionTable::beside(Memory::BYTES + searches, hash_mib)?),
            tables: Tables::default(),
            memory: Memory::new()?,
            pool: Pool::default(),
            timer: Timer::new()?,
        })
    }

    /// The size of the transposition table in MiB.
    pub fn hash_mib(&self) -> usize {
        self.tt.mib()
    }

    /// The share of the transposition table that is in use, in permille.
    pub fn hash_occupied(&self) -> u32 {
        self.tt.occupied()
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.pool.len() + 1
    }

    /// Searches with so many threads from now on.
    ///
    /// # Errors
    ///
    /// If the system has no threads or no memory for so many; those that it has are
    /// used.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadError> {
        self.pool.resize(threads.max(1) - 1).map_err(|cause| ThreadError {
            wanted: threads,
            had: self.threads(),
            cause,
        })
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    ///
    /// If there is no memory for it; the old table is then kept as it was.
    pub fn try_resize(&mut self, mib: usize) -> Result<(), HashError> {
        if mib != self.hash_mib() {
            let searches = SEARCH_BYTES * self.threads() as u64;
            self.table().resize(mib, searches)?;
        }
        Ok(())
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.table().clear();
        self.memory.clear();
        self.pool.clear();
    }

    /// The table between two searches, when nobody else has a share in it.
    fn table(&mut self) -> &mut TranspositionTable {
        self.pool.wait();
        Arc::get_mut(&mut self.tt).expect("no search is under way")
    }

    /// Searches a position. `start` is when the search was asked for.
    ///
    /// The first iteration is always completed, so that there is a move and a
    /// report with a score whatever the limits. A search that is infinite or
    /// ponders does not return before its control releases it.
    pub fn search<R: Reporter>(
        &mut self,
        position: &Position,
        limits: &Limits,
        options: &SearchOptions,
        control: &Arc<Control>,
        start: Instant,
        reporter: &mut R,
    ) -> Outcome {
        self.tt.age();
        let budget = Budget::new(limits, options.move_overhead).filter(|_| !limits.infinite);
        if let Some(budget) = budget {
            self.timer.watch(control, budget.maximum);
        }
        // A level below full strength is a number of nodes, which helpers would
        // only make less certain.
        let helpers = if options.strength.is_some() { 0 } else { self.pool.len() };
        let job = Job {
            position: position.clone(),
            limits: limits.clone(),
            options: *options,
            control: Arc::clone(control),
            start,
        };
        let shared =
            Arc::new(Shared::new(job, Arc::clone(&self.tt), self.tables.clone(), helpers + 1));
        let mut worker = Worker::new(&shared, 0, &mut self.memory, reporter);
        if !worker.root_moves.is_empty() {
            self.pool.search(&shared, helpers);
            worker.iterate(limits, budget);
            shared.end();
            worker.elect();
        }
        control.wait_until_released(limits.infinite);
        if worker.root_moves.is_empty() {
            worker.report_game_over();
        }
        if let Some(strength) = options.strength {
            worker.play_like(strength);
        }
        control.finish();
        worker.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known of the position after a search of some of its moves.
    fn known_after(search_moves: Option<Vec<Move>>) -> Option<(Option<Move>, u8)> {
        let position = Position::startpos();
        let limits = Limits { depth: Some(5), search_moves, ..Limits::default() };
        let start = Instant::now();
        let control = Control::new(start, false);
        let mut searcher = Searcher::new(1).unwrap();
        searcher.search(&position, &limits, &SearchOptions::default(), &control, start, &mut ());
        searcher.tt.probe(position.key()).map(|entry| (entry.best, entry.depth))
    }

    #[test]
    fn a_search_of_some_moves_says_nothing_of_the_position() {
        assert!(matches!(known_after(None), Some((Some(_), 5))));
        let last = Position::startpos().legal_moves().into_iter().next_back();
        assert!(matches!(known_after(Some(last.into_iter().collect())), Some((None, 0))));
    }
}
