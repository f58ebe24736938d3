//! The node: principal variation search in its negamax form.
//!
//! The first move of a node is expected to be the best. It is searched with
//! the whole window; the others need only be shown not to be better, with a
//! null window and, when ordered late, to a reduced depth. One that surprises
//! is searched again (T. Marsland and M. Campbell, "Parallel search of
//! strongly ordered game trees", 1982). The search is fail-soft.
//!
//! [`Worker::negamax`] only composes. What it decides with is found, under the
//! name that the literature gives it, in [`prune`](crate::search::prune),
//! [`extend`](crate::search::extend) and [`reduce`](crate::search::reduce); what
//! it remembers, in [`learn`](crate::search::learn).

use crate::chess::Move;
use crate::eval::Score;
use crate::search::MAX_PLY;
use crate::search::extend::{Verdict, check_extension};
use crate::search::history::Context;
use crate::search::learn::Failed;
use crate::search::node::{NodeType, NonPv, Pv};
use crate::search::params::{fifty_move_caution, iir_depth};
use crate::search::picker::Picker;
use crate::search::prune::{Candidate, Hopes, Judgement, Outlook, reverse_futility};
use crate::search::reduce::{LateMove, second_depth};
use crate::search::tt::{Bound, Entry, Finding};
use crate::search::window::{ProvenBounds, Window};
use crate::search::worker::{Searched, Stopped, Worker};

