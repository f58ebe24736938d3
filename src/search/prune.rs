//! When a node need not be searched, and when a move of it need not.
//!
//! A node ends early if its score is very likely to fall outside the window by
//! a margin that depends on the depth: the first half of this file. A move is
//! left out if it is very unlikely to raise alpha: the second half.

use crate::chess::see::{see_at_least, value};
use crate::chess::{Move, Piece, State};
use crate::eval::Score;
use crate::search::history::{Context, History};
use crate::search::node::NonPv;
use crate::search::params::{
    delta_margin, futility_base, futility_depth, futility_history, futility_margin, history_depth,
    history_margin, lmp_base, lmp_factor, nmp_base, nmp_depth, nmp_depth_divisor, nmp_eval_base,
    nmp_eval_divisor, nmp_eval_max, nmp_eval_slope, nmp_verify_depth, probcut_depth,
    probcut_improving, probcut_margin, razor_base, razor_depth, razor_margin, rfp_depth,
    rfp_improving, rfp_margin, see_noisy_depth, see_noisy_history, see_noisy_margin,
    see_quiet_depth, see_quiet_margin,
};
use crate::search::picker::Picker;
use crate::search::quiescence::BELOW_HORIZON;
use crate::search::tt::{Bound, Entry, Finding};
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Outlook {
    pub depth: i32,
    /// The corrected static evaluation.
    pub eval: Score,
    /// The same, replaced by the table's score where that says more.
    pub refined: Score,
    pub improving: bool,
    /// The side to move has a piece that is not hemmed in.
    pub free_piece: bool,
    /// The best move that the table knows.
    pub tt_move: Option<Move>,
    /// A null window is expected to fail high here.
    pub cut_node: bool,
}

/// Reverse futility pruning, also "static null move": near the leaves a side
/// that is far above beta will hardly fall below it with the move in hand. A
/// side that is improving needs less of a lead; where a quiet move was best
/// before there is more to the position than its material. Returns the score to
/// fail high with.
#[inline]
pub(super) fn reverse_futility(outlook: &Outlook, beta: Score) -> Option<Score> {
    let &Outlook { depth, refined, improving, free_piece, tt_move, .. } = outlook;
    let margin = rfp_margin() * depth - if improving { rfp_improving() } else { 0 };
    let fails_high = depth <= rfp_depth()
        && !beta.is_decisive()
        && !refined.is_decisive()
        && refined - Score::new(margin) >= beta
        && free_piece
        && !tt_move.is_some_and(Move::is_quiet);
    fails_high.then(|| Score::new((2 * beta.cp() + refined.cp()) / 3))
}

