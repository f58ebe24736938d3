//! Which thread's result counts.
//!
//! The threads of a search often end with different moves. Each votes for its best move,
//! with a weight that grows with its depth and score (as in Stockfish 11).

use std::iter;

use crate::chess::Move;
use crate::eval::Score;
use crate::search::thread::root_moves::{RootMove, RootScore};
use crate::search::thread::shared::ThreadState;
use crate::search::thread::worker::Worker;

/// The weight of the lowest score, in centipawns.
const BASE_WEIGHT: i32 = 14;

impl Worker<'_> {
    /// Takes over the result of the best thread. A search with a limit of depth or for
    /// several lines or a mate keeps the result of the main thread.
    pub fn select_best_thread(&mut self) {
        let limits = &self.shared.request.limits;
        if self.root.lines > 1 || limits.depth.is_some() || limits.mate.is_some() {
            return;
        }
        let own = self.root.moves[0].clone();
        let others = self.shared.threads[1..].iter().filter_map(ThreadState::best_move);
        let results: Vec<RootMove> = iter::once(own).chain(others).collect();
        let best_index = best_thread(&results);
        let best = &results[best_index];
        let index = self.root.moves.iter().position(|root| root.m == best.m);
        if let Some(index) = index.filter(|_| best_index > 0) {
            self.root.promote(index);
            self.root.moves[0] = RootMove { nodes: self.root.moves[0].nodes, ..best.clone() };
            self.report_line(0);
        }
    }
}

/// The index of the best result. The first is the main thread's, whose depth is already
/// reported: a shallower result never wins, though its vote counts.
fn best_thread(results: &[RootMove]) -> usize {
    let scores: Vec<RootScore> = results.iter().map(RootMove::latest).collect();
    let lowest = scores.iter().map(|latest| latest.score).min().unwrap_or(Score::ZERO);
    let votes = |m: Move| -> i64 {
        let agreeing = scores.iter().zip(results).filter(|(_, result)| result.m == m);
        let weight = |latest: &RootScore| {
            i64::from((latest.score - lowest).cp() + BASE_WEIGHT) * i64::from(latest.depth)
        };
        agreeing.map(|(latest, _)| weight(latest)).sum()
    };
    let rank = |&n: &usize| {
        let RootScore { score, depth, .. } = scores[n];
        // The quickest mate wins without a vote.
        let mate = if score.is_mate() { score.max(Score::ZERO) } else { Score::ZERO };
        (mate, votes(results[n].m), depth, score)
    };
    // The first of equals wins, so that the main thread is preferred.
    let candidates = (0..results.len()).rev().filter(|&n| scores[n].depth >= scores[0].depth);
    candidates.max_by_key(rank).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vote for one of the moves of the initial position.
    fn vote(number: usize, score: i32, depth: u8) -> RootMove {
        RootMove::of_start(number, Score::new(score), depth)
    }

    #[test]
    fn the_main_thread_wins_among_equals() {
        assert_eq!(best_thread(&[vote(0, 20, 15)]), 0);
        assert_eq!(best_thread(&[vote(0, 20, 15), vote(0, 20, 15), vote(0, 20, 15)]), 0);
        assert_eq!(best_thread(&[vote(0, 20, 15), vote(1, 20, 15)]), 0);
    }

    #[test]
    fn the_deepest_of_the_agreeing_threads_wins() {
        assert_eq!(best_thread(&[vote(0, 20, 15), vote(0, 18, 17), vote(0, 25, 16)]), 1);
    }

    #[test]
    fn a_majority_wins_and_so_does_a_better_score() {
        assert_eq!(best_thread(&[vote(0, 20, 15), vote(1, 20, 15), vote(1, 20, 16)]), 2);
        assert_eq!(best_thread(&[vote(0, 0, 15), vote(1, 90, 15)]), 1);
    }

    #[test]
    fn a_shallower_thread_is_never_selected() {
        assert_eq!(best_thread(&[vote(0, 0, 15), vote(1, 500, 14), vote(1, 500, 13)]), 0);
        // Its vote still counts for another thread.
        let results = [vote(0, 20, 15), vote(1, 20, 14), vote(1, 20, 15)];
        assert_eq!(best_thread(&results), 2);
    }

    #[test]
    fn the_quickest_mate_wins() {
        let mate = |number, plies| RootMove::of_start(number, Score::mate_in(plies), 20);
        let results = [vote(0, 900, 20), mate(1, 9), mate(2, 5), vote(0, 900, 30)];
        assert_eq!(best_thread(&results), 2);
        let lost = [RootMove::of_start(0, Score::mated_in(4), 20), vote(1, -300, 20)];
        assert_eq!(best_thread(&lost), 1, "the thread without a mate");
    }
}
