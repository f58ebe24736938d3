//! Pruning: when a node, or a move of it, need not be searched.
//!
//! The first half ends a node early if its score is likely to lie outside the window by
//! a margin that depends on the depth. The second half skips moves that are unlikely to
//! raise alpha.

use crate::chess::see::see_at_least;
use crate::chess::{Move, Piece, State};
use crate::eval::Score;
use crate::search::options::MAX_PLY;
use crate::search::ordering::history::ContinuationRow;
use crate::search::ordering::picker::Picker;
use crate::search::params as p;
use crate::search::thread::reductions::PLY;
use crate::search::thread::worker::{Stopped, Worker};
use crate::search::tree::node::{Candidate, Node, NodeEval, NodeType, NonPv};
use crate::search::tt::entry::{Bound, TtData};
use crate::search::window::Window;

/// The values of pawn, knight, bishop, rook, queen and king for margins: those of Stockfish 16
/// in the endgame, in Lovec's centipawns. Those of Lovec's evaluation are smaller in the
/// middlegame and greater in the endgame.
const VICTIM_VALUES: [i32; Piece::COUNT] = [111, 457, 489, 738, 1434, 0];

/// What a capture may gain in the evaluation.
#[inline]
pub fn victim_gain(state: &State, m: Move) -> i32 {
    state.captured(m).map_or(0, |victim| VICTIM_VALUES[victim.index()])
}

/// The least depth for the margin of futility pruning, for late moves with a bad history.
const MIN_FUTILITY_DEPTH: i32 = -2;

/// Reverse futility pruning, also called static null-move pruning: close to the leaves, a
/// side whose evaluation exceeds beta by a margin keeps most of that lead (Chess Programming
/// Wiki, "Reverse Futility Pruning"). The margin is smaller for a side that is improving, and
/// after a move with a bad history; nodes that once were part of a principal variation are not
/// pruned (as in Stockfish 16, step 8). Returns the score to fail high with.
#[inline]
pub fn reverse_futility(node: &Node, eval: NodeEval, before: i32, beta: Score) -> Option<Score> {
    let &Node { depth, was_pv, .. } = node;
    let eval = eval.tt_adjusted;
    let margin =
        p::rfp_margin() * (depth - i32::from(node.is_improving())) + before / p::rfp_history();
    let fails_high = depth <= p::rfp_depth()
        && !beta.is_decisive()
        && !eval.is_decisive()
        && eval - Score::new(margin) >= beta
        && eval >= beta
        && !was_pv;
    fails_high.then_some(eval)
}