impl Worker<'_> {
    /// Razoring: a side so far below alpha that only a capture could help is
    /// asked for one. Returns the score to fail low with (J. Birmingham and
    /// P. Kent, "Tree-searching and tree-pruning techniques", 1977).
    pub(super) fn razor(
        &mut self,
        outlook: &Outlook,
        alpha: Score,
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        let &Outlook { depth, refined, .. } = outlook;
        let margin = razor_base() + razor_margin() * depth * depth;
        if depth > razor_depth() || alpha.is_decisive() || refined + Score::new(margin) > alpha {
            return Ok(None);
        }
        let score = self.quiescence::<NonPv>(Window::above(alpha), BELOW_HORIZON, ply)?;
        Ok((score <= alpha).then_some(score))
    }

    /// Null-move pruning: if the score stays above beta even when the side to
    /// move passes, a move surely would keep it there. Not so in zugzwang,
    /// which pieces make unlikely and, at high depth, a search of the same side
    /// without null moves excludes (C. Donninger, "Null move and deep search",
    /// 1993; E. David and N. Netanyahu, "Verified null-move pruning", 2002).
    pub(super) fn null_move(
        &mut self,
        outlook: &Outlook,
        beta: Score,
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        let &Outlook { depth, eval, refined, .. } = outlook;
        let promising = depth >= nmp_depth()
            && refined >= beta
            && eval + Score::new(depth * nmp_eval_slope()) >= beta + Score::new(nmp_eval_base());
        if !promising
            || beta.is_mate()
            || self.stack.before(ply, 1).current.is_none()
            || !outlook.free_piece
            || self.is_verifying(ply)
        {
            return Ok(None);
        }

        let lead = ((refined - beta).cp() / nmp_eval_divisor()).min(nmp_eval_max());
        let reduced = depth - nmp_base() - depth / nmp_depth_divisor() - lead;
        self.make_null(ply);
        let window = Window::below(beta);
        let score = -self.negamax::<NonPv>(-window, reduced, !outlook.cut_node, ply + 1)?;
        self.position.unmake();
        if score < beta {
            return Ok(None);
        }
        // A mate found with an extra move for one side is not one.
        let score = if score.is_mate() { beta } else { score };
        if depth < nmp_verify_depth() || self.verifying.is_some() {
            return Ok(Some(score));
        }
        self.verifying =
            Some((self.position.side_to_move(), ply + 3 * reduced.max(0) as usize / 4));
        let verified = self.negamax::<NonPv>(window, reduced, false, ply);
        self.verifying = None;
        Ok((verified? >= beta).then_some(score))
    }

    /// Whether the side to move is being tested for zugzwang, so that it must not
    /// pass.
    fn is_verifying(&self, ply: usize) -> bool {
        let us = self.position.side_to_move();
        self.verifying.is_some_and(|(side, until)| side == us && ply < until)
    }

    /// ProbCut: a capture that wins by a margin in a much shallower search will
    /// hardly fail to reach beta in the full one (M. Buro, "ProbCut: an
    /// effective selective extension of the alpha-beta algorithm", 1995).
    pub(super) fn probcut(
        &mut self,
        outlook: &Outlook,
        beta: Score,
        entry: Option<Entry>,
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        let &Outlook { depth, eval, improving, cut_node, .. } = outlook;
        let margin = probcut_margin() - if improving { probcut_improving() } else { 0 };
        let raised = beta + Score::new(margin);
        let refuted = entry
            .is_some_and(|entry| i32::from(entry.depth) >= depth - 3 && entry.score(ply) < raised);
        if depth < probcut_depth() || beta.is_decisive() || refuted {
            return Ok(None);
        }

        let window = Window::below(raised);
        let reduced = depth - 4;
        let tt_move = entry.and_then(|entry| entry.best);
        let mut picker = Picker::winning(&self.position, tt_move, (raised - eval).cp());
        while let Some(m) = picker.next(&self.position, &self.memory.history, &Context::NONE) {
            self.make(m, ply);
            // The cheapest test first.
            let mut score = -self.quiescence::<NonPv>(-window, BELOW_HORIZON, ply + 1)?;
            if score >= raised {
                score = -self.negamax::<NonPv>(-window, reduced, !cut_node, ply + 1)?;
            }
            self.position.unmake();
            if score >= raised {
                let found = Finding {
                    depth: depth - 3,
                    bound: Bound::Lower,
                    score,
                    eval: self.stack[ply].raw_eval,
                    best: Some(m),
                    pv: false,
                };
                self.tt.store(self.position.key(), ply, found);
                return Ok(Some(if score.is_mate() { score } else { score - Score::new(margin) }));
            }
        }
        Ok(None)
    }
}

/// A move about to be tried.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub m: Move,
    pub quiet: bool,
    pub gives_check: bool,
    /// What the histories say.
    pub history: i32,
    /// Of a quiet move, what they say of it as an answer to the last moves.
    pub continuation: i32,
}

impl Candidate {
    /// `score` is what the histories say of a quiet move, if that is known.
    #[inline]
    pub fn new(
        state: &State,
        history: &History,
        context: &Context,
        m: Move,
        score: Option<i32>,
    ) -> Self {
        let quiet = m.is_quiet();
        let gives_check = state.gives_check(m);
        let (history, continuation) = if quiet {
            let quiet = &history.quiet;
            let score = score.unwrap_or_else(|| quiet.score(state, context, m));
            (score, quiet.continuation(state, context, m))
        } else {
            (history.capture.score(state, m), 0)
        };
        Self { m, quiet, gives_check, history, continuation }
    }
}

