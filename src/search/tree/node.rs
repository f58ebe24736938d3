//! The facts of a node and of a move that the heuristics of the search need.

use crate::chess::{CheckInfo, Move, State};
use crate::eval::Score;
use crate::search::ordering::history::{History, HistoryContext};
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

/// A depth of quiescence below which no quiet checks are searched.
pub const BELOW_HORIZON: i32 = -1;

/// The facts of a node, constant while its moves are searched.
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
    /// The static evaluation has risen since the last move of the side to move.
    pub improving: bool,
    /// The side to move has a piece other than king and pawns that can move. Without one
    /// it may be in zugzwang, and every move may be the only good one.
    pub has_mobile_piece: bool,
    pub killers: [Option<Move>; 2],
    /// The size of the correction of the static evaluation, in centipawns.
    pub correction: i32,
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
    /// Its history score: of all quiet histories, or of the capture history.
    pub history: i32,
    /// Of a quiet move, the continuation histories one and two plies back.
    pub continuation: i32,
}

impl Candidate {
    /// `quiet_score` is the history score of a quiet move, if it is known.
    #[inline(always)]
    pub fn new(
        state: &State,
        history: &History,
        context: &HistoryContext,
        checks: &CheckInfo,
        m: Move,
        number: usize,
        quiet_score: Option<i32>,
    ) -> Self {
        let quiet = m.is_quiet();
        let gives_check = checks.gives_check(state, m);
        let (history, continuation) = if quiet {
            let quiet = &history.quiet;
            let score = quiet_score.unwrap_or_else(|| quiet.score(state, context, m));
            (score, quiet.continuation(state, context, m))
        } else {
            (history.capture.score(state, m), 0)
        };
        Self { m, number, quiet, gives_check, history, continuation }
    }
}
