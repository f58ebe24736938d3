//! One searching thread.

use bytemuck::Zeroable;

use crate::chess::Move;
use crate::eval::{self, EvalTables, Score};
use crate::search::ordering::history::{ContinuationRow, History, PieceTo};
use crate::search::report::Reporter;
use crate::search::request::SearchRequest;
use crate::search::statistics::{self, NodeCounts, NodeEnd, SearchStatistics};
use crate::search::thread::line::Line;
use crate::search::thread::reductions::Reductions;
use crate::search::thread::root_moves::RootSearch;
use crate::search::thread::shared::{Shared, ThreadState};
use crate::search::tt::table::TranspositionTable;
use crate::util::memory::MemoryError;
use crate::util::unsafe_ops::{reserve_huge_pages, zeroed};

/// How many nodes a thread visits between two sums of the nodes of all threads.
const SUM_INTERVAL: u64 = 128;

/// The search was stopped; the value of the node is void.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

/// The value of a node.
pub type Searched = Result<Score, Stopped>;

/// What a thread keeps for the next search of the same game. It is read at random, which
/// is faster in large pages.
#[derive(Zeroable)]
#[repr(align(0x20_0000))]
pub struct Memory {
    pub history: History,
    pub reductions: Reductions,
    pub eval: EvalTables,
    pub statistics: SearchStatistics,
}

impl Memory {
    /// The bytes that it takes, with what may be lost to the alignment.
    pub const BYTES: u64 = (size_of::<Self>() + align_of::<Self>()) as u64;

    /// Empty memory.
    pub fn new() -> Result<Box<Self>, MemoryError> {
        Self::reserve().map(Self::in_reserved)
    }

    /// The memory before it is touched.
    pub fn reserve() -> Result<Vec<Self>, MemoryError> {
        Ok(reserve_huge_pages(1)?)
    }

    /// Empty memory in what was [reserved](Self::reserve). Nearly all the time goes into page
    /// faults.
    pub fn in_reserved(reserved: Vec<Self>) -> Box<Self> {
        let mut memory = zeroed(reserved);
        memory.reductions.fill();
        memory
    }

    /// Clears the memory, for a new game.
    pub fn clear(&mut self) {
        self.history.clear();
        // The parameters may have changed, in a build that tunes them.
        self.reductions.fill();
    }
}

/// A searching thread. Its methods are in `tree` for nodes and in `root` for iterations.
pub struct Worker<'a> {
    pub shared: &'a Shared,
    pub memory: &'a mut Memory,
    pub line: Line,
    pub root: RootSearch,
    pub(super) reporter: &'a mut dyn Reporter,
    tt: &'a TranspositionTable,
    /// The part of the shared state that this thread writes.
    state: &'a ThreadState,
    /// The nodes visited by this thread.
    nodes: u64,
    /// The limit of nodes of all threads together.
    node_limit: u64,
    may_stop: bool,
    selective: bool,
}

impl<'a> Worker<'a> {
    /// The thread with index `thread` of a search.
    pub fn new(
        shared: &'a Shared,
        thread: usize,
        memory: &'a mut Memory,
        reporter: &'a mut dyn Reporter,
    ) -> Self {
        let SearchRequest { position, limits, options, .. } = &shared.request;
        Self {
            shared,
            memory,
            line: Line::new(position),
            root: RootSearch::new(position, limits, options, &shared.probe),
            reporter,
            tt: &shared.tt,
            state: &shared.threads[thread],
            nodes: 0,
            node_limit: shared.node_limit(),
            may_stop: false,
            selective: options.selective && !shared.probe.decided_by_counter(position),
        }
    }

    /// Whether this is the thread that reports, and not a helper.
    pub fn is_main(&self) -> bool {
        std::ptr::eq(self.state, &self.shared.threads[0])
    }

    /// The nodes visited by this thread.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether moves may be pruned, reduced and extended.
    #[inline]
    pub fn selective(&self) -> bool {
        self.selective
    }