impl Worker<'_> {
    /// The value of the current position, `ply` plies below the root, searched
    /// `depth` plies deep. Exact inside the window, otherwise a bound.
    /// `cut_node` says that a null window is expected to fail high.
    pub(super) fn negamax<N: NodeType>(
        &mut self,
        window: Window,
        mut depth: i32,
        cut_node: bool,
        ply: usize,
    ) -> Searched {
        // Step 1. At the horizon only captures and checks go on; but the principal
        // variation follows a mate that was proved to its end.
        if depth <= 0 {
            let entry = if N::PV { self.tt.probe_position(&self.position) } else { None };
            if entry.and_then(|entry| self.proved_mate(entry, ply)).is_none() {
                return self.quiescence::<N>(window, depth, ply);
            }
            depth = 1;
        }
        self.enter::<N>(ply)?;
        let Window { mut alpha, mut beta } = window;
        let in_check = self.position.in_check();

        if !N::ROOT {
            // Step 2. Draws, endings that are solved, and the longest line.
            if self.position.is_draw(ply) {
                return Ok(self.draw_score());
            }
            if let Some(score) = self.solved(ply) {
                return Ok(score);
            }
            if ply >= MAX_PLY {
                return Ok(if in_check { Score::DRAW } else { self.evaluate(ply) });
            }

            // Step 3. A side that can repeat the position need not lose.
            if alpha < Score::DRAW && self.may_repeat(ply) {
                alpha = self.draw_score().max(alpha);
            }

            // Step 4. Mate-distance pruning: a mate already found is not
            // improved upon by a longer one.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return Ok(alpha);
            }
        }

        // Step 5. What the transposition table knows. A mate that was proved bounds
        // the value. Otherwise a line of the principal variation is never cut
        // short by it, nor a search that leaves its move out.
        let excluded = self.stack[ply].excluded;
        let entry = self.tt.probe_position(&self.position);
        let mut proven = match entry {
            Some(entry) if !N::ROOT && excluded.is_none() => self.proven_bounds(entry, ply),
            _ => ProvenBounds::NONE,
        };
        if !N::PV && proven.least() >= beta {
            return Ok(proven.least());
        }
        if proven.most() <= alpha {
            return Ok(proven.most());
        }
        Window { alpha, beta } = proven.narrow(Window::new(alpha, beta));
        if !N::PV
            && excluded.is_none()
            && let Some(score) = self.table_cutoff(entry, depth, beta, ply)
        {
            return Ok(score);
        }

        // Step 6. What the Syzygy tables know bounds the value too, and settles it unless
        // there may be a mate. A mate that was proved still counts.
        if !N::ROOT
            && excluded.is_none()
            && let Some(value) = self.probe_tables(depth, ply)
        {
            let window = Window::new(alpha, beta);
            let by_tables = value.bounds();
            proven = proven.intersect(by_tables);
            if by_tables.settle(window) {
                self.remember_table_value(value, depth, ply, N::PV);
                return Ok(proven.clamp(value.score));
            }
            Window { alpha, beta } = proven.narrow(window);
        }
        let tt_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].m)
        } else {
            entry.and_then(|entry| entry.best)
        };
        let tt_noisy = tt_move.is_some_and(Move::is_noisy);
        let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);

        // Step 7. The static evaluation, and whether it is rising.
        if excluded.is_none() {
            self.evaluate_node(entry, ply);
            if self.selective {
                self.learn_from_evaluation(ply);
            }
        }
        let improving = self.is_improving(ply);
        // Without a piece to move a side may be in zugzwang, and every move may be
        // the one that counts.
        let free_piece = self.position.has_mobile_piece(self.position.side_to_move());
        self.stack[ply + 1].killers = [None; 2];
        self.stack[ply + 2].cutoffs = 0;

        if !N::PV
            && self.selective
            && excluded.is_none()
            && let Some(eval) = self.stack[ply].eval
        {
            let refined = refined(eval, entry, ply);
            let outlook =
                Outlook { depth, eval, refined, improving, free_piece, tt_move, cut_node };

            // Step 8. Reverse futility pruning.
            if let Some(score) = reverse_futility(&outlook, beta) {
                return Ok(score);
            }

            // Step 9. Razoring.
            if let Some(score) = self.razor(&outlook, alpha, ply)? {
                return Ok(score);
            }

            // Step 10. Null-move pruning.
            if let Some(score) = self.null_move(&outlook, beta, ply)? {
                return Ok(score);
            }

            // Step 11. ProbCut.
            if let Some(score) = self.probcut(&outlook, beta, entry, ply)? {
                return Ok(score);
            }
        }

        // Step 12. Internal iterative reduction: without a move from the table
        // the order of the moves is poor, and a full search too expensive.
        if self.selective && depth >= iir_depth() && tt_move.is_none() && (N::PV || cut_node) {
            depth -= 1;
        }

        // Step 13. The moves, the likely best first.
        let context = Context::new(&self.position, &self.stack, ply);
        self.stack[ply].attacked = context.threats.all;
        let killers = self.stack[ply].killers;
        let correction = self.stack[ply].correction();
        let mut picker = Picker::new(&self.position, tt_move, killers);
        let mut failed = Failed::default();
        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut number = 0;

        while let Some(m) = picker.next(&self.position, &self.memory.history, &context) {
            if excluded == Some(m) || N::ROOT && !self.is_open_root_move(m) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.announce(m, number);
            }
            let history = &self.memory.history;
            let score = picker.quiet_score();
            let candidate = Candidate::new(&self.position, history, &context, m, score);
            let Candidate { quiet, gives_check, history, .. } = candidate;

            // Step 14. Moves that will hardly raise alpha are left out, unless
            // they are all that saves a lost game, or may win a won one sooner.
            let undecided = best_score > -Score::KNOWN_WIN && alpha < Score::KNOWN_WIN;
            if self.selective && !N::ROOT && undecided && free_piece {
                let rough = self.memory.reductions.rough(depth, number, quiet);
                let hopes = Hopes { depth, reduced: depth - 1 - rough, number, improving, alpha };
                match self.judge(&candidate, &hopes, ply) {
                    Judgement::Try => {}
                    Judgement::Skip => continue,
                    Judgement::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                    Judgement::SkipQuietsButChecks => {
                        picker.skip_quiets_but_checks(&self.position);
                        continue;
                    }
                }
            }

            // Step 15. Extensions, but not for ever.
            let window = Window::new(alpha, beta);
            let mut extension = 0;
            if self.selective && !N::ROOT && ply < 2 * usize::from(self.depth) {
                extension = match self.singular(m, entry, depth, window, cut_node, ply)? {
                    Verdict::Extend(plies) => plies,
                    Verdict::MultiCut(score) => return Ok(score),
                };
                if extension == 0 {
                    extension = check_extension(gives_check, depth);
                }
            }
            let new_depth = depth - 1 + extension;
            let nodes_before = self.nodes;
            self.make(m, ply);
            self.stack[ply + 1].double_extensions =
                self.stack[ply].double_extensions + i32::from(extension >= 2);

            // Step 16. Late move reduction.
            let late = self.selective && depth >= 2 && number > 1 + usize::from(N::ROOT);
            let reduction = late.then(|| {
                self.memory.reductions.of(&LateMove {
                    depth,
                    number,
                    quiet,
                    root: N::ROOT,
                    pv: N::PV,
                    was_pv,
                    cut_node,
                    improving,
                    tt_noisy,
                    killer: killers.contains(&Some(m)),
                    gives_check,
                    history,
                    cutoffs: self.stack[ply + 1].cutoffs,
                    correction,
                })
            });

            // Step 17. The search of the move.
            let plan = Plan { depth: new_depth, reduction, cut_node, best_score };
            let score = self.search_move::<N>(window, plan, number == 1, ply)?;
            self.position.unmake();

            // Step 18. A new best move, perhaps a cutoff.
            if N::ROOT {
                self.record_root_move(m, score, window, number == 1, nodes_before);
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
            failed.push(m);
        }

        // Step 19. Mate or stalemate; or the move left out was the only one.
        if number == 0 {
            let none = if excluded.is_some() { alpha } else { self.score_without_moves(ply) };
            return Ok(none);
        }

        // Step 20. What was proved holds even if the proof was not found again;
        // and what the node teaches.
        best_score = proven.clamp(best_score);
        let bound = match best_move {
            _ if best_score >= beta => Bound::Lower,
            Some(_) if N::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        match best_move {
            Some(m) if bound == Bound::Lower => {
                self.stack[ply].cutoffs += 1;
                self.learn_from_cutoff(&context, m, &failed, depth, ply);
            }
            None => self.learn_from_fail_low(depth, ply),
            Some(_) => {}
        }
        if excluded.is_some() {
            return Ok(best_score);
        }
        self.learn_from_error(best_score, bound, best_move, depth, ply);

        // Step 21. The result is remembered. That of some of the moves at the root
        // says nothing of the others, and is not.
        if !N::ROOT || self.compares_all_root_moves() {
            let eval = self.stack[ply].raw_eval;
            let found =
                Finding { depth, bound, score: best_score, eval, best: best_move, pv: was_pv };
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
        }
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Whether the side to move can bring about a repetition.
    #[inline]
    pub(super) fn may_repeat(&self, ply: usize) -> bool {
        self.selective && self.position.has_upcoming_repetition(ply)
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
        let entry = entry.filter(|entry| {
            let known = i32::from(entry.depth);
            known == depth || self.selective && known > depth
        })?;
        let score = entry.score(ply);
        let trusted = i32::from(self.position.halfmove_clock()) < fifty_move_caution();
        (entry.bound.decides(score, beta) && trusted).then_some(score)
    }

    /// The mate that an entry proves, for either side, if the fifty-move rule
    /// leaves the time for it. A search that prunes sees few of the ways to win,
    /// and a deeper one may miss a mate that an earlier one has found; so what was
    /// proved is kept, and every move of a mate brings the next one nearer.
    #[inline]
    pub(super) fn proved_mate(&self, entry: Entry, ply: usize) -> Option<Score> {
        let plies = entry.plies_to_mate().filter(|_| self.selective)?;
        let in_time = usize::from(self.position.halfmove_clock()) + plies <= 100;
        in_time.then(|| entry.score(ply))
    }

    /// What an entry proves of the value of its node.
    #[inline]
    fn proven_bounds(&self, entry: Entry, ply: usize) -> ProvenBounds {
        match self.proved_mate(entry, ply) {
            Some(mate) if mate > Score::ZERO => ProvenBounds::new(mate, Bound::Lower),
            Some(mate) => ProvenBounds::new(mate, Bound::Upper),
            None => ProvenBounds::NONE,
        }
    }

    /// Puts the static evaluation on the stack, from the table if it is there
    /// and corrected by experience; none in check, where it would mean little.
    #[inline]
    pub(super) fn evaluate_node(&mut self, entry: Option<Entry>, ply: usize) {
        let raw = if self.position.in_check() {
            None
        } else {
            Some(entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(ply)))
        };
        let before = self.stack.played(ply, [1, 2]);
        let correction = &self.memory.history.correction;
        self.stack[ply].raw_eval = raw;
        self.stack[ply].eval = if self.selective {
            raw.map(|raw| correction.corrected(&self.position, before, raw).after(ply))
        } else {
            raw
        };
        if entry.is_none()
            && let Some(raw) = raw
        {
            self.tt.store(self.position.key(), ply, Finding::evaluation(raw));
        }
    }

    /// Whether the side to move stands better than at its last move, or at the
    /// one before if it was in check then.
    fn is_improving(&self, ply: usize) -> bool {
        let Some(now) = self.stack[ply].eval else { return false };
        let earlier = [2, 4].map(|plies| self.stack.before(ply, plies).eval);
        let before = earlier.into_iter().flatten().next();
        before.is_none_or(|before| now > before)
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
        let null = Window::above(window.alpha);
        let mut score;
        if let Some(reduction) = reduction {
            let reduced = (depth - reduction).clamp(1, depth.max(1));
            score = -self.negamax::<NonPv>(-null, reduced, true, ply + 1)?;
            if score > window.alpha && reduced < depth {
                depth = second_depth(depth, score, best_score);
                if reduced < depth {
                    score = -self.negamax::<NonPv>(-null, depth, !cut_node, ply + 1)?;
                }
            }
        } else {
            score = -self.negamax::<NonPv>(-null, depth, !cut_node, ply + 1)?;
        }
        // Only an open window gives the exact score, and the line.
        if N::PV && score > window.alpha {
            score = -self.negamax::<Pv>(-window, depth, false, ply + 1)?;
        }
        Ok(score)
    }
}

