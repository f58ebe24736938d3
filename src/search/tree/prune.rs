//! Pruning: when a node, or a move of it, need not be searched.
//!
//! The first half ends a node early if its score is likely to lie outside the window by
//! a margin that depends on the depth. The second half skips moves that are unlikely to
//! raise alpha.

use crate::chess::see::see_at_least;
use crate::chess::{Move, State};
use crate::eval::Score;
use crate::search::ordering::history::HistoryContext;
use crate::search::ordering::picker::Picker;
use crate::search::params as p;
use crate::search::thread::reductions::PLY;
use crate::search::thread::worker::{Stopped, Worker};
use crate::search::tree::node::{BELOW_HORIZON, Candidate, Node, NodeEval, NodeType, NonPv};
use crate::search::tree::unit::{by_phase, probcut_gain};
use crate::search::tt::entry::{Bound, TtData};
use crate::search::window::Window;

/// The least depth for the margin of futility pruning, for late moves with a bad history.
const MIN_FUTILITY_DEPTH: i32 = -2;

/// Reverse futility pruning, also called static null-move pruning: close to the leaves, a
/// side whose evaluation exceeds beta by a margin keeps most of that lead. The margin is
/// smaller for a side that is improving. A quiet best move in the transposition table
/// is a sign of more than material, and forbids it (Chess Programming Wiki, "Reverse
/// Futility Pruning"). Returns the score to fail high with.
#[inline]
pub fn reverse_futility(node: &Node, eval: NodeEval, phase: i32, beta: Score) -> Option<Score> {
    let &Node { depth, improving, has_mobile_piece, tt_move, was_pv, .. } = node;
    let eval = eval.tt_adjusted;
    let margin = p::rfp_margin() * depth - if improving { p::rfp_improving() } else { 0 };
    let margin = margin + margin * (i32::from(was_pv) * p::rfp_former_pv()) / 100;
    let margin = by_phase(margin, phase);
    let fails_high = depth <= p::rfp_depth()
        && !beta.is_decisive()
        && !eval.is_decisive()
        && eval - Score::new(margin) >= beta
        && has_mobile_piece
        && !tt_move.is_some_and(Move::is_quiet);
    fails_high.then(|| Score::new((2 * beta.cp() + eval.cp()) / 3))
}