    /// The transposition table, which the threads share.
    #[inline]
    pub fn tt(&self) -> &'a TranspositionTable {
        self.tt
    }

    /// Counts a position whose value is in endgame tables.
    pub fn count_table_hit(&self) {
        self.state.add_table_hits(1);
    }

    /// Allows the search to stop: the first iteration is always completed.
    pub fn allow_stop(&mut self) {
        self.may_stop = true;
    }

    /// Publishes the best move for the thread that reports.
    pub fn publish(&self) {
        self.state.publish(&self.root.moves[0]);
    }

    /// Counts a node.
    #[inline]
    pub fn count_node(&mut self) -> Result<(), Stopped> {
        if self.may_stop && self.is_stopped() {
            return Err(Stopped);
        }
        self.nodes += 1;
        self.state.set_nodes(self.nodes);
        if self.nodes.is_multiple_of(SUM_INTERVAL) {
            self.check_node_limit();
        }
        Ok(())
    }

    /// Ends the search if all threads together have used its nodes. A single thread counts to
    /// the limit by itself.
    fn check_node_limit(&self) {
        if self.node_limit < u64::MAX && self.shared.nodes() >= self.node_limit {
            self.shared.finish();
        }
    }

    /// Adds to the counts of a node of this depth, in a build that counts.
    #[inline(always)]
    pub fn count(&mut self, depth: i32, add: impl FnOnce(&mut NodeCounts)) {
        if statistics::COUNTS {
            add(self.memory.statistics.at(depth, self.line.position.occupied().len()));
        }
    }

    /// Ends a node of this depth with its score, and counts how.
    #[inline(always)]
    pub fn end_node(&mut self, depth: i32, end: NodeEnd, score: Score) -> Searched {
        self.count(depth, |counts| counts.add_node(end));
        Ok(score)
    }

    /// Whether this thread must stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.nodes >= self.node_limit || self.shared.is_over()
    }

    /// Makes a move at `ply` and updates the evaluation.
    #[inline]
    pub fn make(&mut self, m: Move, ply: usize) {
        self.line.stack[ply].current = Some(m);
        let piece_to = PieceTo::of(&self.line.position, m);
        self.line.stack[ply].piece_to = piece_to;
        self.line.stack[ply].row =
            ContinuationRow::new(piece_to, self.line.position.in_check(), m.is_noisy());
        // The memory access overlaps with making the move.
        self.tt.prefetch(self.line.position.key_after(m));
        let Line { position, stack, .. } = &mut self.line;
        stack[ply + 1].accumulator = stack[ply].accumulator;
        position.make_observed(m, &mut stack[ply + 1].accumulator);
        self.prefetch_evaluation(ply + 1);
    }

    /// Loads what the evaluation at `ply` will read into the cache, while the
    /// transposition table is probed.
    #[inline]
    fn prefetch_evaluation(&self, ply: usize) {
        self.memory.eval.prefetch(&self.line.position);
        let previous = self.line.stack.previous_moves(ply);
        self.memory.history.correction.prefetch(&self.line.position, previous);
    }

    /// Makes a null move at `ply`.
    pub fn make_null(&mut self, ply: usize) {
        self.line.stack[ply].current = None;
        self.line.stack[ply].piece_to = PieceTo::NONE;
        self.line.stack[ply].row = ContinuationRow::NONE;
        self.line.stack[ply].number = 0;
        self.line.stack[ply].stat_score = 0;
        self.line.position.make_null();
        self.tt.prefetch(self.line.position.key());
        self.line.stack[ply + 1].accumulator = self.line.stack[ply].accumulator;
    }

    /// The static evaluation of the position at `ply`.
    #[inline]
    pub fn evaluate(&mut self, ply: usize) -> Score {
        let accumulator = &self.line.stack[ply].accumulator;
        let score = eval::evaluate(&self.line.position, accumulator, &mut self.memory.eval);
        if score.is_decisive() {
            self.shared.probe.in_time(&self.line.position, score)
        } else {
            score
        }
    }

    /// The score of a draw, with a small random part: the search then does not always
    /// take the first of several repetitions.
    #[inline]
    pub fn draw_score(&self) -> Score {
        if self.selective { Score::new(1 - (self.nodes & 2) as i32) } else { Score::DRAW }
    }

    /// The score of a position without legal moves: mate or stalemate.
    pub fn score_without_moves(&self, ply: usize) -> Score {
        if self.line.position.in_check() { Score::mated_in(ply) } else { Score::DRAW }
    }
}
