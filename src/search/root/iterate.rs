//! Iterative deepening (D. Slate and L. Atkin, "Chess 4.5: the Northwestern University
//! chess program", 1977).

use std::time::Duration;

use crate::chess::Move;
use crate::eval::Score;
use crate::search::clock::limits::Limits;
use crate::search::clock::time::{Budget, Progress};
use crate::search::options::MAX_DEPTH;
use crate::search::root::mate_search;
use crate::search::thread::root_moves::RootMove;
use crate::search::thread::worker::{Stopped, Worker};

/// A mate too long for a proof counts as refuted when an iteration deeper than its plies
/// by this margin has not found it.
const MATE_SEARCH_MARGIN: u8 = 20;

impl Worker<'_> {
    /// Searches iteration after iteration until a limit is reached. The root moves are
    /// then sorted, and the lines searched have a principal variation each.
    pub fn iterate(&mut self, limits: &Limits, budget: Option<Budget>) {
        let mut stats = IterationStats::default();
        for depth in 1..=deepest(limits) {
            let best_before = self.root.moves[0].m;
            let seldepth_before = self.line.seldepth;
            self.begin_iteration(depth);
            if self.iteration(depth).is_err() {
                // Some lines may be from the iteration before.
                self.line.seldepth = self.line.seldepth.max(seldepth_before);
                self.root.sort_searched_lines();
                self.report_lines();
                return;
            }
            self.root.depth_reached = self.reached(depth);
            let lines = self.shown_lines();
            let is_new = lines != self.root.shown;
            if is_new {
                self.report_lines();
                self.root.shown = lines;
            }
            self.allow_stop();
            let progress = stats.update(&self.root.moves[0], best_before, self.nodes());
            let control = &self.shared.request.control;
            if depth == deepest(limits)
                || self.is_stopped()
                || self.has_found_mate(limits)
                || self.has_refuted_mate(limits)
                || control.soft_limit_reached(self.soft_limit(budget, &progress))
            {
                if !is_new || limits.mate.is_some() && !self.has_found_mate(limits) {
                    // For its nodes, and those of the refutation of a mate.
                    self.report_lines();
                }
                return;
            }
        }
    }

    /// Iterates as a helper, without reports, until the search is over, and publishes the
    /// best move after each iteration.
    pub fn iterate_as_helper(&mut self) {
        self.allow_stop();
        for depth in 1..=MAX_DEPTH {
            self.begin_iteration(depth);
            if self.is_stopped() || self.iteration(depth).is_err() {
                return;
            }
            self.publish();
        }
    }

    fn begin_iteration(&mut self, depth: u8) {
        self.line.seldepth = 0;
        self.root.begin_iteration(depth);
    }

    /// Searches all lines to one depth.
    fn iteration(&mut self, depth: u8) -> Result<(), Stopped> {
        for index in 0..self.root.lines {
            self.root.index = index;
            let best = &self.root.moves[index];
            let previous = best.average.unwrap_or(best.previous);
            self.aspiration(i32::from(depth), previous)?;
        }
        self.root.sort_searched_lines();
        Ok(())
    }

    fn has_found_mate(&self, limits: &Limits) -> bool {
        let found = self.root.moves[0].score.mate_distance_moves();
        limits.mate.zip(found).is_some_and(|(limit, moves)| (1..=i32::from(limit)).contains(&moves))
    }

    /// Whether the mate of the limits is short enough for a proof, should have been found
    /// by this iteration, and does not exist.
    fn has_refuted_mate(&mut self, limits: &Limits) -> bool {
        limits.mate.is_some_and(|moves| {
            let due = moves <= mate_search::MAX_MOVES && self.root.depth + 1 == 2 * moves;
            due && matches!(self.has_mate_in(moves), Ok(false))
        })
    }

    /// The time after which no new iteration starts, if time is limited: at once if there
    /// is only one legal move.
    fn soft_limit(&self, budget: Option<Budget>, progress: &Progress) -> Option<Duration> {
        let budget = budget?;
        let forced = self.root.moves.len() == 1 && budget.soft.is_some();
        Some(if forced { Duration::ZERO } else { budget.soft_limit(progress) })
    }
}

/// What time management needs from the iterations so far.
#[derive(Default)]
struct IterationStats {
    stability: u32,
    /// A running average of the scores.
    average: Option<Score>,
}

impl IterationStats {
    /// Adds an iteration with its best move. `before` was the best move before it.
    fn update(&mut self, best: &RootMove, before: Move, nodes: u64) -> Progress {
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

    fn root_move(number: usize, cp: i32) -> RootMove {
        RootMove { nodes: 30, ..RootMove::of_start(number, Score::new(cp), 1) }
    }

    #[test]
    fn a_new_best_move_is_not_stable_and_drops_are_positive() {
        let (old, new) = (root_move(0, 40), root_move(1, 10));
        let mut stats = IterationStats::default();
        let first = stats.update(&old, old.m, 40);
        assert_eq!(first, Progress { stability: 1, node_share: 0.75, drop: 0 });
        let changed = stats.update(&new, old.m, 60);
        assert_eq!(changed, Progress { stability: 0, node_share: 0.5, drop: 30 });
        assert_eq!(stats.update(&new, new.m, 60).stability, 1);
    }
}