/// How to search a move.
struct Plan {
    depth: i32,
    /// Plies of reduction if it comes late, which may be none or fewer.
    reduction: Option<i32>,
    cut_node: bool,
    /// The best score of the moves before it.
    best_score: Score,
}

/// The static evaluation, replaced by the table's score where that says more.
#[inline]
pub(super) fn refined(eval: Score, entry: Option<Entry>, ply: usize) -> Score {
    let Some(entry) = entry else { return eval };
    let score = entry.score(ply);
    if entry.bound.says_more(score, eval) { score } else { eval }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Instant;

    use super::*;
    use crate::chess::notation::uci::parse_move;
    use crate::chess::{MoveKind, Position};
    use crate::search::shared::{Job, Shared};
    use crate::search::tt::TranspositionTable;
    use crate::search::worker::Memory;
    use crate::search::{Control, Limits, SearchOptions, Tables};
    use crate::tablebase::Syzygy;

    /// What `search` finds in the position after a move. Of the endgame tables only that
    /// of queen against king is known: the search does not ask below a root that is
    /// known too.
    fn at_ply_one(fen: &str, first: &str, search: impl FnOnce(&mut Worker) -> Searched) -> Score {
        let position = Position::from_fen(fen).unwrap();
        let first = parse_move(&position, first).unwrap();
        let start = Instant::now();
        let job = Job {
            position,
            limits: Limits::default(),
            options: SearchOptions::default(),
            control: Control::new(start, false),
            start,
        };
        let folder = tempfile::tempdir().unwrap();
        let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy/KQvK.rtbw");
        std::fs::copy(table, folder.path().join("KQvK.rtbw")).unwrap();
        let syzygy = Some(Arc::new(Syzygy::open(folder.path().to_str().unwrap()).0));
        let tables = Tables { syzygy, ..Tables::default() };
        let table = Arc::new(TranspositionTable::new(1).unwrap());
        let shared = Shared::new(job, table, tables, 1);
        let (mut memory, mut reporter) = (Memory::new().unwrap(), ());
        let mut worker = Worker::new(&shared, 0, &mut memory, &mut reporter);
        worker.make(first, 0);
        search(&mut worker).unwrap()
    }

    /// The Syzygy tables say of a won position only that it is won. A mate that the
    /// transposition table proves says more, and is not lost.
    #[test]
    fn a_proved_mate_outweighs_a_win_by_the_tables() {
        // No mate with the queen takes more than ten moves.
        let (fen, capture) = ("7Q/8/8/8/2k5/3P4/8/7K b - - 0 1", "c4d3");
        let mate = Score::mate_in(1 + 19);
        let proof = Finding {
            depth: 0,
            bound: Bound::Lower,
            score: mate,
            eval: None,
            best: None,
            pv: false,
        };
        let known = |worker: &mut Worker| worker.tt.store(worker.position.key(), 1, proof);

        // A quicker mate is asked for, and not found.
        let score = at_ply_one(fen, capture, |worker| {
            known(worker);
            worker.negamax::<NonPv>(Window::above(mate), 1, false, 1)
        });
        assert_eq!(score, mate);

        // The tables alone suffice to exceed the window.
        let score = at_ply_one(fen, capture, |worker| {
            known(worker);
            worker.negamax::<Pv>(Window::new(Score::ZERO, Score::new(100)), 1, false, 1)
        });
        assert_eq!(score, mate);

        // Without the proof there is but the win.
        let score = at_ply_one(fen, capture, |worker| {
            worker.negamax::<NonPv>(Window::above(mate), 1, false, 1)
        });
        assert_eq!(score, Score::TABLE_WIN.after(1));
    }

    /// Two positions may share the bits by which the table tells them apart. An entry
    /// whose move is not legal is not of this position, and nothing of it counts.
    #[test]
    fn an_entry_of_another_position_is_not_believed() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        type Search = fn(&mut Worker) -> Searched;
        let searches: [Search; 3] = [
            |worker| worker.negamax::<NonPv>(Window::above(Score::ZERO), 3, false, 1),
            |worker| worker.negamax::<Pv>(Window::FULL, 1, false, 1),
            |worker| worker.quiescence::<NonPv>(Window::above(Score::ZERO), 0, 1),
        ];
        for (number, search) in (1..).zip(searches) {
            for score in [Score::new(900), Score::new(-900), Score::mate_in(8)] {
                let found = |best: &str, legal: bool| {
                    at_ply_one(START, "e2e4", |worker| {
                        let (from, to) = (best[..2].parse().unwrap(), best[2..].parse().unwrap());
                        let m = Move::new(from, to, MoveKind::Quiet);
                        assert_eq!(worker.position.is_legal(m), legal);
                        let found = Finding {
                            depth: 20,
                            bound: Bound::Exact,
                            score,
                            eval: Some(Score::ZERO),
                            best: Some(m),
                            pv: false,
                        };
                        worker.tt.store(worker.position.key(), 1, found);
                        search(worker)
                    })
                };
                assert!(found("a8b6", false).abs() < Score::new(200), "search {number}, {score:?}");
                let counts = number != 2 || score.is_mate();
                assert!(!counts || found("b8c6", true) == score, "search {number}, {score:?}");
            }
        }
    }
}