impl Worker<'_> {
    /// The evaluations for pruning a node; `None` where none may be pruned: in the
    /// principal variation, in check, and in a singular search.
    #[inline]
    pub fn eval_for_pruning<N: NodeType>(&self, node: &Node) -> Option<NodeEval> {
        if N::PV || !self.selective() || node.excluded.is_some() {
            return None;
        }
        let corrected = self.line.stack[node.ply].eval?;
        let tt_adjusted = self.tt_adjusted_eval(corrected, node.entry, node.ply);
        Some(NodeEval { corrected, tt_adjusted })
    }

    /// Razoring: if the evaluation is so far below alpha that only a capture could help,
    /// quiescence search looks for one (J. Birmingham and P. Kent, "Tree-searching and
    /// tree-pruning techniques", 1977). Returns the score to fail low with.
    pub fn razor(
        &mut self,
        node: &Node,
        eval: NodeEval,
        alpha: Score,
    ) -> Result<Option<Score>, Stopped> {
        let depth = node.depth;
        let margin = p::razor_base() + p::razor_margin() * depth * depth;
        let margin = Score::new(self.margin(margin, node.ply));
        if depth > p::razor_depth() || alpha.is_decisive() || eval.tt_adjusted + margin > alpha {
            return Ok(None);
        }
        let window = Window::null_above(alpha);
        let score = self.quiescence::<NonPv>(window, BELOW_HORIZON, node.ply)?;
        Ok((score <= alpha).then_some(score))
    }

    /// Null-move pruning: if the score stays above beta when the side to move passes, a
    /// move would keep it there too (C. Donninger, "Null move and deep search", 1993).
    /// That fails in zugzwang. Pieces that can move make zugzwang unlikely; at high depth
    /// a search in which the same side may not pass excludes it (after O. David-Tabibi
    /// and N. Netanyahu, "Verified null-move pruning", 2002).
    pub fn null_move(
        &mut self,
        node: &Node,
        eval: NodeEval,
        beta: Score,
    ) -> Result<Option<Score>, Stopped> {
        let &Node { ply, depth, cut_node, .. } = node;
        let promising = depth >= p::nmp_depth()
            && eval.tt_adjusted >= beta
            && eval.corrected + Score::new(self.margin(depth * p::nmp_eval_slope(), ply))
                >= beta + Score::new(self.margin(p::nmp_eval_base(), ply));
        if !promising
            || beta.is_mate()
            || self.line.stack.before(ply, 1).current.is_none()
            || !node.has_mobile_piece
            || self.must_not_pass(ply)
        {
            return Ok(None);
        }

        let lead = (eval.tt_adjusted - beta).cp() * 100 / self.margin(p::nmp_eval_divisor(), ply);
        let plies = (p::nmp_base() + lead.min(p::nmp_eval_max())) / 100;
        let reduced = depth - plies - depth * 100 / p::nmp_depth_divisor();
        self.make_null(ply);
        let window = Window::null_below(beta);
        let score = -self.negamax::<NonPv>(-window, reduced, !cut_node, ply + 1)?;
        self.line.position.unmake();
        if score < beta {
            return Ok(None);
        }
        // A mate after an extra move of one side is no proof of a mate.
        let score = if score.is_mate() { beta } else { score };
        if depth < p::nmp_verify_depth() || self.line.verifying.is_some() {
            return Ok(Some(score));
        }
        // The side may pass again in the last quarter of the verification, where that
        // costs little and saves most nodes.
        let verified_until = ply + 3 * reduced.max(0) as usize / 4;
        self.line.verifying = Some((self.line.position.side_to_move(), verified_until));
        let verified = self.negamax::<NonPv>(window, reduced, false, ply);
        self.line.verifying = None;
        Ok((verified? >= beta).then_some(score))
    }

    /// Whether the side to move is tested for zugzwang.
    fn must_not_pass(&self, ply: usize) -> bool {
        let us = self.line.position.side_to_move();
        self.line.verifying.is_some_and(|(side, until)| side == us && ply < until)
    }

    /// ProbCut: a capture that exceeds beta by a margin in a shallow search will probably
    /// reach beta in a full one (M. Buro, "ProbCut: an effective selective extension of
    /// the alpha-beta algorithm", 1995).
    pub fn probcut(
        &mut self,
        node: &Node,
        eval: NodeEval,
        beta: Score,
    ) -> Result<Option<Score>, Stopped> {
        let &Node { ply, depth, improving, cut_node, entry, tt_move, .. } = node;
        let margin = p::probcut_margin() - if improving { p::probcut_improving() } else { 0 };
        let margin = self.margin(margin, ply);
        let raised = beta + Score::new(margin);
        // The captures are searched to one ply less, after a move.
        let proven_depth = depth - p::probcut_reduction() + 1;
        let refuted = entry.is_some_and(|entry| {
            i32::from(entry.depth) >= proven_depth && entry.score(ply) < raised
        });
        if depth < p::probcut_depth() || beta.is_decisive() || refuted {
            return Ok(None);
        }

        let window = Window::null_below(raised);
        let threshold = probcut_gain((raised - eval.corrected).cp(), self.phase(ply));
        let history_context = &HistoryContext::NONE;
        let mut picker = Picker::winning(&self.line.position, tt_move, threshold);
        while let Some(m) = picker.next(&self.line.position, &self.memory.history, history_context)
        {
            self.make(m, ply);
            // Quiescence search is the cheaper test.
            let mut score = -self.quiescence::<NonPv>(-window, BELOW_HORIZON, ply + 1)?;
            if score >= raised {
                score = -self.negamax::<NonPv>(-window, proven_depth - 1, !cut_node, ply + 1)?;
            }
            self.line.position.unmake();
            if score >= raised {
                let eval = self.line.stack[ply].raw_eval;
                let (depth, bound) = (proven_depth, Bound::Lower);
                let data = TtData { depth, bound, score, eval, best: Some(m), pv: false };
                self.tt().store(self.line.position.key(), ply, data);
                return Ok(Some(if score.is_mate() { score } else { score - Score::new(margin) }));
            }
        }
        Ok(None)
    }

    /// Whether to skip a move. Also makes the picker skip quiet moves that would all
    /// be pruned. Nothing is pruned while the best score is a loss, in case the move
    /// saves the game, nor when alpha is a win, in case it wins sooner.
    #[inline]
    pub fn prunes_move<N: NodeType>(
        &self,
        node: &Node,
        candidate: &Candidate,
        alpha: Score,
        best_score: Score,
        picker: &mut Picker,
    ) -> bool {
        let undecided = best_score > -Score::KNOWN_WIN && alpha < Score::KNOWN_WIN;
        if N::ROOT || !self.selective() || !undecided || !node.has_mobile_piece {
            return false;
        }
        let &Candidate { m, number, quiet, gives_check, history, .. } = candidate;
        let state = self.line.position.state();
        if quiet && number > late_move_count(node.depth, node.improving) {
            picker.skip_quiets();
            return true;
        }
        match (quiet, gives_check) {
            (true, false) => self.prunes_quiet(node, candidate, alpha),
            (true, true) => see_prunes_noisy(state, m, node.depth, 0),
            (false, _) => see_prunes_noisy(state, m, node.depth, history),
        }
    }

    /// Whether to skip a quiet move that gives no check. The margins depend on the depth
    /// that is left for it: less for a late move, more for one with a good history.
    #[inline]
    fn prunes_quiet(&self, node: &Node, candidate: &Candidate, alpha: Score) -> bool {
        let &Candidate { m, number, history, continuation, .. } = candidate;
        let reduction = self.memory.reductions.base(node.depth, number, true)
            + p::prune_reduction()
            + i32::from(!node.improving) * p::lmr_not_improving();
        let depth = node.depth - 1 - reduction / PLY;
        if has_bad_history(continuation, node.depth, depth) {
            return true;
        }
        let depth = depth + history / p::prune_history();
        let eval = self.line.stack[node.ply].eval;
        let phase = self.phase(node.ply);
        eval.is_some_and(|eval| is_futile(eval, alpha, depth.max(MIN_FUTILITY_DEPTH), phase))
            || see_prunes_quiet(self.line.position.state(), m, depth.max(0))
    }
}