/// What a move can hope for at its node.
#[derive(Clone, Copy)]
pub(super) struct Hopes {
    pub depth: i32,
    /// The depth that it would roughly be searched to.
    pub reduced: i32,
    /// Its place among the moves, from 1.
    pub number: usize,
    pub improving: bool,
    pub alpha: Score,
}

/// What to do with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Try,
    Skip,
    /// Neither this nor the quiet moves after it are worth trying.
    SkipQuiets,
    /// The same, but a check may still do.
    SkipQuietsButChecks,
}

impl Worker<'_> {
    /// Whether to try a move.
    pub(super) fn judge(&self, candidate: &Candidate, hopes: &Hopes, ply: usize) -> Judgement {
        let &Candidate { m, quiet, gives_check, history, continuation } = candidate;
        let &Hopes { depth, number, improving, alpha, .. } = hopes;
        let reduced = hopes.reduced.max(0);
        let state = self.position.state();
        if quiet && number > late_move_count(depth, improving) {
            return Judgement::SkipQuiets;
        }
        if quiet && !gives_check {
            let eval = self.stack[ply].eval;
            if eval.is_some_and(|eval| is_futile(eval, alpha, reduced, history)) {
                return Judgement::SkipQuietsButChecks;
            }
            if has_bad_history(continuation, reduced) {
                return Judgement::Skip;
            }
        }
        let loses = match (quiet, gives_check) {
            (true, false) => quiet_loses_material(state, m, reduced),
            (true, true) => forcing_move_loses_material(state, m, depth, 0),
            (false, _) => forcing_move_loses_material(state, m, depth, history),
        };
        if loses { Judgement::Skip } else { Judgement::Try }
    }
}

/// Late move pruning, also "move count pruning": near the leaves the quiet
/// moves beyond this number are not tried.
#[inline]
fn late_move_count(depth: i32, improving: bool) -> usize {
    let count = lmp_base() + lmp_factor() * depth * depth;
    (if improving { count } else { count / 2 }) as usize / 100
}

/// History pruning: the move has done badly whenever it was tried.
#[inline]
fn has_bad_history(history: i32, depth: i32) -> bool {
    depth <= history_depth() && history < -history_margin() * depth
}

/// Futility pruning: what a quiet move can add to the evaluation does not reach
/// alpha (J. Schaeffer, "Experiments in search and knowledge", 1986).
#[inline]
fn is_futile(eval: Score, alpha: Score, depth: i32, history: i32) -> bool {
    let margin = futility_base() + futility_margin() * depth + history / futility_history();
    depth <= futility_depth() && eval + Score::new(margin) <= alpha
}

/// SEE pruning: the quiet move leaves something hanging.
#[inline]
fn quiet_loses_material(state: &State, m: Move, depth: i32) -> bool {
    depth <= see_quiet_depth() && !see_at_least(state, m, -see_quiet_margin() * depth * depth)
}

/// SEE pruning of captures and checks: one that loses material is not tried
/// near the leaves, unless it has often been good.
#[inline]
fn forcing_move_loses_material(state: &State, m: Move, depth: i32, history: i32) -> bool {
    let allowed = -see_noisy_margin() * depth - history / see_noisy_history();
    depth <= see_noisy_depth() && !see_at_least(state, m, allowed.min(0))
}

/// Delta pruning in quiescence: what a capture can gain at best, when even that
/// does not reach alpha; otherwise `None`.
#[inline]
pub(super) fn hopeless_capture(
    state: &State,
    m: Move,
    stand_pat: Score,
    alpha: Score,
) -> Option<Score> {
    let victim = state.captured(m).map_or(0, value);
    let promotion = m.promotion().map_or(0, |piece| value(piece) - value(Piece::Pawn));
    let best = stand_pat + Score::new(victim + promotion + delta_margin());
    (best <= alpha).then_some(best)
}
