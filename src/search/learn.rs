//! What a finished node teaches the histories.

use arrayvec::ArrayVec;

use crate::chess::Move;
use crate::eval::Score;
use crate::search::history::Context;
use crate::search::params::{
    bonus_max, bonus_offset, bonus_slope, eval_bonus, eval_bonus_max, malus_max, malus_offset,
    malus_slope, prior_bonus,
};
use crate::search::tt::Bound;
use crate::search::worker::Worker;

/// Moves of one node that a cutoff may find guilty; those beyond go free.
type Tried = ArrayVec<Move, 64>;

/// The moves of a node that were searched and failed.
#[derive(Default)]
pub(super) struct Failed {
    quiets: Tried,
    noisy: Tried,
}

impl Failed {
    #[inline]
    pub fn push(&mut self, m: Move) {
        let list = if m.is_quiet() { &mut self.quiets } else { &mut self.noisy };
        let _ = list.try_push(m);
    }
}

/// What a success at `depth` teaches: more, the more work it saved.
#[inline]
fn bonus(depth: i32) -> i32 {
    (bonus_slope() * depth - bonus_offset()).clamp(0, bonus_max())
}

/// What a failure teaches.
#[inline]
fn malus(depth: i32) -> i32 {
    -(malus_slope() * depth - malus_offset()).clamp(0, malus_max())
}

impl Worker<'_> {
    /// The move `best` caused a cutoff, the others before it did not.
    pub(super) fn learn_from_cutoff(
        &mut self,
        context: &Context,
        best: Move,
        failed: &Failed,
        depth: i32,
        ply: usize,
    ) {
        let history = &mut self.memory.history;
        if best.is_quiet() {
            self.stack[ply].add_killer(best);
            history.quiet.update(&self.position, context, best, bonus(depth));
            for &m in &failed.quiets {
                history.quiet.update(&self.position, context, m, malus(depth));
            }
        } else {
            history.capture.update(&self.position, best, bonus(depth));
        }
        for &m in &failed.noisy {
            history.capture.update(&self.position, m, malus(depth));
        }
    }

    /// No move raised alpha: the quiet move before this node refuted them all.
    pub(super) fn learn_from_fail_low(&mut self, depth: i32, ply: usize) {
        let before = self.stack.before(ply, 1);
        if !before.current.is_some_and(Move::is_quiet) {
            return;
        }
        let earlier = self.stack.played(ply, [2, 3, 5]);
        let bonus = bonus(depth) * prior_bonus() / 100;
        self.memory.history.quiet.update_continuation(earlier, before.played, bonus);
    }

    /// What a quiet move did to the evaluation is known at once, before any search
    /// of it: both sides' views of the positions around it add up to that.
    pub(super) fn learn_from_evaluation(&mut self, ply: usize) {
        let before = self.stack.before(ply, 1);
        if let Some(m) = before.current.filter(|m| m.is_quiet())
            && let Some(theirs) = before.eval
            && let Some(ours) = self.stack[ply].eval
        {
            let gain = -(ours + theirs).cp();
            let bonus = (gain * eval_bonus() / 100).clamp(-eval_bonus_max(), eval_bonus_max());
            let (mover, attacked) = (!self.position.side_to_move(), before.attacked);
            self.memory.history.quiet.update_butterfly(mover, attacked, m, bonus);
        }
    }

    /// The static evaluation is compared with what the search found, where the
    /// two can be compared: no captures, and no bound that says nothing.
    pub(super) fn learn_from_error(
        &mut self,
        score: Score,
        bound: Bound,
        best: Option<Move>,
        depth: i32,
        ply: usize,
    ) {
        let frame = &self.stack[ply];
        let Some(eval) = frame.eval.filter(|eval| !eval.is_decisive()) else { return };
        if best.is_none_or(Move::is_quiet) && bound.says_more(score, eval) {
            let before = self.stack.played(ply, [1, 2]);
            let error = (score - eval).cp();
            self.memory.history.correction.update(&self.position, before, depth, error);
        }
    }
}
