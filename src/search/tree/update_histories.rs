//! What a node adds to the histories.

use crate::chess::Move;
use crate::eval::Score;
use crate::search::ordering::history::HistoryContext;
use crate::search::params as p;
use crate::search::thread::worker::Worker;
use crate::search::tree::node::Node;
use crate::search::tt::entry::Bound;
use crate::util::array_list::ArrayList;

/// Moves of one node that get a malus after a cutoff; more are ignored.
type MoveGroup = ArrayList<Move, 64>;

/// The moves of a node that were searched and caused no cutoff.
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
    (p::bonus_slope() * depth - p::bonus_offset()).clamp(0, p::bonus_max())
}

/// The malus of a bad move.
#[inline]
fn malus(depth: i32) -> i32 {
    -(p::malus_slope() * depth - p::malus_offset()).clamp(0, p::malus_max())
}

impl Worker<'_> {
    /// Updates the histories after the moves of a node were searched.
    #[inline]
    pub fn update_from_result(
        &mut self,
        node: &Node,
        context: &HistoryContext,
        best: Option<Move>,
        bound: Bound,
        searched: &SearchedMoves,
    ) {
        match best {
            Some(best) if bound == Bound::Lower => {
                self.line.stack[node.ply].cutoffs += 1;
                self.update_from_cutoff(node, context, best, searched);
            }
            None => self.update_from_fail_low(node),
            Some(_) => {}
        }
    }

    /// The move `best` caused a cutoff, the ones searched before it did not.
    fn update_from_cutoff(
        &mut self,
        node: &Node,
        context: &HistoryContext,
        best: Move,
        searched: &SearchedMoves,
    ) {
        let history = &mut self.memory.history;
        let (bonus, malus) = (bonus(node.depth), malus(node.depth));
        if best.is_quiet() {
            self.line.stack[node.ply].add_killer(best);
            history.quiet.update(&self.line.position, context, best, bonus);
            for &m in &searched.quiets {
                history.quiet.update(&self.line.position, context, m, malus);
            }
        } else {
            history.capture.update(&self.line.position, best, bonus);
        }
        for &m in &searched.noisy {
            history.capture.update(&self.line.position, m, malus);
        }
    }

    /// No move raised alpha: the quiet move before this node refuted them all (as in
    /// Stockfish).
    fn update_from_fail_low(&mut self, node: &Node) {
        let before = self.line.stack.before(node.ply, 1);
        if !before.current.is_some_and(Move::is_quiet) {
            return;
        }
        let earlier = self.line.stack.previous_moves(node.ply, [2, 3, 5]);
        let bonus = bonus(node.depth) * p::prior_bonus() / 100;
        self.memory.history.quiet.update_continuation(earlier, before.piece_to, bonus);
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
            let (mover, attacked) = (!self.line.position.side_to_move(), before.attacked);
            self.memory.history.quiet.update_butterfly(mover, attacked, m, bonus);
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
            let previous = self.line.stack.previous_moves(node.ply, [1, 2]);
            let error = (score - eval).cp();
            self.memory.history.correction.update(&self.line.position, previous, node.depth, error);
        }
    }
}
