//! Extensions and internal iterative reduction: how deep a node and its moves are
//! searched.

use crate::chess::Move;
use crate::eval::Score;
use crate::search::params as p;
use crate::search::thread::worker::{Stopped, Worker};
use crate::search::tree::node::{Candidate, Node, NodeType, NonPv};
use crate::search::tt::entry::{Bound, TtEntry};
use crate::search::window::Window;

/// How deep to search a move.
pub enum Extension {
    /// This many plies deeper, or less deep if negative.
    Plies(i32),
    /// Not at all: several moves fail high, and the node returns this score.
    MultiCut(Score),
}

impl Worker<'_> {
    /// The extension of a move: if it is singular, gives check at a high depth, or is a good
    /// quiet move of the principal variation (as in Stockfish 16, step 15). There is none from
    /// the ply that is twice the depth of the iteration, so that extensions cannot go on without
    /// end.
    #[inline]
    pub fn extension<N: NodeType>(
        &mut self,
        node: &mut Node,
        candidate: &Candidate,
        window: Window,
    ) -> Result<Extension, Stopped> {
        if N::ROOT || !self.selective() || node.ply >= 2 * usize::from(self.root.depth) {
            return Ok(Extension::Plies(0));
        }
        if let Some(entry) = self.singular_entry::<N>(node, candidate.m) {
            return self.singular::<N>(node, entry, window);
        }
        let quiet_tt_move = || {
            N::PV
                && node.tt_move == Some(candidate.m)
                && self.line.stack[node.ply].killers[0] == Some(candidate.m)
                && candidate.continuation[0] >= p::quiet_extension_history()
        };
        let extends = candidate.gives_check && node.depth > 9 || quiet_tt_move();
        Ok(Extension::Plies(i32::from(extends)))
    }

    /// Singular extension: if all other moves stay well below the score of the
    /// transposition table in a search of half the depth, its move is the only good one
    /// and is extended; by two plies if no other move comes close (T. Anantharaman,
    /// M. Campbell and F. Hsu, "Singular extensions: adding selectivity to brute-force
    /// searching", 1988). If another move exceeds beta too, the node fails high
    /// (Y. Björnsson and T. Marsland, "Multi-cut alpha-beta pruning in game-tree
    /// search", 2001).
    fn singular<N: NodeType>(
        &mut self,
        node: &mut Node,
        entry: TtEntry,
        window: Window,
    ) -> Result<Extension, Stopped> {
        let &mut Node { ply, depth, cut_node, .. } = node;
        let tt_score = entry.score(ply);
        let former_pv = i32::from(node.was_pv && !N::PV);
        let margin = (p::singular_margin() + former_pv * p::singular_former_pv()) * depth / 64;
        let singular_beta = tt_score - Score::new(margin);
        let others = Window::null_below(singular_beta);
        self.line.stack[ply].excluded = entry.best;
        let score = self.negamax::<NonPv>(others, (depth - 1) / 2, cut_node, ply);
        self.line.stack[ply].excluded = None;
        // The search of the others may have taken it over from the parent.
        node.was_pv = self.line.stack[ply].was_pv;
        let score = score?;

        self.count(depth, |counts| counts.add_singular(score < singular_beta));

        Ok(if score < singular_beta {
            node.singular_quiet = node.tt_move.is_some_and(Move::is_quiet);
            let double = !N::PV
                && score < singular_beta - Score::new(p::singular_double())
                && self.line.stack[ply].double_extensions <= p::singular_double_limit();
            if double {
                node.depth += i32::from(depth < 13);
            }
            Extension::Plies(1 + i32::from(double))
        } else if singular_beta >= window.beta {
            Extension::MultiCut(singular_beta)
        } else if tt_score >= window.beta {
            // There are other good moves: this one is reduced.
            Extension::Plies(-2 - i32::from(!N::PV))
        } else {
            Extension::Plies(-i32::from(tt_score <= score || tt_score <= window.alpha))
        })
    }

    /// Internal iterative reduction: without a move from the transposition table the move
    /// order is poor and a full search too expensive (introduced in Rebel, E. Schröder,
    /// 2020). Returns the plies by which to reduce the node.
    #[inline]
    pub fn internal_iterative_reduction<N: NodeType>(&self, node: &Node) -> i32 {
        if !self.selective() || node.tt_move.is_some() || self.line.position.in_check() {
            0
        } else if N::PV {
            let searched = node.entry.is_some_and(|entry| i32::from(entry.depth) >= node.depth);
            2 + 2 * i32::from(searched)
        } else {
            2 * i32::from(node.cut_node && node.depth >= p::iir_depth())
        }
    }

    /// The entry of the transposition table whose move may be singular, if `m` is that move.
    #[inline]
    fn singular_entry<N: NodeType>(&self, node: &Node, m: Move) -> Option<TtEntry> {
        let &Node { ply, depth, excluded, .. } = node;
        node.entry.filter(|entry| {
            let least = p::singular_depth() - i32::from(self.root.depth > 23)
                + 2 * i32::from(N::PV && entry.pv);
            depth >= least
                && entry.best == Some(m)
                && entry.bound != Bound::Upper
                && i32::from(entry.depth) >= depth - p::singular_tt_depth()
                && !entry.score(ply).is_decisive()
                && excluded.is_none()
        })
    }
}
