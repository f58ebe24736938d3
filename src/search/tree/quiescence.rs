//! Quiescence search: captures and promotions until nothing hangs, so that only quiet
//! positions are evaluated (L. Harris, "The heuristic search and the game of chess: a
//! study of quiescence, sacrifices, and plan oriented play", 1975). At the horizon itself
//! quiet checks are searched too.

use crate::chess::see::see_at_least;
use crate::chess::{CheckInfo, Move};
use crate::eval::Score;
use crate::search::ordering::history::{ContinuationRows, PieceTo};
use crate::search::ordering::picker::Picker;
use crate::search::params as p;
use crate::search::thread::worker::{Searched, Worker};
use crate::search::tree::node::NodeType;
use crate::search::tree::prune::victim_gain;
use crate::search::tt::entry::{Bound, TtData};
use crate::search::window::Window;

/// The depth in the transposition table of a node that searched no quiet checks.
const WITHOUT_CHECKS: i32 = -1;
/// Below this depth of quiescence only the first move, evasions and recaptures are searched.
const MANY_CAPTURES: i32 = -4;

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

        // Step 1. Draws, solved endings, the longest line, mates that are too long, and
        // stalemate where it is likely.
        if let Some(score) = self.settle(&mut window, ply) {
            return Ok(score);
        }
        if self.is_pawn_stalemate() {
            return Ok(Score::DRAW);
        }

        // Step 2. The transposition table.
        let in_check = self.line.position.in_check();
        let tt_depth = if self.selective() && depth < 0 && !in_check { WITHOUT_CHECKS } else { 0 };
        let (entry, place) = self.tt().look_up(&self.line.position);
        if let Some(mate) = entry.and_then(|entry| self.proven_mate(entry, ply)) {
            return Ok(mate);
        }
        if !N::PV
            && let Some(score) = self.tt_cutoff(entry, tt_depth, window.beta, ply)
        {
            return Ok(score);
        }

        // Step 3. Stand pat: outside check no side has to capture.
        let place = self.evaluate_node(entry, place, ply);
        let stand_pat =
            self.line.stack[ply].eval.map(|eval| self.tt_adjusted_eval(eval, entry, ply));
        let mut best_score = stand_pat.unwrap_or(-Score::INFINITE);
        if best_score >= window.beta {
            return Ok(best_score);
        }
        window.alpha = window.alpha.max(best_score);

        // Step 4. All evasions of a check; otherwise captures and promotions, at the horizon
        // also quiet checks. The move of the transposition table may be any.
        let tt_move = entry.and_then(|entry| entry.best);
        let tt_move = tt_move.filter(|m| in_check || self.selective() || m.is_noisy());
        let checks = self.selective() && depth == 0 && !in_check;
        let mut picker = Picker::quiescence(&self.line.position, tt_move, checks);
        let check_info = CheckInfo::new(&self.line.position);
        let previous = self.line.stack.continuation_rows(ply);
        let node = QuiescenceNode { ply, depth, stand_pat };
        let (mut number, mut evasions) = (0, 0);
        let mut best_move = None;
        while let Some(m) = picker.next(&self.line.position, &self.memory.history, &previous) {
            // Step 5. Pruning.
            number += 1;
            if self.selective() && best_score > -Score::KNOWN_WIN {
                let gives_check = check_info.gives_check(&self.line.position, m);
                let facts = QuiescenceMove { m, number, gives_check, evasions };
                match self.prune_in_quiescence(&node, facts, &previous, best_score, window.alpha) {
                    Pruned::Nothing => {}
                    Pruned::Move(bound) => {
                        best_score = best_score.max(bound);
                        continue;
                    }
                    Pruned::Rest => break,
                }
            }

            // Step 6. The search of the move.
            evasions += i32::from(in_check && m.is_quiet());
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
        let pv = entry.is_some_and(|entry| entry.pv);
        let data = TtData { depth: tt_depth, bound, score: best_score, eval, best: best_move, pv };
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

    /// Prunes captures that cannot raise alpha or that lose material, quiet moves with a bad
    /// history, and all evasions after two quiet ones (as in Stockfish 16).
    #[inline]
    fn prune_in_quiescence(
        &self,
        node: &QuiescenceNode,
        candidate: QuiescenceMove,
        previous: &ContinuationRows,
        best_score: Score,
        alpha: Score,
    ) -> Pruned {
        let &QuiescenceNode { ply, depth, stand_pat } = node;
        let QuiescenceMove { m, number, gives_check, evasions } = candidate;
        let state = self.line.position.state();
        let recaptures = self.line.stack.before(ply, 1).current.map(Move::to) == Some(m.to());
        if depth < MANY_CAPTURES && number > 1 && stand_pat.is_some() && !recaptures {
            return Pruned::Move(best_score);
        }
        // A known ending is not worth the sum of its pieces: a capture may turn it into a
        // draw.
        if let Some(stand_pat) = stand_pat.filter(|eval| !eval.is_decisive())
            && !gives_check
            && !recaptures
            && !m.is_promotion()
        {
            if number > 2 {
                return Pruned::Move(best_score);
            }
            let base = stand_pat + Score::new(p::delta_margin());
            let best = base + Score::new(victim_gain(state, m));
            if best <= alpha {
                return Pruned::Move(best);
            }
            if base <= alpha && !see_at_least(state, m, 1) {
                return Pruned::Move(base);
            }
        }
        if evasions > 1 {
            return Pruned::Rest;
        }
        if m.is_quiet() {
            let piece_to = PieceTo::of(state, m);
            let [one, two, _] = self.memory.history.quiet.continuation(previous, piece_to);
            if one < p::quiescence_history() && two < p::quiescence_history() {
                return Pruned::Move(best_score);
            }
        }
        if see_at_least(state, m, -p::quiescence_see()) {
            Pruned::Nothing
        } else {
            Pruned::Move(best_score)
        }
    }
}

/// The facts of a node of quiescence that pruning needs.
struct QuiescenceNode {
    ply: usize,
    /// At most 0.
    depth: i32,
    /// The evaluation with which the side to move may leave the position as it is; `None`
    /// in check.
    stand_pat: Option<Score>,
}

/// The facts of a move of quiescence that pruning needs.
struct QuiescenceMove {
    m: Move,
    /// Its number among the moves of the node, from 1.
    number: usize,
    gives_check: bool,
    /// The quiet evasions searched before it.
    evasions: i32,
}

/// What is not searched.
enum Pruned {
    Nothing,
    /// The move. Its score is at most this one.
    Move(Score),
    /// The move and all after it.
    Rest,
}
