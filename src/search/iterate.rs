//! Iterative deepening.

use std::time::Duration;

use crate::search::MAX_DEPTH;
use crate::search::limits::Limits;
use crate::search::time::Budget;
use crate::search::worker::{Stopped, Worker};

/// Scores that are only bounds are reported once a search has run this long;
/// before, they would come too fast to be of use.
pub(super) const BOUND_REPORTS_AFTER: Duration = Duration::from_secs(3);

/// Plies beyond those of a mate that is asked for, after which a search that
/// prunes may say that there is none.
const MATE_SEARCH_MARGIN: u8 = 8;

impl Worker<'_> {
    /// Searches deeper and deeper until a limit is reached. The root moves are
    /// then in order, each of the first `multi_pv` with its line.
    pub(super) fn iterate(&mut self, limits: &Limits, multi_pv: usize, budget: Option<Budget>) {
        let lines = multi_pv.clamp(1, self.root_moves.len());
        let mut stability = 0;
        for depth in 1..=deepest(limits) {
            let best_before = self.root_moves[0].m;
            self.begin_iteration(depth);
            if self.iteration(depth, lines).is_err() {
                self.report_unfinished(lines);
                return;
            }
            for index in 0..lines {
                self.report(index);
            }
            self.may_stop = true;
            stability = if self.root_moves[0].m == best_before { stability + 1 } else { 0 };
            if self.is_stopped()
                || self.has_found_mate(limits)
                || !self.may_begin_another(budget, stability)
            {
                return;
            }
        }
    }

    /// One depth, for each of the lines.
    fn iteration(&mut self, depth: u8, lines: usize) -> Result<(), Stopped> {
        for index in 0..lines {
            self.pv_index = index;
            let previous = self.root_moves[index].previous;
            self.aspiration(i32::from(depth), previous)?;
        }
        // A later line can turn out better than an earlier one.
        self.pv_index = 0;
        self.root_moves[..lines].sort_by_key(|root| std::cmp::Reverse(root.score));
        Ok(())
    }

    /// The last word of a search that was stopped in the middle of an iteration,
    /// in which the best move may have changed.
    fn report_unfinished(&mut self, lines: usize) {
        self.pv_index = 0;
        for index in 0..lines {
            self.report(index);
        }
    }

    fn has_found_mate(&self, limits: &Limits) -> bool {
        let found = self.root_moves[0].score.mate_distance_moves();
        limits.mate.zip(found).is_some_and(|(limit, moves)| (1..=i32::from(limit)).contains(&moves))
    }

    fn may_begin_another(&self, budget: Option<Budget>, stability: u32) -> bool {
        let Some(budget) = budget else { return true };
        if self.is_pondering() {
            return true;
        }
        let forced = self.root_moves.len() == 1 && budget.optimum.is_some();
        !forced && budget.allows_iteration(self.elapsed(), stability)
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
