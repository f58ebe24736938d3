//! The facts of a node and of a move that the heuristics of the search need.

use crate::chess::{CheckInfo, Move, State};
use crate::eval::Score;
use crate::search::ordering::history::{ContinuationRows, History, PieceTo};
use crate::search::params as p;
use crate::search::tt::entry::TtEntry;

/// The kind of a node, as a type: the compiler removes from each kind what it does not
/// need.
pub trait NodeType {
    /// The window is open: the node returns an exact score and a line.
    const PV: bool;
    const ROOT: bool;
}

pub struct Root;

/// A node that is, or may become, part of the principal variation.
pub struct Pv;

/// A node with a null window.
pub struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// The facts of a node. The search of a move may change its depth, `was_pv` and
/// `singular_quiet`.
pub struct Node {
    pub ply: usize,
    /// Plies left to search.
    pub depth: i32,
    /// A null window is expected to fail high here.
    pub cut_node: bool,
    pub entry: Option<TtEntry>,
    /// The best move so far: of the root move list, or of the transposition table.
    pub tt_move: Option<Move>,
    /// The node is, or once was, part of a principal variation.
    pub was_pv: bool,
    /// The move that a singular search excludes.
    pub excluded: Option<Move>,
    /// By how much the static evaluation has risen since the last move of the side to move,
    /// in centipawns.
    pub improvement: i32,
    /// An earlier search as deep as this one did not fail high.
    pub likely_fail_low: bool,
    /// The move of the transposition table was extended as the only good one, and is quiet.
    pub singular_quiet: bool,
}

impl Node {
    /// Whether the static evaluation has risen since the last move of the side to move.
    #[inline]
    pub fn is_improving(&self) -> bool {
        self.improvement > 0
    }
}

/// The evaluations that decide on pruning a node.
#[derive(Clone, Copy)]
pub struct NodeEval {
    /// The corrected static evaluation.
    pub corrected: Score,
    /// The same, replaced by the score of the transposition table where that is more
    /// accurate.
    pub tt_adjusted: Score,
}

/// The facts of a move about to be searched.
#[derive(Clone, Copy)]
pub struct Candidate {
    pub m: Move,
    /// Its number among the moves of the node, from 1.
    pub number: usize,
    pub quiet: bool,
    pub gives_check: bool,
    /// The sum of its quiet histories.
    pub history: i32,
    /// The continuation histories one, two and four plies back.
    pub continuation: [i32; 3],
    /// The history of a capture or promotion.
    pub capture_history: i32,
}

impl Candidate {
    #[inline(always)]
    pub fn new(
        state: &State,
        history: &History,
        previous: &ContinuationRows,
        checks: &CheckInfo,
        m: Move,
        number: usize,
    ) -> Self {
        let quiet = m.is_quiet();
        let gives_check = checks.gives_check(state, m);
        let continuation = history.quiet.continuation(previous, PieceTo::of(state, m));
        let butterfly = history.quiet.butterfly(state.side_to_move(), m);
        let sum = 2 * butterfly + continuation.iter().sum::<i32>();
        let capture_history = if quiet { 0 } else { history.capture.score(state, m) };
        Self { m, number, quiet, gives_check, history: sum, continuation, capture_history }
    }

    /// The history less the one that counts as neither good nor bad (Stockfish's `statScore`).
    #[inline]
    pub fn stat_score(&self) -> i32 {
        self.history - p::history_offset()
    }
}
