//! Late move reductions: moves that are ordered late are searched less deep, and again
//! at full depth if they raise alpha (T. Romstad, "An introduction to late move
//! reductions", 2006).

use crate::chess::Move;
use crate::eval::Score;
use crate::search::params as p;
use crate::search::thread::reductions::PLY;
use crate::search::thread::worker::Worker;
use crate::search::tree::node::{Candidate, Node, NodeType};
use crate::search::window::Window;

/// A node after a move with a higher number than this is searched deeper: the move is
/// probably bad.
const LATE_PARENT: usize = 8;
/// With more cutoffs than this among the children of a node, its moves are easy to refute.
const MANY_CUTOFFS: i32 = 3;

impl Worker<'_> {
    /// The reduction by depth and number of a move, in 1024ths of a ply.
    #[inline]
    pub fn base_reduction<N: NodeType>(&self, node: &Node, number: usize, window: Window) -> i32 {
        let product = self.memory.reductions.base(node.depth, number);
        let mut reduction = product + p::lmr_base();
        if N::PV {
            let width = (window.beta - window.alpha).cp();
            reduction -= p::lmr_window() * width / self.root.window_width.max(1);
        }
        if !node.is_improving() && product > p::lmr_not_improving() {
            reduction += PLY;
        }
        reduction
    }

    /// The reduction of a move in plies, which may be negative (its parts as in Stockfish 16,
    /// before step 17). Reads the cutoffs of the children of the node so far.
    pub fn reduction<N: NodeType>(&self, node: &Node, candidate: &Candidate, base: i32) -> i32 {
        let &Node { ply, depth, cut_node, entry, tt_move, was_pv, likely_fail_low, .. } = node;
        let mut reduction = base;
        if was_pv && !likely_fail_low {
            let deep = entry.is_some_and(|entry| i32::from(entry.depth) >= depth + 3);
            reduction -= p::lmr_was_pv() + i32::from(cut_node && deep) * PLY;
        }
        if N::PV {
            reduction -= p::lmr_pv() + 12 / (3 + depth) * PLY;
        }
        if self.line.stack.before(ply, 1).number > LATE_PARENT {
            reduction -= p::lmr_late_parent();
        }
        if cut_node {
            reduction += p::lmr_cut_node();
        }
        if tt_move.is_some_and(Move::is_noisy) {
            reduction += p::lmr_tt_noisy();
        }
        if node.singular_quiet {
            reduction -= p::lmr_singular();
        }
        if self.line.stack[ply + 1].cutoffs > MANY_CUTOFFS {
            reduction += p::lmr_cutoffs();
        } else if tt_move == Some(candidate.m) {
            reduction -= p::lmr_tt_move();
        }
        let deep = i32::from((6..22).contains(&depth)) * p::lmr_history_deep();
        let history = candidate.stat_score() * PLY / (p::lmr_history() + deep);
        (reduction - history).div_euclid(PLY)
    }

    /// Plies less for the moves of a node of this depth after one raised alpha to `score`:
    /// most of them will not exceed it (as in Stockfish).
    #[inline]
    pub fn after_raised_alpha<N: NodeType>(&self, depth: i32, score: Score) -> i32 {
        let reduces = N::PV && self.selective() && depth > 1 && !score.is_decisive();
        if !reduces {
            0
        } else if (4..12).contains(&depth) {
            2
        } else {
            1
        }
    }
}

/// The depth of the second search of a reduced move that raised alpha with `score`: more
/// if it is far above the best score so far, less if barely (as in Stockfish 16).
#[inline]
pub fn research_depth(depth: i32, reduced: i32, score: Score, best: Score) -> i32 {
    let gain = (score - best).cp();
    let deeper = p::lmr_deeper() + p::lmr_deeper_ply() * (depth - reduced);
    depth + i32::from(gain > deeper) - i32::from(gain < depth / 2)
}
