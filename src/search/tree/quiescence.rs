//! Quiescence search: captures and promotions until nothing hangs, so that only quiet
//! positions are evaluated (L. Harris, "The heuristic search and the game of chess: a
//! study of quiescence, sacrifices, and plan oriented play", 1975). At the horizon itself
//! quiet checks are searched too.

use crate::chess::see::see_at_least;
use crate::chess::{Move, Piece, State};
use crate::eval::Score;
use crate::search::ordering::history::HistoryContext;
use crate::search::ordering::picker::Picker;
use crate::search::params as p;
use crate::search::thread::worker::{Searched, Worker};
use crate::search::tree::node::NodeType;
use crate::search::tree::unit::delta_value;
use crate::search::tt::entry::{Bound, TtData};
use crate::search::window::Window;

impl Worker<'_> {
    /// The value of the current position when only captures, promotions and evasions of
    /// checks are played; at `depth` 0 also quiet checks.
    pub fn quiescence<N: NodeType>(
        &mut self,
        mut window: Window,
        depth: i32,
        ply: usize,
    ) -> Searched {
        self.enter::<N>(ply)?;

        // Step 1. Draws, solved endings, the longest line, stalemate where it is likely,
        // and repetitions.
        if let Some(score) = self.leaf_score(ply) {
            return Ok(score);
        }
        if self.is_pawn_stalemate() {
            return Ok(Score::DRAW);
        }
        window.alpha = self.alpha_with_repetition(window.alpha, ply);
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }

        // Step 2. The transposition table.
        let (entry, place) = self.tt().look_up(&self.line.position);
        if let Some(mate) = entry.and_then(|entry| self.proven_mate(entry, ply)) {
            return Ok(mate);
        }
        if !N::PV
            && let Some(score) = self.tt_cutoff(entry, 0, window.beta, ply)
        {
            return Ok(score);
        }

        // Step 3. Stand pat: outside check no side has to capture.
        let place = self.evaluate_node(entry, place, ply);
        let in_check = self.line.position.in_check();
        let stand_pat =
            self.line.stack[ply].eval.map(|eval| self.tt_adjusted_eval(eval, entry, ply));
        let mut best_score = stand_pat.unwrap_or(-Score::INFINITE);
        if best_score >= window.beta {
            return Ok(best_score);
        }
        window.alpha = window.alpha.max(best_score);

        // Step 4. All evasions of a check; otherwise captures and promotions, and quiet
        // checks if the evaluation is close to alpha.
        let tt_move = entry.and_then(|entry| entry.best);
        let context = if in_check { self.line.history_context(ply) } else { HistoryContext::NONE };
        let close = best_score + Score::new(p::check_margin()) >= window.alpha;
        let checks = self.selective() && depth == 0 && !in_check && close;
        let mut picker = Picker::quiescence(&self.line.position, tt_move, checks);
        let leaf = Leaf { ply, tt_move, stand_pat };
        let mut best_move = None;
        while let Some(m) = picker.next(&self.line.position, &self.memory.history, &context) {
            // Step 5. Pruning. Quiet checks are not pruned.
            if self.selective() && !(checks && m.is_quiet()) {
                match self.prune_in_quiescence(&leaf, m, &picker, best_score, window.alpha) {
                    Pruned::Nothing => {}
                    Pruned::Move(bound) => {
                        best_score = best_score.max(bound);
                        continue;
                    }
                    Pruned::Rest => break,
                }
            }

            // Step 6. The search of the move.
            self.make(m, ply);
            let score = -self.quiescence::<N>(-window, depth - 1, ply + 1)?;
            self.line.position.unmake();
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
                }
            }
        }

        // Step 7. Mate: in check all moves are searched, and there is none.
        if in_check && best_score == -Score::INFINITE {
            return Ok(Score::mated_in(ply));
        }

        // Step 8. The transposition table.
        let bound = if best_score >= window.beta { Bound::Lower } else { Bound::Upper };
        let eval = self.line.stack[ply].raw_eval;
        let pv = N::PV || entry.is_some_and(|entry| entry.pv);
        let data = TtData { depth: 0, bound, score: best_score, eval, best: best_move, pv };
        self.tt().store_at(place, self.line.position.key(), ply, data);
        Ok(best_score)
    }

    /// Whether this is stalemate. Only sides without pieces are tested: others are rarely
    /// stalemated.
    #[inline]
    fn is_pawn_stalemate(&self) -> bool {
        let mover = self.line.position.side_to_move();
        !self.line.position.has_non_pawn_material(mover) && self.line.position.is_stalemate()
    }

    /// Prunes captures that cannot raise alpha or that lose material. In check, after an
    /// evasion that is not mated, prunes the quiet evasions and the losing captures, which
    /// come last.
    #[inline]
    fn prune_in_quiescence(
        &self,
        leaf: &Leaf,
        m: Move,
        picker: &Picker,
        best_score: Score,
        alpha: Score,
    ) -> Pruned {
        let &Leaf { ply, tt_move, stand_pat } = leaf;
        let Some(stand_pat) = stand_pat else {
            let quiet_or_bad = m.is_quiet() || picker.only_bad_noisy_left();
            let prunes = quiet_or_bad && best_score > -Score::KNOWN_WIN;
            return if prunes { Pruned::Rest } else { Pruned::Nothing };
        };
        // A known ending is not worth the sum of its pieces: a capture may turn it into a
        // draw.
        if stand_pat.is_decisive() {
            return Pruned::Nothing;
        }
        if let Some(bound) =
            delta_pruning(&self.line.position, m, stand_pat, alpha, self.phase(ply))
        {
            return Pruned::Move(bound);
        }
        // The picker has tested the exchanges of all moves but the first.
        let loses = Some(m) == tt_move && !see_at_least(&self.line.position, m, 0);
        let prunes = loses || picker.only_bad_noisy_left();
        if prunes { Pruned::Move(stand_pat) } else { Pruned::Nothing }
    }
}

/// The facts of a node of quiescence that pruning needs.
struct Leaf {
    ply: usize,
    tt_move: Option<Move>,
    /// The evaluation with which the side to move may leave the position as it is; `None`
    /// in check.
    stand_pat: Option<Score>,
}

/// What is not searched.
enum Pruned {
    Nothing,
    /// The move. Its score is at most this one.
    Move(Score),
    /// The move and all after it.
    Rest,
}

/// Delta pruning: the evaluation, what the capture gains at best, and a margin, if even
/// that does not exceed alpha (Chess Programming Wiki, "Delta Pruning").
#[inline]
fn delta_pruning(
    state: &State,
    m: Move,
    stand_pat: Score,
    alpha: Score,
    phase: i32,
) -> Option<Score> {
    let value = |piece| delta_value(piece, phase);
    let victim = state.captured(m).map_or(0, value);
    let promotion = m.promotion().map_or(0, |piece| value(piece) - value(Piece::Pawn));
    let best = stand_pat + Score::new(victim + promotion + p::delta_margin());
    (best <= alpha).then_some(best)
}
