//! What the search remembers of each ply of the line that it is in.

use std::ops::{Index, IndexMut};

use crate::chess::{Bitboard, Move};
use crate::eval::{Accumulator, Score};
use crate::search::MAX_PLY;
use crate::search::history::Played;

/// Plies before the root that a node may look back at, and below the longest
/// line that it may prepare.
const BEFORE: usize = 6;
const BEYOND: usize = 3;

/// One ply.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The incremental part of the evaluation of the position at this ply.
    pub accumulator: Accumulator,
    /// The static evaluation as the evaluator says; `None` in check.
    pub raw_eval: Option<Score>,
    /// The same, corrected by experience.
    pub eval: Option<Score>,
    /// The move being searched at this ply; `None` for a null move.
    pub current: Option<Move>,
    /// The same as the histories see it.
    pub played: Played,
    /// Squares that the enemy attacked when the move was chosen.
    pub attacked: Bitboard,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// Quiet moves that lately refuted a sibling of this node, the newest first.
    pub killers: [Option<Move>; 2],
    /// Cutoffs among the nodes at this ply since the node two plies above was
    /// entered.
    pub cutoffs: u32,
    /// Double extensions in the line so far.
    pub double_extensions: i32,
}

impl Frame {
    fn new(accumulator: Accumulator) -> Self {
        Self {
            accumulator,
            raw_eval: None,
            eval: None,
            current: None,
            played: Played::NOTHING,
            attacked: Bitboard::EMPTY,
            excluded: None,
            killers: [None; 2],
            cutoffs: 0,
            double_extensions: 0,
        }
    }

    /// By how many centipawns experience corrects the evaluator, up or down.
    #[inline]
    pub fn correction(&self) -> i32 {
        self.eval.zip(self.raw_eval).map_or(0, |(eval, raw)| (eval - raw).cp().abs())
    }

    /// Remembers a quiet move that caused a cutoff.
    pub fn add_killer(&mut self, m: Move) {
        if self.killers[0] != Some(m) {
            self.killers = [Some(m), self.killers[0]];
        }
    }
}

/// The frames of a line, indexed by ply. Before the root there are empty ones,
/// so that a node need not ask how far it may look back.
pub(super) struct Stack {
    frames: Vec<Frame>,
}

impl Stack {
    pub fn new(root: Accumulator) -> Self {
        Self { frames: vec![Frame::new(root); BEFORE + MAX_PLY + BEYOND] }
    }

    /// The frame `plies` plies before the one at `ply`.
    #[inline]
    pub fn before(&self, ply: usize, plies: usize) -> &Frame {
        debug_assert!(plies <= BEFORE);
        &self.frames[BEFORE + ply - plies]
    }

    /// The moves made so many plies before `ply`, as the histories see them.
    #[inline]
    pub fn played<const N: usize>(&self, ply: usize, plies: [usize; N]) -> [Played; N] {
        plies.map(|plies| self.before(ply, plies).played)
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
