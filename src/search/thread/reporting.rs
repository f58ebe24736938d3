//! What a thread reports of its root moves.

use std::time::Duration;

use crate::chess::{DrawKind, Move};
use crate::eval::Score;
use crate::eval::wdl::{MODEL, WinDrawLoss};
use crate::search::report::{Report, SearchResult};
use crate::search::strength::Strength;
use crate::search::tables::{score_of_ranked, win_draw_loss_of};
use crate::search::thread::pv::PvLine;
use crate::search::thread::root_moves::{RootMove, RootScore};
use crate::search::thread::worker::Worker;
use crate::search::tt::entry::Bound;

/// The time after which the current root move and scores that are only bounds are
/// reported; earlier they would change too fast to be of use.
const DETAILS_AFTER: Duration = Duration::from_secs(3);

impl Worker<'_> {
    /// The time since the search was requested.
    pub fn elapsed(&self) -> Duration {
        self.shared.request.control.start().elapsed()
    }

    /// Whether to report details that change fast.
    pub fn reports_details(&self) -> bool {
        self.reporter.wants_details() && self.elapsed() >= DETAILS_AFTER
    }

    /// Reports that the search of a root move starts. If more lines are searched than shown,
    /// the same moves come again and again.
    pub fn report_currmove(&mut self, m: Move, number: usize) {
        if self.root.lines == self.root.reported && self.reports_details() {
            self.reporter.current_move(self.root.depth, m, number);
        }
    }

    /// Reports the lines. After an iteration that was stopped, the best move may have
    /// changed since the iteration before.
    pub fn report_lines(&mut self) {
        for index in 0..self.root.reported {
            self.report_line(index);
        }
    }

    /// The depth, score and moves of each line: an iteration that changes none of them is not
    /// reported.
    pub fn shown_lines(&self) -> Vec<(u8, Score, PvLine)> {
        let shown = |root: &RootMove| {
            let latest = root.latest();
            let score = self.reported_score(root, latest.score);
            (self.reached(latest.depth), score, root.pv.clone())
        };
        self.root.moves[..self.root.reported].iter().map(shown).collect()
    }

    pub fn report_line(&mut self, index: usize) {
        let latest = self.root.line_score(index);
        let depth = self.reached(latest.depth);
        // The score may be decisive for a moment only; the depth does not go back.
        self.root.depth_reached = self.root.depth_reached.max(depth);
        let root = &self.root.moves[index];
        let score = self.reported_score(root, latest.score);
        // A shallow principal variation may be reduced, and the line to a mate may be longer
        // than the deepest line of this search.
        let seldepth = self.line.seldepth.max(root.pv.len()).max(depth.into());
        self.reporter.report(&Report {
            depth,
            seldepth,
            multipv: index + 1,
            score,
            wdl: self.wdl(root, score),
            bound: reported_bound(latest.bound, score, root.pv.len()),
            nodes: self.shared.nodes(),
            table_hits: self.shared.table_hits(),
            elapsed: self.elapsed(),
            hashfull: self.tt().hashfull(),
            pv: &root.pv,
        });
    }

    /// Reports mate or stalemate at the root.
    pub fn report_game_over(&mut self) {
        let score = self.score_without_moves(0);
        let report = Report::game_over(score, self.elapsed());
        self.reporter.report(&Report { hashfull: self.tt().hashfull(), ..report });
    }

    /// Picks the move to play at a limited strength. Where one line is shown, it is reported if
    /// it is not the best one; several lines stay the best ones.
    pub fn pick_weakened_move(&mut self, strength: Strength) {
        let lines: Vec<RootScore> =
            (0..self.root.lines).map(|index| self.root.line_score(index)).collect();
        // Endgame tables may prefer a line with a lower score.
        let mut most = Score::INFINITE;
        let scores: Vec<Score> = lines
            .iter()
            .map(|line| {
                most = most.min(line.score);
                most
            })
            .collect();
        let picked = strength.pick(&scores, self.root.material, &mut rand::rng());
        if picked > 0 {
            self.root.promote(picked);
            self.root.moves[0].set_latest(lines[picked]);
            if self.root.reported == 1 {
                self.report_line(0);
            }
        }
    }

    /// The result of the search.
    pub fn result(&self) -> SearchResult {
        let best = self.root.moves.first();
        let score = best.map_or_else(
            || self.score_without_moves(0),
            |root| self.reported_score(root, root.latest().score),
        );
        SearchResult {
            best: best.map(|root| root.m),
            ponder: best.and_then(|root| root.reply.or_else(|| self.stored_reply(root.m))),
            score,
            nodes: self.shared.nodes(),
            depth: self.reached(self.root.depth),
        }
    }

    /// The reply to a root move in the transposition table, unless the game ends before it.
    fn stored_reply(&self, m: Move) -> Option<Move> {
        let mut after = self.shared.request.position.clone();
        after.make(m);
        let entry = self.tt().probe_position(&after)?;
        entry.best.filter(|_| DrawKind::of(&after).is_none())
    }

    /// The depth of an iteration. Where every line has ended in a mate or a draw, that is at
    /// most the plies that the search has reached.
    pub fn reached(&self, iteration: u8) -> u8 {
        let best = self.root.moves.first().map_or(Score::DRAW, |root| root.latest().score);
        if !best.is_decisive() && without_noise(best) != Score::DRAW {
            return iteration;
        }
        let plies = self.line.seldepth.min(iteration.into()) as u8;
        iteration.min(plies.max(self.root.depth_reached))
    }

    /// A score of a root move as it is reported: a draw if the game was drawn before the
    /// search, the value in endgame tables unless there is a mate, and without the
    /// random part of draw scores.
    fn reported_score(&self, root: &RootMove, score: Score) -> Score {
        if score.is_mate() {
            score
        } else if self.root.drawn {
            Score::DRAW
        } else if let Some(ranked) = root.ranked {
            score_of_ranked(ranked)
        } else {
            without_noise(score)
        }
    }

    /// The probabilities of win, draw and loss for a score of a root move: certain where the
    /// rules or the tables decide.
    fn wdl(&self, root: &RootMove, score: Score) -> WinDrawLoss {
        match root.ranked {
            _ if score.is_mate() => MODEL.wdl(score, self.root.material),
            _ if self.root.drawn || root.draws => WinDrawLoss::DRAWN,
            Some(ranked) => win_draw_loss_of(ranked),
            None => MODEL.wdl(score, self.root.material),
        }
    }
}