impl Worker<'_> {
    /// The evaluations for pruning a node; `None` where none may be pruned: in the
    /// principal variation and in check.
    #[inline]
    pub fn eval_for_pruning<N: NodeType>(&self, node: &Node) -> Option<NodeEval> {
        if N::PV || !self.selective() {
            return None;
        }
        let corrected = self.line.stack[node.ply].eval?;
        let entry = node.entry.filter(|_| node.excluded.is_none());
        let tt_adjusted = self.tt_adjusted_eval(corrected, entry, node.ply);
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
        let margin = Score::new(margin);
        if alpha.is_decisive() || eval.tt_adjusted + margin > alpha {
            return Ok(None);
        }
        let window = Window::null_above(alpha);
        let score = self.quiescence::<NonPv>(window, 0, node.ply)?;
        Ok((score <= alpha).then_some(score))
    }

    /// Null-move pruning: if the score stays above beta when the side to move passes, a
    /// move would keep it there too (C. Donninger, "Null move and deep search", 1993).
    /// That fails in zugzwang. Pieces that can move make zugzwang unlikely; at high depth
    /// a search in which the same side may not pass excludes it, if the reduction leaves it a
    /// ply (after O. David-Tabibi and N. Netanyahu, "Verified null-move pruning", 2002).
    pub fn null_move(
        &mut self,
        node: &Node,
        eval: NodeEval,
        beta: Score,
    ) -> Result<Option<Score>, Stopped> {
        let &Node { ply, depth, cut_node, .. } = node;
        let promising = node.excluded.is_none()
            && self.line.stack.before(ply, 1).stat_score < p::nmp_history()
            && eval.tt_adjusted >= beta
            && eval.tt_adjusted >= eval.corrected
            && eval.corrected
                + Score::new(depth * p::nmp_eval_slope() + node.improvement / p::nmp_improvement())
                >= beta + Score::new(p::nmp_eval_base());
        if !promising
            || beta.is_mate()
            || self.line.stack.before(ply, 1).current.is_none()
            || !self.line.position.has_mobile_piece(self.line.position.side_to_move())
            || self.must_not_pass(ply)
        {
            return Ok(None);
        }

        let lead = (eval.tt_adjusted - beta).cp() / p::nmp_eval_divisor();
        let reduced = depth - lead.min(p::nmp_eval_max()) - depth / 3 - p::nmp_base();
        self.make_null(ply);
        let window = Window::null_below(beta);
        let score = -self.negamax::<NonPv>(-window, reduced, !cut_node, ply + 1)?;
        self.line.position.unmake();
        if score < beta {
            return Ok(None);
        }
        // A mate, or a win by endgame tables, after an extra move of one side is no proof.
        let unproven = score >= Score::TABLE_WIN.after(MAX_PLY);
        let score = if unproven { beta } else { score };
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
        let &Node { ply, depth, cut_node, entry, tt_move, .. } = node;
        let margin =
            p::probcut_margin() - if node.is_improving() { p::probcut_improving() } else { 0 };
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
        let threshold = (raised - eval.corrected).cp() * p::exchange_unit() / 100;
        let mut picker = Picker::winning(&self.line.position, tt_move, threshold);
        while let Some(m) =
            picker.next(&self.line.position, &self.memory.history, &[ContinuationRow::NONE; 4])
        {
            if node.excluded == Some(m) {
                continue;
            }
            self.line.stack[ply].number = 0;
            self.line.stack[ply].stat_score = 0;
            self.make(m, ply);
            // Quiescence search is the cheaper test.
            let mut score = -self.quiescence::<NonPv>(-window, 0, ply + 1)?;
            if score >= raised {
                score = -self.negamax::<NonPv>(-window, proven_depth - 1, !cut_node, ply + 1)?;
            }
            self.line.position.unmake();
            if score >= raised {
                let eval = self.line.stack[ply].raw_eval;
                let (depth, bound) = (proven_depth, Bound::Lower);
                let data = TtData { depth, bound, score, eval, best: Some(m), pv: node.was_pv };
                self.tt().store(self.line.position.key(), ply, data);
                return Ok(Some(score));
            }
        }
        Ok(None)
    }

    /// ProbCut in check: an entry of a capture exceeds beta by a large margin (as in
    /// Stockfish 16).
    #[inline]
    pub fn probcut_in_check<N: NodeType>(&self, node: &Node, beta: Score) -> Option<Score> {
        let raised = beta + Score::new(p::probcut_check_margin());
        let entry =
            node.entry.filter(|_| self.selective() && !N::PV && self.line.position.in_check())?;
        let score = entry.score(node.ply);
        (entry.best.is_some_and(Move::is_noisy)
            && entry.bound != Bound::Upper
            && i32::from(entry.depth) >= node.depth - 4
            && score >= raised
            && !score.is_decisive()
            && !beta.is_decisive())
        .then_some(raised)
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
        reduction: i32,
        picker: &mut Picker,
    ) -> bool {
        let undecided = best_score > -Score::KNOWN_WIN && alpha < Score::KNOWN_WIN;
        let state = self.line.position.state();
        let zugzwang = !state.has_non_pawn_material(state.side_to_move());
        if N::ROOT || !self.selective() || !undecided || zugzwang {
            return false;
        }
        let &Candidate { m, number, quiet, gives_check, .. } = candidate;
        let in_check = state.in_check();
        if !in_check && number >= late_move_count(node.depth, node.is_improving()) {
            picker.skip_quiets();
        }
        let depth = node.depth - 1 - reduction.div_euclid(PLY);
        if quiet && !gives_check {
            self.prunes_quiet(node, candidate, alpha, depth)
        } else {
            !gives_check && self.prunes_capture(node, candidate, alpha, depth)
                || !see_at_least(state, m, -p::see_noisy_margin() * node.depth)
        }
    }

    /// Whether to skip a quiet move that gives no check. The margins depend on the depth
    /// that is left for it: less for a late move, more for one with a good history.
    #[inline]
    fn prunes_quiet(&self, node: &Node, candidate: &Candidate, alpha: Score, depth: i32) -> bool {
        let &Candidate { m, history, continuation, .. } = candidate;
        if has_bad_history(continuation.iter().sum(), node.depth, depth) {
            return true;
        }
        let depth = depth + history / p::prune_history();
        let eval = self.line.stack[node.ply].eval;
        eval.is_some_and(|eval| is_futile(eval, alpha, depth.max(MIN_FUTILITY_DEPTH)))
            || see_prunes_quiet(self.line.position.state(), m, depth.max(0))
    }

    /// Whether to skip a capture that gives no check: the evaluation, the victim and a
    /// margin do not reach alpha (as in Stockfish). A known ending is not worth the sum of
    /// its pieces: a capture may turn it into a draw.
    #[inline]
    fn prunes_capture(&self, node: &Node, candidate: &Candidate, alpha: Score, depth: i32) -> bool {
        let Some(eval) = self.line.stack[node.ply]
            .eval
            .filter(|eval| depth <= p::capture_depth() && !eval.is_decisive())
        else {
            return false;
        };
        let victim = victim_gain(&self.line.position, candidate.m);
        let margin = p::capture_base() + p::capture_margin() * depth;
        eval + Score::new(margin + victim + candidate.capture_history / p::capture_history())
            < alpha
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
    depth <= p::history_depth()
        && continuation < p::history_base() - p::history_margin() * node_depth
}

/// Futility pruning: the evaluation and a margin for a quiet move do not reach alpha
/// (J. Schaeffer, "Experiments in search and knowledge", 1986).
#[inline]
fn is_futile(eval: Score, alpha: Score, depth: i32) -> bool {
    let margin = p::futility_base() + p::futility_margin() * depth;
    depth <= p::futility_depth() && eval + Score::new(margin) <= alpha
}

/// Pruning by static exchange evaluation: the quiet move loses material (Stockfish 16,
/// step 14).
#[inline]
fn see_prunes_quiet(state: &State, m: Move, depth: i32) -> bool {
    let allowed = (p::see_quiet_margin() * depth + p::see_quiet_slope()) * depth;
    !see_at_least(state, m, -allowed)
}
