//! What a node adds to the histories.

use crate::chess::Move;
use crate::eval::Score;
use crate::search::ordering::history::PieceTo;
use crate::search::params as p;
use crate::search::thread::worker::Worker;
use crate::search::tree::node::{Node, NodeType};
use crate::search::tt::entry::{Bound, TtEntry};
use crate::search::window::Window;
use crate::util::array_list::ArrayList;

/// Moves of one node that get a malus if another was better; more are ignored.
type MoveGroup = ArrayList<Move, 64>;

/// The moves of a node that were searched and did not raise alpha.
#[derive(Default)]
pub struct SearchedMoves {
    quiets: MoveGroup,
    noisy: MoveGroup,
}

impl SearchedMoves {
    #[inline]
    pub fn push(&mut self, m: Move) {
        let group = if m.is_quiet() { &mut self.quiets } else { &mut self.noisy };
        group.try_push(m);
    }

    /// The number of moves, without the ones that are ignored.
    pub fn len(&self) -> usize {
        self.quiets.len() + self.noisy.len()
    }
}

/// The bonus of a good move: larger for a deeper search.
#[inline]
fn bonus(depth: i32) -> i32 {
    (p::bonus_slope() * depth - p::bonus_offset()).min(p::bonus_max())
}

impl Worker<'_> {
    /// Updates all histories of a quiet move at `ply`.
    fn update_quiet(&mut self, ply: usize, m: Move, bonus: i32) {
        let us = self.line.position.side_to_move();
        let piece_to = PieceTo::of(&self.line.position, m);
        self.memory.history.quiet.update_butterfly(us, m, bonus);
        self.update_continuation(ply, piece_to, bonus);
    }

    /// Makes a quiet move a killer and the counter of the move before it.
    fn store_refutation(&mut self, ply: usize, m: Move) {
        self.line.stack[ply].add_killer(m);
        let before = self.line.stack.before(ply, 1).piece_to;
        self.memory.history.counter.set(before, m);
    }

    /// Updates the continuation histories of a move at `ply`.
    fn update_continuation(&mut self, ply: usize, piece_to: PieceTo, bonus: i32) {
        let previous = self.line.stack.continuation_rows(ply);
        let in_check = self.line.stack[ply].in_check;
        self.memory.history.quiet.update_continuation(previous, in_check, piece_to, bonus);
    }

    /// Updates the continuation histories of the move that was made at `ply`.
    fn update_continuation_of_made(&mut self, ply: usize, bonus: i32) {
        self.update_continuation(ply, self.line.stack[ply].piece_to, bonus);
    }

    /// Whether the move before the one at `ply` was quiet. At the root there is none.
    fn quiet_before(&self, ply: usize) -> bool {
        self.line.stack.before(ply, 1).current.is_some_and(Move::is_quiet)
    }

    /// Updates the histories by an entry of the transposition table that ends the node at
    /// `ply` (as in Stockfish).
    pub fn update_from_tt_cutoff(
        &mut self,
        entry: Option<TtEntry>,
        depth: i32,
        beta: Score,
        ply: usize,
    ) {
        let Some(entry) = entry.filter(|_| self.selective()) else { return };
        let Some(m) = entry.best else { return };
        if entry.score(ply) >= beta {
            if m.is_quiet() {
                self.store_refutation(ply, m);
                self.update_quiet(ply, m, bonus(depth));
            }
            if self.line.stack.before(ply, 1).number <= 2 && self.quiet_before(ply) {
                self.update_continuation_of_made(ply - 1, -bonus(depth + 1));
            }
        } else if m.is_quiet() {
            self.update_quiet(ply, m, -bonus(depth));
        }
    }

    /// Updates the histories after the moves of a node were searched.
    #[inline]
    pub fn update_from_result<N: NodeType>(
        &mut self,
        node: &Node,
        best: Option<Move>,
        bound: Bound,
        best_score: Score,
        window: Window,
        searched: &SearchedMoves,
    ) {
        match best {
            Some(best) => {
                if bound == Bound::Lower {
                    self.line.stack[node.ply].cutoffs += 1 + i32::from(node.tt_move.is_none());
                }
                self.update_from_best(node, best, best_score, window.beta, searched);
            }
            None if bound == Bound::Upper => {
                self.update_from_fail_low::<N>(node, best_score, window.alpha);
            }
            None => {}
        }
    }

    /// The move `best` raised alpha, the ones searched did not.
    fn update_from_best(
        &mut self,
        node: &Node,
        best: Move,
        score: Score,
        beta: Score,
        searched: &SearchedMoves,
    ) {
        let ply = node.ply;
        let large = bonus(node.depth + 1);
        if best.is_quiet() {
            let bonus = if score > beta + Score::new(p::bonus_margin()) {
                large
            } else {
                bonus(node.depth)
            };
            self.store_refutation(ply, best);
            self.update_quiet(ply, best, bonus);
            for &m in &searched.quiets {
                self.update_quiet(ply, m, -bonus);
            }
        } else {
            self.memory.history.capture.update(&self.line.position, best, large);
        }
        // A quiet move before this node that was expected to be good is refuted.
        let before = self.line.stack.before(ply, 1);
        let early = before.number == 1 + usize::from(before.tt_hit)
            || before.current.is_some() && before.current == before.killers[0];
        if early && self.quiet_before(ply) {
            self.update_continuation_of_made(ply - 1, -large);
        }
        for &m in &searched.noisy {
            self.memory.history.capture.update(&self.line.position, m, -large);
        }
    }

    /// No move raised alpha: the quiet move before this node refuted them all (as in
    /// Stockfish).
    fn update_from_fail_low<N: NodeType>(&mut self, node: &Node, score: Score, alpha: Score) {
        if !self.quiet_before(node.ply) {
            return;
        }
        let times = i32::from(node.depth > 5)
            + i32::from(N::PV || node.cut_node)
            + i32::from(score < alpha - Score::new(p::prior_margin() * node.depth))
            + i32::from(self.line.stack.before(node.ply, 1).number > 12);
        self.update_continuation_of_made(node.ply - 1, bonus(node.depth) * times);
    }

    /// Updates the continuation histories of the move at `ply` that was searched again to
    /// `depth` with `score`.
    pub fn update_after_research(&mut self, ply: usize, depth: i32, score: Score, window: Window) {
        let bonus = if score <= window.alpha {
            -bonus(depth)
        } else if score >= window.beta {
            bonus(depth)
        } else {
            return;
        };
        self.update_continuation_of_made(ply, bonus);
    }

    /// Updates the butterfly history of the quiet move before this node by what it
    /// changed in the static evaluation: the sum of the evaluations before and after it,
    /// each from the view of its side to move (as in Stockfish).
    pub fn update_from_evaluation(&mut self, ply: usize) {
        let before = self.line.stack.before(ply, 1);
        if let Some(m) = before.current.filter(|m| self.selective() && m.is_quiet())
            && let Some(theirs) = before.eval
            && let Some(ours) = self.line.stack[ply].eval
        {
            let gain = -(ours + theirs).cp();
            let bonus =
                (gain * p::eval_bonus() / 100).clamp(-p::eval_bonus_max(), p::eval_bonus_max());
            let mover = !self.line.position.side_to_move();
            self.memory.history.quiet.update_butterfly(mover, m, bonus);
        }
    }

    /// Updates the correction history by the difference between the score of the search
    /// and the static evaluation, unless the best move is a capture or the bound leaves
    /// the difference open.
    pub fn update_correction(
        &mut self,
        node: &Node,
        score: Score,
        bound: Bound,
        best: Option<Move>,
    ) {
        let frame = &self.line.stack[node.ply];
        let Some(eval) = frame.eval.filter(|eval| !eval.is_decisive()) else { return };
        if best.is_none_or(Move::is_quiet) && bound.improves_on(score, eval) {
            let previous = self.line.stack.previous_moves(node.ply);
            let error = (score - eval).cp();
            self.memory.history.correction.update(&self.line.position, previous, node.depth, error);
        }
    }
}