/// Late move pruning, also called move-count pruning: close to the leaves, quiet moves
/// after this number are skipped (Chess Programming Wiki, "Futility Pruning").
#[inline]
fn late_move_count(depth: i32, improving: bool) -> usize {
    let count = p::lmp_base() + p::lmp_factor() * depth * depth;
    (if improving { count } else { count / 2 }) as usize / 100
}

/// History pruning: with few plies left for it, the move has a bad continuation history
/// for the depth of its node (Stockfish 16, step 14).
#[inline]
fn has_bad_history(continuation: i32, node_depth: i32, depth: i32) -> bool {
    depth <= p::history_depth() && continuation < -p::history_margin() * node_depth
}

/// Futility pruning: the evaluation and a margin for a quiet move do not reach alpha
/// (J. Schaeffer, "Experiments in search and knowledge", 1986).
#[inline]
fn is_futile(eval: Score, alpha: Score, depth: i32, phase: i32) -> bool {
    let margin = by_phase(p::futility_base() + p::futility_margin() * depth, phase);
    depth <= p::futility_depth() && eval + Score::new(margin) <= alpha
}

/// Pruning by static exchange evaluation: the quiet move loses material (Stockfish 11,
/// step 13).
#[inline]
fn see_prunes_quiet(state: &State, m: Move, depth: i32) -> bool {
    depth <= p::see_quiet_depth() && !see_at_least(state, m, -p::see_quiet_margin() * depth * depth)
}

/// Pruning by static exchange evaluation: the capture or check loses material, and has
/// no history that makes up for it (Stockfish 11, step 13).
#[inline]
fn see_prunes_noisy(state: &State, m: Move, depth: i32, history: i32) -> bool {
    let allowed = -p::see_noisy_margin() * depth - history / p::see_noisy_history();
    depth <= p::see_noisy_depth() && !see_at_least(state, m, allowed.min(0))
}