/// The bound of a score with a line of `length` plies. A proven mate without a line that
/// shows it may come sooner.
fn reported_bound(bound: Bound, score: Score, length: usize) -> Bound {
    match score.plies_to_mate() {
        Some(plies) if bound == Bound::Exact && plies != length => {
            if score > Score::ZERO {
                Bound::Lower
            } else {
                Bound::Upper
            }
        }
        _ => bound,
    }
}

/// A score that differs from a draw only by the random part of [`Worker::draw_score`] is
/// a draw.
fn without_noise(score: Score) -> Score {
    if score.cp().abs() <= 1 { Score::DRAW } else { score }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Instant;

    use super::*;
    use crate::chess::Position;
    use crate::search::thread::shared::Shared;
    use crate::search::thread::worker::Memory;
    use crate::search::tt::entry::TtData;
    use crate::search::tt::table::TranspositionTable;
    use crate::search::window::Window;
    use crate::search::{Control, Limits, Reporter, SearchOptions, SearchRequest, Tables};

    /// The depths of reports, and the number of current moves.
    #[derive(Default)]
    struct Seen {
        depths: Vec<u8>,
        current_moves: usize,
    }

    impl Reporter for Seen {
        fn report(&mut self, report: &Report<'_>) {
            self.depths.push(report.depth);
        }

        fn wants_details(&self) -> bool {
            true
        }

        fn current_move(&mut self, _: u8, _: Move, _: usize) {
            self.current_moves += 1;
        }
    }

    /// What a thread that does `work` reports.
    fn seen(request: SearchRequest, work: impl FnOnce(&mut Worker)) -> Seen {
        let table = Arc::new(TranspositionTable::new(1).unwrap());
        let shared = Shared::new(request, table, Tables::default(), 1);
        let (mut memory, mut seen) = (Memory::new().unwrap(), Seen::default());
        work(&mut Worker::new(&shared, 0, &mut memory, &mut seen));
        seen
    }

    fn of_start() -> SearchRequest {
        SearchRequest::new(Position::startpos(), Limits::default())
    }

    /// A decisive score is as deep as the plies that the search has reached. It may be one for
    /// a moment, between two others.
    #[test]
    fn the_depth_never_goes_back() {
        let seen = seen(of_start(), |worker| {
            worker.line.seldepth = 16;
            worker.root.begin_iteration(17);
            for (cp, bound) in [(2050, Bound::Upper), (10711, Bound::Lower), (232, Bound::Exact)] {
                let score = Score::new(cp);
                worker.root.moves[0].set_latest(RootScore { score, bound, depth: 17 });
                worker.report_line(0);
            }
        });
        assert_eq!(seen.depths, [17; 3]);
    }

    /// The search of the second line was stopped after its first move was overtaken.
    #[test]
    fn a_move_that_was_overtaken_may_be_a_better_line() {
        seen(of_start(), |worker| {
            worker.root.begin_iteration(13);
            let scores = [(11, Bound::Exact), (18, Bound::Lower), (14, Bound::Exact)];
            for (root, (cp, bound)) in worker.root.moves.iter_mut().zip(scores) {
                root.set_latest(RootScore { score: Score::new(cp), bound, depth: 13 });
            }
            worker.root.index = 1;
            worker.root.sort_searched_lines();
            let sorted = [0, 1, 2].map(|index| worker.root.line_score(index).score.cp());
            assert_eq!(sorted, [18, 14, 11]);
        });
    }

    #[test]
    fn current_moves_are_reported_if_every_line_is_shown() {
        for (strength, reported) in [(None, 1), (Strength::of_elo(2_990), 0)] {
            let request = SearchRequest {
                options: SearchOptions { strength, ..SearchOptions::default() },
                control: Control::new(Instant::now() - DETAILS_AFTER, false),
                ..of_start()
            };
            let seen = seen(request, |worker| {
                let m = worker.root.moves[0].m;
                worker.report_currmove(m, 1);
            });
            assert_eq!(seen.current_moves, reported, "{strength:?}");
        }
    }

    #[test]
    fn a_line_that_is_cut_short_has_an_expected_reply() {
        seen(of_start(), |worker| {
            let m = worker.root.moves[0].m;
            let mut after = Position::startpos();
            after.make(m);
            let replies = after.legal_moves();
            assert_eq!(worker.result().ponder, None);
            // The table has a reply.
            let best = Some(replies[0]);
            let (bound, score) = (Bound::Exact, Score::ZERO);
            let data = TtData { depth: 1, bound, score, eval: None, best, pv: true };
            worker.tt().store(after.key(), 1, data);
            assert_eq!(worker.result().ponder, best);
            // A line has one, and a later line has none.
            worker.line.pv.update(1, replies[1]);
            for length in [2, 1] {
                worker.record_root_move(m, Score::ZERO, Window::FULL, true, 0);
                assert_eq!(worker.root.moves[0].pv.len(), length);
                assert_eq!(worker.result().ponder, Some(replies[1]));
                worker.line.pv.clear(1);
            }
        });
    }

    #[test]
    fn a_mate_that_the_line_does_not_show_is_a_bound() {
        let bound = |score, length| reported_bound(Bound::Exact, score, length);
        assert_eq!(bound(Score::mate_in(3), 3), Bound::Exact);
        assert_eq!(bound(Score::mate_in(3), 1), Bound::Lower);
        assert_eq!(bound(Score::mated_in(4), 1), Bound::Upper);
        assert_eq!(bound(Score::new(40), 1), Bound::Exact);
    }
}
