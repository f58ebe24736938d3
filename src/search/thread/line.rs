//! The line from the root to the current node.

use std::ops::{Index, IndexMut};

use crate::chess::{Color, Move, Position};
use crate::eval::{Accumulator, Score};
use crate::search::options::MAX_PLY;
use crate::search::ordering::history::{ContinuationRow, ContinuationRows, PieceTo};
use crate::search::thread::pv::PvTable;

/// The line from the root to the current node, and what its nodes leave for each other.
pub struct Line {
    /// The position of the current node, with the game before it.
    pub position: Position,
    pub stack: Stack,
    pub pv: PvTable,
    /// The deepest ply of this iteration.
    pub seldepth: usize,
    /// In a null-move verification: the side that must not pass, and the ply up to which
    /// it must not.
    pub verifying: Option<(Color, usize)>,
}

impl Line {
    /// The empty line at the root.
    pub fn new(root: &Position) -> Self {
        let mut position = root.clone();
        position.reserve(MAX_PLY + 1);
        Self {
            position,
            stack: Stack::new(Accumulator::from_state(root)),
            pv: PvTable::new(),
            seldepth: 0,
            verifying: None,
        }
    }
}

/// Empty frames before the root, for nodes that look back, and frames of the deepest ply and
/// the one beyond, for nodes that prepare the frames of their grandchildren.
const BEFORE: usize = 6;
const BEYOND: usize = 2;
const FRAMES: usize = BEFORE + MAX_PLY + BEYOND;

/// What a node on the line leaves for others. It takes two cache lines, so that a ply is found
/// by a shift.
#[derive(Clone, Copy)]
#[repr(align(128))]
pub struct Frame {
    /// The incremental part of the evaluation of the position at this ply.
    pub accumulator: Accumulator,
    /// The static evaluation; `None` in check.
    pub raw_eval: Option<Score>,
    /// The static evaluation after the correction history.
    pub eval: Option<Score>,
    /// The move being searched at this ply; `None` for a null move.
    pub current: Option<Move>,
    /// The same move as an index of histories.
    pub piece_to: PieceTo,
    /// Its row of the continuation histories.
    pub row: ContinuationRow,
    /// The move that a singular search excludes.
    pub excluded: Option<Move>,
    /// The last two quiet moves that were best at this ply and raised alpha, the newest first:
    /// in a sibling of the node, or a cousin.
    pub killers: [Option<Move>; 2],
    /// Cutoffs of nodes at this ply since the node two plies above was entered. One without
    /// a move from the transposition table counts twice.
    pub cutoffs: i32,
    /// Double extensions in the line up to here.
    pub double_extensions: i32,
    /// The node is, or once was, part of a principal variation.
    pub was_pv: bool,
    /// The number of the move being searched at this ply; 0 for a null move and in ProbCut. A
    /// singular search leaves the number of its last move to the search of the first move (as
    /// in Stockfish 16).
    pub number: usize,
    /// The history score of the move being searched at this ply less `history_offset`; 0 for a
    /// null move and in ProbCut.
    pub stat_score: i32,
    /// The transposition table knew the node.
    pub tt_hit: bool,
    /// The side to move is in check; quiescence does not say.
    pub in_check: bool,
}

impl Frame {
    fn new(accumulator: Accumulator) -> Self {
        Self {
            accumulator,
            raw_eval: None,
            eval: None,
            current: None,
            piece_to: PieceTo::NONE,
            row: ContinuationRow::NONE,
            excluded: None,
            killers: [None; 2],
            cutoffs: 0,
            double_extensions: 0,
            was_pv: false,
            number: 0,
            stat_score: 0,
            tt_hit: false,
            in_check: false,
        }
    }

    /// Stores a quiet move that was best and raised alpha.
    pub fn add_killer(&mut self, m: Move) {
        if self.killers[0] != Some(m) {
            self.killers = [Some(m), self.killers[0]];
        }
    }
}

/// The frames of a line, indexed by ply. Empty frames before the root spare the nodes
/// a test of how far they may look back.
pub struct Stack {
    frames: [Frame; FRAMES],
}

impl Stack {
    pub fn new(root: Accumulator) -> Self {
        Self { frames: [Frame::new(root); FRAMES] }
    }

    /// The frame `plies` plies before the one at `ply`.
    #[inline]
    pub fn before(&self, ply: usize, plies: usize) -> &Frame {
        debug_assert!(plies <= BEFORE);
        &self.frames[BEFORE + ply - plies]
    }

    /// The rows of the moves that the continuation histories at `ply` depend on.
    #[inline]
    pub fn continuation_rows(&self, ply: usize) -> ContinuationRows {
        let row = |plies| self.before(ply, plies).row;
        [row(1), row(2), row(4), row(6)]
    }

    /// The moves made one and two plies before `ply`.
    #[inline]
    pub fn previous_moves(&self, ply: usize) -> [PieceTo; 2] {
        [self.before(ply, 1).piece_to, self.before(ply, 2).piece_to]
    }
}

impl Index<usize> for Stack {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.frames[BEFORE + ply]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[BEFORE + ply]
    }
}
