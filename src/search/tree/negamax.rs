//! The node function: principal variation search in its negamax form.
//!
//! The first move of a node is expected to be the best. It is searched with the whole
//! window. For the others a null window only has to show that they are not better; late
//! ones are also searched less deep. A move that exceeds its null window is searched
//! again (T. Marsland and M. Campbell, "Parallel search of strongly ordered game trees",
//! 1982). The search is fail-soft.
//!
//! [`Worker::negamax`] names the steps in order. The heuristics that it calls are in the
//! other files of this folder.

use crate::chess::CheckInfo;
use crate::eval::Score;
use crate::search::ordering::picker::{Picker, Refutations};
use crate::search::params as p;
use crate::search::statistics::NodeEnd;
use crate::search::thread::worker::{Searched, Worker};
use crate::search::tree::extend::Extension;
use crate::search::tree::node::{Candidate, Node, NodeType, NonPv, Pv};
use crate::search::tree::prune::reverse_futility;
use crate::search::tree::reduce::research_depth;
use crate::search::tree::update_histories::SearchedMoves;
use crate::search::tt::entry::{Bound, TtData, TtEntry};
use crate::search::window::{ProvenBounds, Window};

impl Worker<'_> {
    /// The value of the current position, `ply` plies below the root, searched `depth`
    /// plies deep: exact inside the window, otherwise a bound. In a `cut_node` a null
    /// window is expected to fail high.
    pub fn negamax<N: NodeType>(
        &mut self,
        mut window: Window,
        mut depth: i32,
        cut_node: bool,
        ply: usize,
    ) -> Searched {
        // Step 1. Quiescence at the horizon, unless the principal variation follows a
        // proven mate.
        if depth <= 0 {
            let entry = if N::PV { self.tt().probe_position(&self.line.position) } else { None };
            if entry.and_then(|entry| self.proven_mate(entry, ply)).is_none() {
                return self.quiescence::<N>(window, 0, ply);
            }
            depth = 1;
        }
        self.enter::<N>(ply)?;

        // Step 2. Draws, solved endings, the longest line, and mates that are too long.
        if !N::ROOT
            && let Some(score) = self.settle(&mut window, ply)
        {
            return Ok(score);
        }

        self.line.stack[ply].in_check = self.line.position.in_check();
        let (entry, mut place) = self.tt().look_up(&self.line.position);
        let excluded = self.line.stack[ply].excluded;
        let mut proven = ProvenBounds::NONE;
        if !N::ROOT && excluded.is_none() {
            // Step 3. The transposition table.
            if let Some(score) =
                self.apply_tt_entry::<N>(entry, depth, ply, &mut window, &mut proven)
            {
                self.update_from_tt_cutoff(entry, depth, window.beta, ply);
                return self.end_node(depth, NodeEnd::TableCutoff, score);
            }

            // Step 4. Syzygy tables.
            if let Some(score) = self.apply_syzygy::<N>(depth, ply, &mut window, &mut proven) {
                return Ok(score);
            }
        }

        // Step 5. The static evaluation and the other facts of the node.
        if excluded.is_none() {
            place = self.evaluate_node(entry, place, ply);
            self.update_from_evaluation(ply);
        }
        self.begin_frame::<N>(entry, ply);
        let mut node = self.node::<N>(entry, depth, cut_node, ply);

        if let Some(eval) = self.eval_for_pruning::<N>(&node) {
            // Step 6. Reverse futility pruning.
            let before = self.line.stack.before(ply, 1).stat_score;
            if let Some(score) = reverse_futility(&node, eval, before, window.beta) {
                return self.end_node(depth, NodeEnd::ReverseFutility, score);
            }

            // Step 7. Razoring.
            if let Some(score) = self.razor(&node, eval, window.alpha)? {
                return self.end_node(depth, NodeEnd::Razoring, score);
            }

            // Step 8. Null-move pruning.
            if let Some(score) = self.null_move(&node, eval, window.beta)? {
                return self.end_node(depth, NodeEnd::NullMove, score);
            }

            // Step 9. ProbCut.
            if let Some(score) = self.probcut(&node, eval, window.beta)? {
                return self.end_node(depth, NodeEnd::ProbCut, score);
            }
        }

        // Step 10. ProbCut in check.
        if let Some(score) = self.probcut_in_check::<N>(&node, window.beta) {
            return self.end_node(depth, NodeEnd::ProbCut, score);
        }

        // Step 11. Internal iterative reduction.
        node.depth -= self.internal_iterative_reduction::<N>(&node);
        if node.depth <= 0 {
            return Ok(proven.clamp(self.quiescence::<N>(window, 0, ply)?));
        }

        // Step 12. The moves, the most promising first.
        let checks = CheckInfo::new(&self.line.position);
        let previous = self.line.stack.continuation_rows(ply);
        let mut picker = Picker::new(&self.line.position, node.tt_move, self.refutations(ply));
        let mut searched = SearchedMoves::default();
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut number = 0;
        while let Some(m) = picker.next(&self.line.position, &self.memory.history, &previous) {
            if excluded == Some(m) || N::ROOT && !self.root.is_open(m) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_currmove(m, self.root.index + number);
            }
            let history = &self.memory.history;
            let candidate =
                Candidate::new(&self.line.position, history, &previous, &checks, m, number);
            let base = self.base_reduction::<N>(&node, number, window);

            // Step 13. Pruning of moves that are unlikely to raise alpha.
            let alpha = window.alpha;
            if self.prunes_move::<N>(&node, &candidate, alpha, best_score, base, &mut picker) {
                continue;
            }

            // Step 14. Extensions.
            self.line.stack[ply].number = number;
            let depth_before = node.depth;
            let extension = match self.extension::<N>(&mut node, &candidate, window)? {
                Extension::Plies(plies) => plies,
                Extension::MultiCut(score) => {
                    return self.end_node(depth, NodeEnd::MultiCut, score);
                }
            };
            let nodes_before = self.nodes();
            self.line.stack[ply].stat_score = candidate.stat_score();
            self.line.stack[ply].double_extensions =
                self.line.stack.before(ply, 1).double_extensions + i32::from(extension >= 2);
            self.make(m, ply);

            // Step 15. Late move reduction.
            let reduction = self.reduction::<N>(&node, &candidate, base);

            // Step 16. The search of the move.
            let plan = Plan { depth: depth_before - 1 + extension, reduction, best_score };
            let score = self.search_move::<N>(&node, &candidate, window, plan)?;
            self.line.position.unmake();

            // Step 17. A new best move, perhaps a cutoff.
            if N::ROOT {
                self.record_root_move(m, score, window, number == 1, nodes_before);
            }
            if score > best_score {
                best_score = score;
                if score > window.alpha {
                    best_move = Some(m);
                    window.alpha = score;
                    if N::PV {
                        self.line.pv.update(ply, m);
                    }
                    if score >= window.beta {
                        break;
                    }
                    node.depth -= self.after_raised_alpha::<N>(node.depth, score);
                }
            }
            if best_move != Some(m) {
                searched.push(m);
            }
        }

        // Step 18. Mate or stalemate, or no move but the excluded one.
        if number == 0 {
            let excluded = excluded.map(|_| window.alpha);
            return Ok(excluded.unwrap_or_else(|| self.score_without_moves(ply)));
        }

        // Step 19. The bound of the score, and the histories. What was proven before the
        // search still holds.
        best_score = proven.clamp(best_score);
        let bound = match best_move {
            _ if best_score >= window.beta => Bound::Lower,
            Some(_) if N::PV => Bound::Exact,
            // Raised by what was proven.
            None if best_score > window.alpha => Bound::Lower,
            _ => Bound::Upper,
        };
        self.update_from_result::<N>(&node, best_move, bound, best_score, window, &searched);
        if excluded.is_some() {
            if best_score <= window.alpha && self.inherits_pv(&node) {
                self.line.stack[ply].was_pv = true;
            }
            return Ok(best_score);
        }

        // Step 20. The correction history and the transposition table. A root search of some
        // of the moves has no result for the position.
        if !N::ROOT || self.root.compares_all() {
            self.update_correction(&node, best_score, bound, best_move);
            let eval = self.line.stack[ply].raw_eval;
            let pv = node.was_pv
                || best_score <= window.alpha && best_move.is_none() && self.inherits_pv(&node);
            let depth = node.depth;
            let data = TtData { depth, bound, score: best_score, eval, best: best_move, pv };
            self.tt().store_at(place, self.line.position.key(), ply, data);
        }
        self.end_node(depth, NodeEnd::after_moves(bound, number, searched.len()), best_score)
    }

    /// Prepares the frames of the node at `ply` and of its grandchildren.
    #[inline]
    fn begin_frame<N: NodeType>(&mut self, entry: Option<TtEntry>, ply: usize) {
        let double_extensions = self.line.stack.before(ply, 1).double_extensions;
        let frame = &mut self.line.stack[ply];
        if frame.excluded.is_none() {
            frame.was_pv = N::PV || entry.is_some_and(|entry| entry.pv);
            frame.tt_hit = entry.is_some();
        }
        frame.double_extensions = double_extensions;
        // Killers are shared by cousins. The children reduce their moves by the cutoffs of
        // the grandchildren from now on.
        self.line.stack[ply + 2].killers = [None; 2];
        self.line.stack[ply + 2].cutoffs = 0;
    }

    /// The facts of the node at `ply`, whose frame is prepared.
    #[inline]
    fn node<N: NodeType>(
        &self,
        entry: Option<TtEntry>,
        depth: i32,
        cut_node: bool,
        ply: usize,
    ) -> Node {
        let tt_move =
            if N::ROOT { Some(self.root.current().m) } else { entry.and_then(|entry| entry.best) };
        Node {
            ply,
            depth,
            cut_node,
            entry,
            tt_move,
            was_pv: self.line.stack[ply].was_pv,
            excluded: self.line.stack[ply].excluded,
            improvement: self.improvement(ply),
            likely_fail_low: N::PV
                && entry.is_some_and(|entry| {
                    entry.best.is_some()
                        && entry.bound != Bound::Lower
                        && i32::from(entry.depth) >= depth
                }),
            singular_quiet: false,
        }
    }

    /// The quiet moves to try before the others: in check, where few moves are legal, none.
    #[inline]
    fn refutations(&self, ply: usize) -> Refutations {
        if self.line.position.in_check() {
            return [None; 3];
        }
        let [first, second] = self.line.stack[ply].killers;
        let before = self.line.stack.before(ply, 1).piece_to;
        [first, second, self.memory.history.counter.get(before)]
    }

    /// Whether a node that fails low takes over from its parent that it once was part of a
    /// principal variation (as in Stockfish).
    #[inline]
    fn inherits_pv(&self, node: &Node) -> bool {
        node.depth > 3 && self.line.stack.before(node.ply, 1).was_pv
    }

    /// Whether a move is late enough to be reduced.
    #[inline]
    fn is_late<N: NodeType>(&self, node: &Node, candidate: &Candidate) -> bool {
        let before = self.line.stack.before(node.ply, 1).number;
        self.selective()
            && node.depth >= 2
            && candidate.number > 1 + usize::from(N::PV && node.ply <= 1)
            && (!node.was_pv || candidate.quiet || node.cut_node && before > 1)
    }

    /// The score of the move of the node that was just made.
    fn search_move<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        window: Window,
        plan: Plan,
    ) -> Searched {
        let Plan { mut depth, mut reduction, best_score } = plan;
        let &Node { ply, cut_node, .. } = node;
        let first = candidate.number == 1;
        if N::PV {
            // A move that reaches beta in its null window has no line.
            self.line.pv.clear(ply + 1);
        }
        let null = Window::null_above(window.alpha);
        let mut score = Score::ZERO;
        if self.is_late::<N>(node, candidate) {
            let reduced = (depth - reduction).clamp(1, (depth + 1).max(1));
            score = -self.negamax::<NonPv>(-null, reduced, true, ply + 1)?;
            let raises_alpha = score > window.alpha;
            self.count(depth + 1, |counts| counts.add_late_move(depth - reduced, raises_alpha));
            if raises_alpha && reduced < depth {
                let much_deeper = score > window.alpha + Score::new(p::lmr_much_deeper())
                    && self.line.stack[ply].double_extensions <= 6;
                self.line.stack[ply].double_extensions += i32::from(much_deeper);
                depth = research_depth(depth, reduced, score, best_score) + i32::from(much_deeper);
                if reduced < depth {
                    score = -self.negamax::<NonPv>(-null, depth, !cut_node, ply + 1)?;
                }
                self.update_after_research(ply, depth, score, window);
            }
        } else if !N::PV || !first {
            // Without a move from the transposition table a cut node is reduced more.
            reduction += 2 * i32::from(cut_node && node.tt_move.is_none());
            let less = i32::from(self.selective() && reduction > 3);
            score = -self.negamax::<NonPv>(-null, depth - less, !cut_node, ply + 1)?;
        }
        // Only an open window returns the exact score and the line.
        if N::PV && (first || score > window.alpha && (N::ROOT || score < window.beta)) {
            score = -self.negamax::<Pv>(-window, depth, false, ply + 1)?;
        }
        Ok(score)
    }
}

/// How to search a move.
struct Plan {
    /// In plies, before the reduction.
    depth: i32,
    /// In plies, perhaps negative.
    reduction: i32,
    /// The best score of the moves before it.
    best_score: Score,
}

#[cfg(test)]
mod tests;
