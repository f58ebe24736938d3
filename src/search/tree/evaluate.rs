//! The static evaluation of a node.

use crate::eval::Score;
use crate::search::params as p;
use crate::search::thread::worker::Worker;
use crate::search::tt::entry::TtEntry;
use crate::search::tt::table::TtPlace;

impl Worker<'_> {
    /// Puts the static evaluation on the stack, from the transposition table if it is
    /// there, and corrected by the correction history. In check there is none. Returns the
    /// place of the node in the table, which has the evaluation now.
    #[inline]
    pub fn evaluate_node<'t>(
        &mut self,
        entry: Option<TtEntry>,
        place: TtPlace<'t>,
        ply: usize,
    ) -> TtPlace<'t> {
        let raw = if self.line.position.in_check() {
            None
        } else {
            Some(entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(ply)))
        };
        let previous = self.line.stack.previous_moves(ply);
        let correction = &self.memory.history.correction;
        self.line.stack[ply].raw_eval = raw;
        self.line.stack[ply].eval = if self.selective() {
            raw.map(|raw| correction.corrected(&self.line.position, previous, raw).after(ply))
        } else {
            raw
        };
        match raw {
            Some(raw) if entry.is_none() => {
                self.tt().store_evaluation(place, self.line.position.key(), ply, raw)
            }
            _ => place,
        }
    }

    /// A static evaluation, replaced by the score of an entry where that is more
    /// accurate.
    #[inline]
    pub fn tt_adjusted_eval(&self, eval: Score, entry: Option<TtEntry>, ply: usize) -> Score {
        match entry {
            Some(entry) if self.selective() => entry.adjust(eval, ply),
            _ => eval,
        }
    }

    /// How much higher the static evaluation is than at the last move of the side to move, or
    /// at the move before if that was in check. A default if both were in check, or came before
    /// the root.
    pub fn improvement(&self, ply: usize) -> i32 {
        let Some(now) = self.line.stack[ply].eval else { return 0 };
        let earlier = |plies| self.line.stack.before(ply, plies).eval;
        earlier(2).or(earlier(4)).map_or(p::default_improvement(), |before| (now - before).cp())
    }
}
