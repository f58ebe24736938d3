//! Which thread's result counts.
//!
//! The threads of a search rarely end with the same one: some are a ply ahead, and
//! some have seen what the others have not. Each votes for its best move, with the
//! more weight the deeper it has searched and the better it thinks of the move
//! (after the voting of Stockfish 10, by its authors).

use std::iter;

use crate::chess::Move;
use crate::eval::Score;
use crate::search::shared::Desk;
use crate::search::worker::{Known, RootMove, Worker};

/// The advantage over the most pessimistic thread, in centipawns, with which a
/// score counts at least.
const BASE_ADVANTAGE: i32 = 14;

impl Worker<'_> {
    /// Takes over the result of the thread that is elected. Results are compared
    /// only where one move is looked for, as well as time allows.
    pub(super) fn elect(&mut self) {
        let limits = &self.shared.job.limits;
        if self.lines > 1 || limits.depth.is_some() || limits.mate.is_some() {
            return;
        }
        let own = self.root_moves[0].clone();
        let others = self.shared.desks[1..].iter().filter_map(Desk::ballot);
        let ballots: Vec<RootMove> = iter::once(own).chain(others).collect();
        let winner = elected(&ballots);
        let best = &ballots[winner];
        let index = self.root_moves.iter().position(|root| root.m == best.m);
        if let Some(index) = index.filter(|_| winner > 0) {
            self.root_moves[..=index].rotate_right(1);
            self.root_moves[0] = RootMove { nodes: self.root_moves[0].nodes, ..best.clone() };
            self.report(0);
        }
    }
}

/// The number of the ballot that wins. The first is that of the main thread, which
/// has already told how deeply it has searched: none that is shallower wins, though
/// its vote counts.
fn elected(ballots: &[RootMove]) -> usize {
    let known: Vec<Known> = ballots.iter().map(RootMove::known).collect();
    let lowest = known.iter().map(|known| known.score).min().unwrap_or(Score::ZERO);
    let votes = |m: Move| -> i64 {
        let agreeing = known.iter().zip(ballots).filter(|(_, ballot)| ballot.m == m);
        let weight = |known: &Known| {
            i64::from((known.score - lowest).cp() + BASE_ADVANTAGE) * i64::from(known.depth)
        };
        agreeing.map(|(known, _)| weight(known)).sum()
    };
    let rank = |&n: &usize| {
        let Known { score, depth, .. } = known[n];
        // A mate is not put to the vote: the quickest wins.
        let mate = if score.is_mate() { score.max(Score::ZERO) } else { Score::ZERO };
        (mate, votes(ballots[n].m), depth, score)
    };
    // Of equals the first, so that the main thread prevails.
    let candidates = (0..ballots.len()).rev().filter(|&n| known[n].depth >= known[0].depth);
    candidates.max_by_key(rank).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::search::tt::Bound;

    /// A vote for one of the moves of the initial position.
    fn vote(number: usize, score: i32, depth: u8) -> RootMove {
        scored(number, Score::new(score), depth)
    }

    fn scored(number: usize, score: Score, depth: u8) -> RootMove {
        let m = Position::startpos().legal_moves()[number];
        RootMove {
            m,
            score,
            depth,
            bound: Bound::Exact,
            previous: score,
            pv: iter::once(m).collect(),
            nodes: 0,
            ranked: None,
        }
    }

    #[test]
    fn the_main_thread_prevails_among_equals() {
        assert_eq!(elected(&[vote(0, 20, 15)]), 0);
        assert_eq!(elected(&[vote(0, 20, 15), vote(0, 20, 15), vote(0, 20, 15)]), 0);
        assert_eq!(elected(&[vote(0, 20, 15), vote(1, 20, 15)]), 0);
    }

    #[test]
    fn the_deepest_of_those_who_agree_is_heard() {
        assert_eq!(elected(&[vote(0, 20, 15), vote(0, 18, 17), vote(0, 25, 16)]), 1);
    }

    #[test]
    fn a_majority_wins_and_so_does_a_better_score() {
        assert_eq!(elected(&[vote(0, 20, 15), vote(1, 20, 15), vote(1, 20, 16)]), 2);
        assert_eq!(elected(&[vote(0, 0, 15), vote(1, 90, 15)]), 1);
    }

    #[test]
    fn nobody_who_is_shallower_than_the_main_thread_wins() {
        assert_eq!(elected(&[vote(0, 0, 15), vote(1, 500, 14), vote(1, 500, 13)]), 0);
        // But his vote helps another.
        let ballots = [vote(0, 20, 15), vote(1, 20, 14), vote(1, 20, 15)];
        assert_eq!(elected(&ballots), 2);
    }

    #[test]
    fn the_quickest_mate_wins() {
        let (slow, quick) = (Score::mate_in(9), Score::mate_in(5));
        let ballots =
            [vote(0, 900, 20), scored(1, slow, 20), scored(2, quick, 20), vote(0, 900, 30)];
        assert_eq!(elected(&ballots), 2);
        let lost = [scored(0, Score::mated_in(4), 20), vote(1, -300, 20)];
        assert_eq!(elected(&lost), 1, "whoever sees no mate");
    }
}
