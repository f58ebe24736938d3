//! Iterative deepening.

use std::cmp::Reverse;
use std::mem;
use std::time::Duration;

use crate::chess::Move;
use crate::eval::Score;
use crate::search::MAX_DEPTH;
use crate::search::limits::Limits;
use crate::search::mate_proof;
use crate::search::time::{Budget, Progress};
use crate::search::worker::{RootMove, Stopped, Worker};

/// Scores that are only bounds are reported once a search has run this long;
/// before, they would come too fast to be of use.
pub(super) const BOUND_REPORTS_AFTER: Duration = Duration::from_secs(3);

/// Plies beyond those of a mate too long for a proof, after which a search that
/// prunes may say that there is none.
const MATE_SEARCH_MARGIN: u8 = 20;

impl Worker<'_> {
    /// Searches deeper and deeper until a limit is reached. The root moves are
    /// then in order, each of the first [`Worker::lines`] with its line.
    pub(super) fn iterate(&mut self, limits: &Limits, budget: Option<Budget>) {
        let mut course = Course::default();
        for depth in 1..=deepest(limits) {
            let best_before = self.root_moves[0].m;
            let seldepth_before = self.seldepth;
            self.begin_iteration(depth);
            if self.iteration(depth).is_err() {
                // Some lines may still be those of the iteration before.
                self.seldepth = self.seldepth.max(seldepth_before);
                self.sort_reached_lines();
                self.report_lines();
                return;
            }
            self.report_lines();
            self.may_stop = true;
            let progress = course.follow(&self.root_moves[0], best_before, self.nodes);
            if self.is_stopped()
                || self.has_found_mate(limits)
                || self.has_refuted_mate(limits)
                || self.shared.job.control.has_spent(self.deserved_time(budget, &progress))
            {
                return;
            }
        }
    }

    /// Searches deeper and deeper as one of the helpers, with nobody to tell and no
    /// limit but the end of the search, and votes after each iteration. Helpers
    /// leave depths out, each others, so that the threads are spread over the next
    /// few iterations instead of all doing the same.
    pub(super) fn help(&mut self, number: usize) {
        self.may_stop = true;
        for depth in (1..=MAX_DEPTH).filter(|&depth| !leaves_out(number, depth)) {
            self.begin_iteration(depth);
            if self.is_stopped() || self.iteration(depth).is_err() {
                return;
            }
            self.desk.vote(&self.root_moves[0]);
        }
    }

    /// One depth, for each of the lines.
    fn iteration(&mut self, depth: u8) -> Result<(), Stopped> {
        for index in 0..self.lines {
            self.pv_index = index;
            let previous = self.root_moves[index].previous;
            self.aspiration(i32::from(depth), previous)?;
        }
        self.sort_reached_lines();
        Ok(())
    }

    /// Puts the lines that an iteration has searched, to the end or not, in order:
    /// a later one can turn out better than an earlier one.
    fn sort_reached_lines(&mut self) {
        let reached = mem::take(&mut self.pv_index) + 1;
        self.root_moves[..reached].sort_by_key(|root| Reverse((root.rank(), root.score)));
    }

    /// Tells of the lines as they stand. In an iteration that was stopped the best
    /// move may have changed since the one before.
    fn report_lines(&mut self) {
        for index in 0..self.told {
            self.report(index);
        }
    }

    fn has_found_mate(&self, limits: &Limits) -> bool {
        let found = self.root_moves[0].score.mate_distance_moves();
        limits.mate.zip(found).is_some_and(|(limit, moves)| (1..=i32::from(limit)).contains(&moves))
    }

    /// Whether a mate is asked for that should have been found by now, is short
    /// enough for a proof, and does not exist.
    fn has_refuted_mate(&mut self, limits: &Limits) -> bool {
        limits.mate.is_some_and(|moves| {
            let due = moves <= mate_proof::MAX_MOVES && self.depth == 2 * moves - 1;
            due && matches!(self.has_mate_in(moves), Ok(false))
        })
    }

    /// After how much time to begin no new iteration, if time is limited. A
    /// single legal reply needs none.
    fn deserved_time(&self, budget: Option<Budget>, progress: &Progress) -> Option<Duration> {
        let budget = budget?;
        let forced = self.root_moves.len() == 1 && budget.optimum.is_some();
        Some(if forced { Duration::ZERO } else { budget.deserved(progress) })
    }
}

/// The course that a search has taken from iteration to iteration.
#[derive(Default)]
struct Course {
    stability: u32,
    /// A running average of the scores, which is slow to follow.
    average: Option<Score>,
}

impl Course {
    /// Takes in the best move of an iteration. `before` was the best until then.
    fn follow(&mut self, best: &RootMove, before: Move, nodes: u64) -> Progress {
        self.stability = if best.m == before { self.stability + 1 } else { 0 };
        let average = self.average.unwrap_or(best.score);
        self.average = Some((average + best.score) / 2);
        Progress {
            stability: self.stability,
            node_share: best.nodes as f64 / nodes.max(1) as f64,
            drop: (average - best.score).cp(),
        }
    }
}

/// Whether a helper leaves a depth out. The first two take turns, the next four
/// alternate two by two, and so on to blocks of four, which every group of twenty
/// helpers does alike, each at its own beat.
fn leaves_out(helper: usize, depth: u8) -> bool {
    let place = (helper - 1) % 20;
    let (size, phase) = match place {
        0..2 => (1, place),
        2..6 => (2, place - 2),
        6..12 => (3, place - 6),
        _ => (4, place - 12),
    };
    (usize::from(depth) + phase) / size % 2 == 1
}

/// The last iteration that the limits allow.
fn deepest(limits: &Limits) -> u8 {
    let depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    match limits.mate {
        Some(moves) => {
            let plies = moves.saturating_mul(2).saturating_add(MATE_SEARCH_MARGIN);
            depth.min(plies.min(MAX_DEPTH))
        }
        None => depth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_leave_out_every_other_block_of_depths() {
        let searched = |helper: usize| -> Vec<u8> {
            (1..=12).filter(|&depth| !leaves_out(helper, depth)).collect()
        };
        assert_eq!(searched(1), [2, 4, 6, 8, 10, 12]);
        assert_eq!(searched(2), [1, 3, 5, 7, 9, 11]);
        assert_eq!(searched(3), [1, 4, 5, 8, 9, 12]);
        assert_eq!(searched(21), searched(1));
    }

    #[test]
    fn no_depth_is_left_out_by_all_and_none_searches_everything() {
        for depth in 1..=MAX_DEPTH {
            let searching = (1..=20).filter(|&helper| !leaves_out(helper, depth)).count();
            assert!((8..=12).contains(&searching), "{searching} of 20 search depth {depth}");
        }
        for helper in 1..=60 {
            let gap = (1..MAX_DEPTH - 4)
                .any(|depth| (depth..depth + 5).all(|depth| leaves_out(helper, depth)));
            assert!(!gap, "helper {helper} leaves out five depths in a row");
        }
    }
}
