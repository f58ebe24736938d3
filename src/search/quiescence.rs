//! Quiescence search: captures and promotions until nothing hangs, so that the
//! evaluation is asked only of quiet positions. At the horizon itself quiet
//! checks are tried too: what they threaten is not seen otherwise.

use crate::chess::see::see_at_least;
use crate::eval::Score;
use crate::search::MAX_PLY;
use crate::search::history::Context;
use crate::search::negamax::refined;
use crate::search::node::NodeType;
use crate::search::params::check_margin;
use crate::search::picker::Picker;
use crate::search::prune::hopeless_capture;
use crate::search::tt::{Bound, Finding};
use crate::search::window::Window;
use crate::search::worker::{Searched, Worker};

/// A depth at which no checks are tried.
pub(super) const BELOW_HORIZON: i32 = -1;

impl Worker<'_> {
    /// The value of the current position when only captures, promotions and
    /// answers to checks are played; at `depth` 0, and only there, quiet checks
    /// too.
    pub(super) fn quiescence<N: NodeType>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Searched {
        self.enter::<N>(ply)?;

        // Step 1. Draws, endings that are solved, stalemate where it is likely, and the
        // longest line.
        let Window { mut alpha, beta } = window;
        if self.position.is_draw(ply) {
            return Ok(self.draw_score());
        }
        if let Some(score) = self.solved(ply) {
            return Ok(score);
        }
        let in_check = self.position.in_check();
        let mover = self.position.side_to_move();
        let pawns_only = !self.position.has_non_pawn_material(mover);
        if pawns_only && self.position.is_stalemate() {
            return Ok(Score::DRAW);
        }
        if ply >= MAX_PLY {
            return Ok(if in_check { Score::DRAW } else { self.evaluate(ply) });
        }
        if alpha < Score::DRAW && self.may_repeat(ply) {
            alpha = self.draw_score().max(alpha);
            if alpha >= beta {
                return Ok(alpha);
            }
        }

        // Step 2. What the transposition table knows.
        let entry = self.tt.probe_position(&self.position);
        if let Some(mate) = entry.and_then(|entry| self.proved_mate(entry, ply)) {
            return Ok(mate);
        }
        if !N::PV
            && let Some(score) = self.table_cutoff(entry, 0, beta, ply)
        {
            return Ok(score);
        }

        // Step 3. Stand pat: nobody is forced to capture, except out of check.
        self.evaluate_node(entry, ply);
        let stand_pat = self.stack[ply]
            .eval
            .map(|eval| if self.selective { refined(eval, entry, ply) } else { eval });
        let mut best_score = stand_pat.unwrap_or(-Score::INFINITE);
        if best_score >= beta {
            return Ok(best_score);
        }
        alpha = alpha.max(best_score);

        // Step 4. All evasions of a check; otherwise captures and promotions, and
        // checks where they may matter.
        let tt_move = entry.and_then(|entry| entry.best);
        let context =
            if in_check { Context::new(&self.position, &self.stack, ply) } else { Context::NONE };
        let hopeful = best_score + Score::new(check_margin()) >= alpha;
        let checks = self.selective && depth == 0 && !in_check && hopeful;
        let mut picker = Picker::quiescence(&self.position, tt_move, checks);
        let mut best_move = None;
        while let Some(m) = picker.next(&self.position, &self.memory.history, &context) {
            if !self.selective || checks && m.is_quiet() {
                // Every move counts.
            } else if let Some(stand_pat) = stand_pat {
                // Step 5. Captures that cannot raise alpha, or that lose
                // material, are not tried.
                if let Some(score) = hopeless_capture(&self.position, m, stand_pat, alpha) {
                    best_score = best_score.max(score);
                    continue;
                }
                // The picker has weighed all but the table's move.
                let loses = Some(m) == tt_move && !see_at_least(&self.position, m, 0);
                if picker.is_past_quiets() || loses {
                    continue;
                }
            } else if best_score > -Score::KNOWN_WIN && (m.is_quiet() || picker.is_past_quiets()) {
                // One evasion that holds is enough; losing ones are left.
                break;
            }

            // Step 6. The search of the move.
            self.make(m, ply);
            let score = -self.quiescence::<N>(-Window::new(alpha, beta), depth - 1, ply + 1)?;
            self.position.unmake();
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
        }

        // Step 7. Mate: in check every move was looked at, and there was none.
        if in_check && best_score == -Score::INFINITE {
            return Ok(Score::mated_in(ply));
        }

        // Step 8. The result is remembered.
        let bound = if best_score >= beta { Bound::Lower } else { Bound::Upper };
        let eval = self.stack[ply].raw_eval;
        let pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let found = Finding { depth: 0, bound, score: best_score, eval, best: best_move, pv };
        self.tt.store(self.position.key(), ply, found);
        Ok(best_score)
    }
}
