//! The node: principal variation search in its negamax form.
//!
//! The first move of a node is expected to be the best. It is searched with
//! the whole window; the others need only be shown not to be better, with a
//! null window and, when ordered late, to a reduced depth. One that surprises
//! is searched again (T. Marsland and M. Campbell, "Parallel search of
//! strongly ordered game trees", 1982). The search is fail-soft.

use arrayvec::ArrayVec;

use crate::chess::Move;
use crate::eval::Score;
use crate::search::MAX_PLY;
use crate::search::node::{NodeType, NonPv, Pv};
use crate::search::params::{FIFTY_MOVE_CAUTION, LMR_DEPTH, LMR_MOVE};
use crate::search::picker::Picker;
use crate::search::prune::{null_move_depth, null_move_may_be_tried, reverse_futility};
use crate::search::reduce::LateMove;
use crate::search::tt::{Bound, Entry, Finding};
use crate::search::window::Window;
use crate::search::worker::{Searched, Stopped, Worker};

/// Quiet moves of one node that a cutoff may find guilty; those beyond go free.
type TriedQuiets = ArrayVec<Move, 64>;

impl Worker<'_> {
    /// The value of the current position, `ply` plies below the root, searched
    /// `depth` plies deep. Exact inside the window, otherwise a bound.
    pub(super) fn negamax<N: NodeType>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Searched {
        // Step 1. At the horizon only captures go on.
        if depth <= 0 {
            return self.quiescence::<N>(window, ply);
        }
        self.enter::<N>(ply)?;

        // Step 2. Draws, and the longest line.
        if !N::ROOT && self.position.is_draw(ply) {
            return Ok(Score::DRAW);
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY {
            return Ok(if in_check { Score::DRAW } else { self.evaluate(ply) });
        }

        // Step 3. Mate-distance pruning: a mate already found is not improved
        // upon by a longer one.
        let Window { mut alpha, mut beta } = window;
        if !N::ROOT {
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return Ok(alpha);
            }
        }

        // Step 4. What the transposition table knows. A line of the principal
        // variation is never cut short by it.
        let entry = self.tt.probe(self.position.key());
        if !N::PV
            && let Some(score) = self.table_cutoff(entry, depth, beta, ply)
        {
            return Ok(score);
        }
        let tt_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].m)
        } else {
            entry.and_then(|entry| entry.best)
        };

        // Step 5. The static evaluation, and whether it is rising.
        let eval = self.static_eval(entry, ply);
        self.stack[ply].eval = eval;
        self.stack[ply + 1].killers = [None; 2];
        let improving = self.is_improving(ply);

        if !N::PV
            && let Some(eval) = eval
        {
            let eval = refined(eval, entry, ply);

            // Step 6. Reverse futility pruning.
            if let Some(score) = reverse_futility(depth, eval, beta, improving) {
                return Ok(score);
            }

            // Step 7. Null-move pruning, not twice in a row.
            if self.stack[ply - 1].current.is_some()
                && null_move_may_be_tried(&self.position, depth, eval, beta)
            {
                let depth = null_move_depth(depth, eval, beta);
                let score = self.pass_the_turn(Window::below(beta), depth, ply)?;
                if score >= beta {
                    // A mate found with an extra move for one side is not one.
                    return Ok(if score.is_mate() { beta } else { score });
                }
            }
        }

        // Step 8. The moves, the likely best first.
        let us = self.position.side_to_move();
        let killers = self.stack[ply].killers;
        let mut picker = Picker::new(&self.position, tt_move, killers);
        let mut quiets = TriedQuiets::new();
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut number = 0;

        while let Some(m) = picker.next(&self.position, &self.memory.history) {
            if N::ROOT {
                if !self.is_open_root_move(m) {
                    continue;
                }
                self.announce(m, number + 1);
            }
            number += 1;
            let history = if m.is_quiet() { self.memory.history.quiet(us, m) } else { 0 };

            self.make(m, ply);

            // Step 9. Check extension.
            let gives_check = self.position.in_check();
            let extension = i32::from(gives_check && ply < 2 * usize::from(self.depth));
            let new_depth = depth - 1 + extension;

            // Step 10. Late move reduction.
            let is_late = depth >= LMR_DEPTH && number > LMR_MOVE;
            let reduction = if is_late && (m.is_quiet() || picker.is_past_quiets()) {
                let late = LateMove {
                    depth,
                    number,
                    pv: N::PV,
                    improving,
                    quiet: m.is_quiet(),
                    killer: killers.contains(&Some(m)),
                    gives_check,
                    history,
                };
                self.memory.reductions.of(&late).min(new_depth - 1).max(0)
            } else {
                0
            };

            // Step 11. The search of the move.
            let window = Window::new(alpha, beta);
            let score = self.search_move::<N>(window, new_depth, reduction, number == 1, ply)?;
            self.position.unmake();

            // Step 12. A new best move, perhaps a cutoff.
            if N::ROOT {
                self.record_root_move(m, score, window, number == 1);
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(m);
                    alpha = score;
                    if N::PV {
                        self.pv.raise(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
            if m.is_quiet() {
                let _ = quiets.try_push(m);
            }
        }

        // Step 13. Mate or stalemate.
        if number == 0 {
            return Ok(self.score_without_moves(ply));
        }

        // Step 14. The quiet move that cut off is remembered.
        if best_score >= beta
            && let Some(m) = best_move.filter(|m| m.is_quiet())
        {
            self.stack[ply].add_killer(m);
            self.memory.history.reward(us, m, &quiets, depth);
        }

        // Step 15. So is the result. Further lines of the root would shadow the
        // best one, and are not stored.
        if !N::ROOT || self.pv_index == 0 {
            let bound = match best_move {
                _ if best_score >= beta => Bound::Lower,
                Some(_) if N::PV => Bound::Exact,
                _ => Bound::Upper,
            };
            let found = Finding { depth, bound, score: best_score, eval, best: best_move };
            self.tt.store(self.position.key(), ply, found);
        }
        Ok(best_score)
    }

    /// Counts the node and begins an empty line.
    #[inline]
    pub(super) fn enter<N: NodeType>(&mut self, ply: usize) -> Result<(), Stopped> {
        self.count_node()?;
        if N::PV {
            self.pv.clear(ply);
            self.seldepth = self.seldepth.max(ply);
        }
        Ok(())
    }

    /// The score with which an entry of the table ends a node. Near a draw by
    /// the fifty-move rule it is not trusted: it may come from a position that
    /// had more moves left.
    #[inline]
    pub(super) fn table_cutoff(
        &self,
        entry: Option<Entry>,
        depth: i32,
        beta: Score,
        ply: usize,
    ) -> Option<Score> {
        let entry = entry.filter(|entry| i32::from(entry.depth) >= depth)?;
        let score = entry.score(ply);
        (entry.bound.decides(score, beta) && self.position.halfmove_clock() < FIFTY_MOVE_CAUTION)
            .then_some(score)
    }

    /// The static evaluation, from the table if it is there; none in check,
    /// where it would mean little.
    #[inline]
    pub(super) fn static_eval(&self, entry: Option<Entry>, ply: usize) -> Option<Score> {
        if self.position.in_check() {
            return None;
        }
        Some(entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(ply)))
    }

    /// Whether the side to move stands better than at its last move.
    fn is_improving(&self, ply: usize) -> bool {
        let before = if ply >= 2 { self.stack[ply - 2].eval } else { None };
        self.stack[ply].eval.is_some_and(|now| before.is_none_or(|before| now > before))
    }

    /// The score, in a null window, when the side to move does nothing.
    fn pass_the_turn(&mut self, window: Window, depth: i32, ply: usize) -> Searched {
        self.make_null(ply);
        let score = -self.negamax::<NonPv>(-window, depth, ply + 1)?;
        self.position.unmake();
        Ok(score)
    }

    /// The score of the move that was just made at `ply`.
    fn search_move<N: NodeType>(
        &mut self,
        window: Window,
        depth: i32,
        reduction: i32,
        first: bool,
        ply: usize,
    ) -> Searched {
        if N::PV && first {
            return Ok(-self.negamax::<Pv>(-window, depth, ply + 1)?);
        }
        let null = Window::above(window.alpha);
        let mut score = -self.negamax::<NonPv>(-null, depth - reduction, ply + 1)?;
        if score > window.alpha && reduction > 0 {
            score = -self.negamax::<NonPv>(-null, depth, ply + 1)?;
        }
        // Only an open window gives the exact score, and the line.
        if N::PV && score > window.alpha {
            score = -self.negamax::<Pv>(-window, depth, ply + 1)?;
        }
        Ok(score)
    }
}

/// The static evaluation, replaced by the table's score where that says more.
#[inline]
pub(super) fn refined(eval: Score, entry: Option<Entry>, ply: usize) -> Score {
    let Some(entry) = entry else { return eval };
    let score = entry.score(ply);
    let says_more = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if says_more && !score.is_mate() { score } else { eval }
}
