//! Late move reductions: moves that are ordered late are searched less deep, and again
//! at full depth if they raise alpha (T. Romstad, "An introduction to late move
//! reductions", 2006).

use crate::chess::Move;
use crate::eval::Score;
use crate::search::ordering::picker::is_killer;
use crate::search::params as p;
use crate::search::thread::reductions::PLY;
use crate::search::thread::worker::Worker;
use crate::search::tree::node::{Candidate, Node, NodeType};
use crate::search::tree::unit::by_phase;

impl Worker<'_> {
    /// The reduction of a late move in plies, which may be negative; `None` for a move
    /// that is not late. Reads the cutoffs of the children of the node so far.
    #[inline]
    pub fn reduction<N: NodeType>(&self, node: &Node, candidate: &Candidate) -> Option<i32> {
        let late = node.depth >= 2 && candidate.number > 1 + usize::from(N::ROOT);
        (self.selective() && late).then(|| self.late_move_reduction::<N>(node, candidate))
    }

    fn late_move_reduction<N: NodeType>(&self, node: &Node, candidate: &Candidate) -> i32 {
        let &Candidate { m, number, quiet, gives_check, history, .. } = candidate;
        let mut reduction = self.memory.reductions.base(node.depth, number, quiet);
        if quiet {
            let tt_noisy = node.tt_move.is_some_and(Move::is_noisy);
            reduction -= history * PLY / p::lmr_history();
            reduction += i32::from(tt_noisy) * p::lmr_tt_noisy();
            reduction -= i32::from(is_killer(node.killers, m)) * p::lmr_killer();
        } else {
            reduction -= history * PLY / p::lmr_noisy_history();
        }
        reduction -= i32::from(N::ROOT) * p::lmr_root();
        reduction += i32::from(!node.improving) * p::lmr_not_improving();
        reduction += i32::from(!N::PV) * p::lmr_not_pv();
        reduction -= if N::PV { p::lmr_pv() } else { i32::from(node.was_pv) * p::lmr_former_pv() };
        reduction += i32::from(node.cut_node) * p::lmr_cut_node();
        reduction -= i32::from(gives_check) * p::lmr_check();
        let cutoffs = self.line.stack[node.ply + 1].cutoffs;
        reduction += i32::from(cutoffs > p::lmr_many_cutoffs()) * p::lmr_cutoffs();
        reduction -= node.correction * p::lmr_correction();
        reduction / PLY
    }
}

/// The depth of the second search of a reduced move that raised alpha with `score`: one
/// ply more if it is far above the best score so far, one less if barely.
#[inline]
pub fn research_depth(depth: i32, score: Score, best: Score, phase: i32) -> i32 {
    let gain = (score - best).cp();
    let deeper = by_phase(p::lmr_deeper(), phase);
    depth + i32::from(gain > deeper) - i32::from(gain < p::lmr_shallower())
}

/// Plies less for the moves of a node of this depth after one raised alpha to `score`: most
/// of them will not exceed it (as in Stockfish).
#[inline]
pub fn after_raised_alpha<N: NodeType>(depth: i32, score: Score) -> i32 {
    let reduces = N::PV && !N::ROOT && (4..12).contains(&depth) && !score.is_decisive();
    i32::from(reduces) * p::alpha_raised()
}
