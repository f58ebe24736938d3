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
use crate::search::ordering::picker::Picker;
use crate::search::params as p;
use crate::search::statistics::NodeEnd;
use crate::search::thread::worker::{Searched, Worker};
use crate::search::tree::extend::Extension;
use crate::search::tree::node::{Candidate, Node, NodeType, NonPv, Pv};
use crate::search::tree::prune::reverse_futility;
use crate::search::tree::reduce::{after_raised_alpha, research_depth};
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
                return self.quiescence::<N>(window, depth, ply);
            }
            depth = 1;
        }
        self.enter::<N>(ply)?;

        if !N::ROOT {
            // Step 2. Draws, solved endings, the longest line.
            if let Some(score) = self.leaf_score(ply) {
                return Ok(score);
            }

            // Step 3. A side that can repeat a position has at least a draw.
            window.alpha = self.alpha_with_repetition(window.alpha, ply);

            // Step 4. Mate-distance pruning: a longer mate than the one already found
            // does not matter (Chess Programming Wiki, "Mate Distance Pruning").
            window.alpha = window.alpha.max(Score::mated_in(ply));
            window.beta = window.beta.min(Score::mate_in(ply + 1));
            if window.alpha >= window.beta {
                return Ok(window.alpha);
            }
        }

        let (entry, mut place) = self.tt().look_up(&self.line.position);
        let excluded = self.line.stack[ply].excluded;
        let mut proven = ProvenBounds::NONE;
        if !N::ROOT && excluded.is_none() {
            // Step 5. The transposition table.
            if let Some(score) =
                self.apply_tt_entry::<N>(entry, depth, ply, &mut window, &mut proven)
            {
                return self.end_node(depth, NodeEnd::TableCutoff, score);
            }

            // Step 6. Syzygy tables.
            if let Some(score) = self.apply_syzygy::<N>(depth, ply, &mut window, &mut proven) {
                return Ok(score);
            }
        }

        // Step 7. The static evaluation and the other facts of the node.
        if excluded.is_none() {
            place = self.evaluate_node(entry, place, ply);
            self.update_from_evaluation(ply);
        }
        let mut node = self.node::<N>(entry, depth, cut_node, ply);
        if p::inherit_pv() == 1 && excluded.is_none() {
            self.line.stack[ply].was_pv = node.was_pv;
        }
        // Killers are shared by siblings, so that the children start without any. The
        // children reduce their moves by the cutoffs of the grandchildren from now on.
        self.line.stack[ply + 1].killers = [None; 2];
        self.line.stack[ply + 2].cutoffs = 0;

        if let Some(eval) = self.eval_for_pruning::<N>(&node) {
            // Step 8. Reverse futility pruning.
            let phase = self.phase(ply);
            if let Some(score) = reverse_futility(&node, eval, phase, window.beta) {
                return self.end_node(depth, NodeEnd::ReverseFutility, score);
            }

            // Step 9. Razoring.
            if let Some(score) = self.razor(&node, eval, window.alpha)? {
                return self.end_node(depth, NodeEnd::Razoring, score);
            }

            // Step 10. Null-move pruning.
            if let Some(score) = self.null_move(&node, eval, window.beta)? {
                return self.end_node(depth, NodeEnd::NullMove, score);
            }

            // Step 11. ProbCut.
            if let Some(score) = self.probcut(&node, eval, window.beta)? {
                return self.end_node(depth, NodeEnd::ProbCut, score);
            }
        }

        // Step 12. Internal iterative reduction.
        node.depth -= self.internal_iterative_reduction::<N>(&node);

        // Step 13. The moves, the most promising first.
        let checks = CheckInfo::new(&self.line.position);
        let context = self.line.history_context(ply);
        self.line.stack[ply].attacked = context.threats.all;
        node.killers = self.line.stack[ply].killers;
        node.correction = self.line.stack[ply].correction();
        let mut picker = Picker::new(&self.line.position, node.tt_move, node.killers);
        let mut searched = SearchedMoves::default();
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut number = 0;
        while let Some(m) = picker.next(&self.line.position, &self.memory.history, &context) {
            if excluded == Some(m) || N::ROOT && !self.root.is_open(m) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_currmove(m, number);
            }
            let history = &self.memory.history;
            let score = picker.quiet_score();
            let candidate =
                Candidate::new(&self.line.position, history, &context, &checks, m, number, score);

            // Step 14. Pruning of moves that are unlikely to raise alpha.
            let alpha = window.alpha;
            if self.prunes_move::<N>(&node, &candidate, alpha, best_score, &mut picker) {
                continue;
            }

            // Step 15. Extensions.
            let extension = match self.extension::<N>(&node, &candidate, window)? {
                Extension::Plies(plies) => plies,
                Extension::MultiCut(score) => {
                    return self.end_node(depth, NodeEnd::MultiCut, score);
                }
            };
            let nodes_before = self.nodes();
            self.make(m, ply);
            self.line.stack[ply + 1].double_extensions =
                self.line.stack[ply].double_extensions + i32::from(extension >= 2);

            // Step 16. Late move reduction.
            let reduction = self.reduction::<N>(&node, &candidate);

            // Step 17. The search of the move.
            let plan = Plan { depth: node.depth - 1 + extension, reduction, cut_node, best_score };
            let score = self.search_move::<N>(window, plan, number == 1, ply)?;
            self.line.position.unmake();

            // Step 18. A new best move, perhaps a cutoff.
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
                    node.depth -= after_raised_alpha::<N>(node.depth, score);
                }
            }
            searched.push(m);
        }

        // Step 19. Mate or stalemate, or no move but the excluded one.
        if number == 0 {
            let excluded = excluded.map(|_| window.alpha);
            return Ok(excluded.unwrap_or_else(|| self.score_without_moves(ply)));
        }

        // Step 20. The bound of the score, and the histories. What was proven before the
        // search still holds.
        best_score = proven.clamp(best_score);
        let bound = match best_move {
            _ if best_score >= window.beta => Bound::Lower,
            Some(_) if N::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        self.update_from_result(&node, &context, best_move, bound, &searched);
        if excluded.is_some() {
            return Ok(best_score);
        }
        self.update_correction(&node, best_score, bound, best_move);

        // Step 21. The transposition table. A root search of some of the moves has no
        // result for the position.
        if !N::ROOT || self.root.compares_all() {
            let eval = self.line.stack[ply].raw_eval;
            let pv = node.was_pv || best_move.is_none() && self.inherits_pv(&node);
            let depth = node.depth;
            let data = TtData { depth, bound, score: best_score, eval, best: best_move, pv };
            self.tt().store_at(place, self.line.position.key(), ply, data);
        }
        self.end_node(depth, NodeEnd::after_moves(bound, number, searched.len()), best_score)
    }

    /// The facts of the node at `ply`, which has been evaluated.
    #[inline]
    fn node<N: NodeType>(
        &self,
        entry: Option<TtEntry>,
        depth: i32,
        cut_node: bool,
        ply: usize,
    ) -> Node {
        let position = &self.line.position;
        let tt_move =
            if N::ROOT { Some(self.root.current().m) } else { entry.and_then(|entry| entry.best) };
        Node {
            ply,
            depth,
            cut_node,
            entry,
            tt_move,
            was_pv: N::PV || entry.is_some_and(|entry| entry.pv),
            excluded: self.line.stack[ply].excluded,
            improving: self.is_improving(ply),
            has_mobile_piece: position.has_mobile_piece(position.side_to_move()),
            killers: [None; 2],
            correction: 0,
        }
    }

    /// Whether a node that fails low takes over from its parent that it once was part of a
    /// principal variation (as in Stockfish).
    #[inline]
    fn inherits_pv(&self, node: &Node) -> bool {
        p::inherit_pv() == 1 && node.depth > 3 && self.line.stack.before(node.ply, 1).was_pv
    }

    /// The score of the move that was just made at `ply`.
    fn search_move<N: NodeType>(
        &mut self,
        window: Window,
        plan: Plan,
        first: bool,
        ply: usize,
    ) -> Searched {
        let Plan { mut depth, reduction, cut_node, best_score } = plan;
        if N::PV && first {
            return Ok(-self.negamax::<Pv>(-window, depth, false, ply + 1)?);
        }
        let null = Window::null_above(window.alpha);
        let mut score;
        if let Some(reduction) = reduction {
            let reduced = (depth - reduction).clamp(1, (depth + p::lmr_ceiling()).max(1));
            score = -self.negamax::<NonPv>(-null, reduced, true, ply + 1)?;
            let raises_alpha = score > window.alpha;
            self.count(depth + 1, |counts| counts.add_late_move(depth - reduced, raises_alpha));
            if raises_alpha && reduced < depth {
                let phase = self.phase(ply);
                depth = research_depth(depth, score, best_score, phase);
                if reduced < depth {
                    score = -self.negamax::<NonPv>(-null, depth, !cut_node, ply + 1)?;
                }
            }
        } else {
            score = -self.negamax::<NonPv>(-null, depth, !cut_node, ply + 1)?;
        }
        // Only an open window returns the exact score and the line.
        if N::PV && score > window.alpha {
            score = -self.negamax::<Pv>(-window, depth, false, ply + 1)?;
        }
        Ok(score)
    }
}

/// How to search a move.
struct Plan {
    depth: i32,
    /// The reduction of a late move in plies, zero or negative for none.
    reduction: Option<i32>,
    cut_node: bool,
    /// The best score of the moves before it.
    best_score: Score,
}

#[cfg(test)]
mod tests;
