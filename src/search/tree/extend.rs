//! Extensions and internal iterative reduction: how deep a node and its moves are
//! searched.

use crate::chess::Move;
use crate::eval::Score;
use crate::search::params as p;
use crate::search::thread::worker::{Stopped, Worker};
use crate::search::tree::node::{Candidate, Node, NodeType, NonPv};
use crate::search::tree::unit::by_phase;
use crate::search::tt::entry::{Bound, TtEntry};
use crate::search::window::Window;

/// How deep to search a move.
pub enum Extension {
    /// This many plies deeper.
    Plies(i32),
    /// Not at all: several moves fail high, and the node returns this score.
    MultiCut(Score),
}

impl Worker<'_> {
    /// The extension of a move. Lines are at most twice as long as the iteration is
    /// deep, so that extensions cannot go on without end.
    #[inline]
    pub fn extension<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        window: Window,
    ) -> Result<Extension, Stopped> {
        if N::ROOT || !self.selective() || node.ply >= 2 * usize::from(self.root.depth) {
            return Ok(Extension::Plies(0));
        }
        match singular_entry(node, candidate.m) {
            Some(entry) => self.singular(node, entry, window),
            None => Ok(Extension::Plies(0)),
        }
    }

    /// Singular extension: if all other moves stay well below the score of the
    /// transposition table in a search of half the depth, its move is the only good one
    /// and is extended; by two plies if no other move comes close (T. Anantharaman,
    /// M. Campbell and F. Hsu, "Singular extensions: adding selectivity to brute-force
    /// searching", 1988). If another move exceeds beta too, the node fails high
    /// (Y. Björnsson and T. Marsland, "Multi-cut alpha-beta pruning in game-tree
    /// search", 2001).
    fn singular(
        &mut self,
        node: &Node,
        entry: TtEntry,
        window: Window,
    ) -> Result<Extension, Stopped> {
        let &Node { ply, depth, cut_node, .. } = node;
        let open = !window.is_null();
        let phase = self.phase(ply);
        let tt_score = entry.score(ply);
        let former_pv = i32::from(node.was_pv && !open);
        let margin = (p::singular_margin() + former_pv * p::singular_former_pv()) * depth / 64;
        let singular_beta = tt_score - Score::new(by_phase(margin, phase));
        let others = Window::null_below(singular_beta);
        self.line.stack[ply].excluded = entry.best;
        let reduced = (depth - 1) * p::singular_share() / 100;
        let score = self.negamax::<NonPv>(others, reduced, cut_node, ply);
        self.line.stack[ply].excluded = None;
        let score = score?;

        self.count(depth, |counts| counts.add_singular(score < singular_beta));

        Ok(if score < singular_beta {
            let double = !open
                && score < singular_beta - Score::new(by_phase(p::singular_double(), phase))
                && self.line.stack[ply].double_extensions < p::singular_double_limit();
            Extension::Plies(1 + i32::from(double))
        } else if singular_beta >= window.beta && !open {
            Extension::MultiCut(singular_beta)
        } else if tt_score >= window.beta {
            // There are other good moves: this one is reduced.
            Extension::Plies(-if open {
                p::negative_extension_pv()
            } else {
                p::negative_extension()
            })
        } else {
            Extension::Plies(-i32::from(cut_node) * p::negative_extension_cut())
        })
    }

    /// Internal iterative reduction: without a move from the transposition table the move
    /// order is poor and a full search too expensive (introduced in Rebel, E. Schröder,
    /// 2020). Returns the plies by which to reduce the node.
    #[inline]
    pub fn internal_iterative_reduction<N: NodeType>(&self, node: &Node) -> i32 {
        let reduces = self.selective()
            && node.depth >= p::iir_depth()
            && node.tt_move.is_none()
            && (N::PV || node.cut_node);
        i32::from(reduces)
    }
}

/// The entry of the transposition table whose move may be singular, if `m` is that move.
#[inline]
fn singular_entry(node: &Node, m: Move) -> Option<TtEntry> {
    let &Node { ply, depth, excluded, .. } = node;
    node.entry.filter(|entry| {
        depth >= p::singular_depth()
            && entry.best == Some(m)
            && entry.bound != Bound::Upper
            && i32::from(entry.depth) >= depth - p::singular_tt_depth()
            && !entry.score(ply).is_mate()
            && excluded.is_none()
    })
}
