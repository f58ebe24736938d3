//! A small search with other weights: it finds the position whose evaluation is the score.
//!
//! Alpha-beta to a fixed depth, then captures and promotions, and all moves out of check.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use crate::chess::movegen::generate_noisy;
use crate::chess::{Move, MoveList, Piece, Position, State};
use crate::eval::{Weights, evaluate_with};

/// More than any score; a mate is worth this less the plies to it.
const MATE: i32 = 32_000;

/// The result of a search.
#[derive(Clone, Debug)]
pub(super) struct FoundMove {
    pub m: Move,
    /// In centipawns for the side to move.
    pub score: i32,
    /// The end of the principal variation, unless the game ends there.
    pub leaf: Option<State>,
}

/// A score for the side to move and the position that it comes from.
type ScoredLeaf = (i32, Option<State>);

/// Searches with weights, and counts the evaluations.
#[derive(Debug)]
pub(super) struct LeafSearch<'w> {
    weights: &'w Weights,
    pub evaluations: u64,
}

impl<'w> LeafSearch<'w> {
    pub fn new(weights: &'w Weights) -> Self {
        Self { weights, evaluations: 0 }
    }

    /// The best move to a depth of at least 1, a random one of equals; `None` if the game is
    /// over.
    pub fn best_move(
        &mut self,
        position: &mut Position,
        depth: u32,
        random: &mut StdRng,
    ) -> Option<FoundMove> {
        let mut moves = position.legal_moves();
        moves.shuffle(random);
        order(position, &mut moves);
        let mut best: Option<FoundMove> = None;
        for m in moves {
            let alpha = best.as_ref().map_or(-MATE, |found| found.score);
            let (score, leaf) = self.after(position, m, depth, 0, (alpha, MATE));
            if best.is_none() || score > alpha {
                best = Some(FoundMove { m, score, leaf });
            }
        }
        best
    }

    /// The score of a move for the side that makes it.
    fn after(
        &mut self,
        position: &mut Position,
        m: Move,
        depth: u32,
        ply: usize,
        (alpha, beta): (i32, i32),
    ) -> ScoredLeaf {
        position.make(m);
        let (score, leaf) =
            self.search(position, depth.saturating_sub(1), ply + 1, (-beta, -alpha));
        position.unmake();
        (-score, leaf)
    }

    fn search(
        &mut self,
        position: &mut Position,
        depth: u32,
        ply: usize,
        (alpha, beta): (i32, i32),
    ) -> ScoredLeaf {
        if position.is_draw(ply) {
            return (0, None);
        }
        let mut best = (-MATE + ply as i32, None);
        let mut moves = MoveList::new();
        if depth > 0 || position.in_check() {
            moves = position.legal_moves();
            if moves.is_empty() {
                return if position.in_check() { best } else { (0, None) };
            }
        } else {
            self.evaluations += 1;
            best = (evaluate_with(self.weights, position).cp(), Some(*position.state()));
            generate_noisy(position, &mut moves);
        }
        order(position, &mut moves);
        for m in moves {
            if best.0 >= beta {
                break;
            }
            let found = self.after(position, m, depth, ply, (alpha.max(best.0), beta));
            if found.0 > best.0 {
                best = found;
            }
        }
        best
    }
}

/// Puts the captures of valuable pieces by less valuable ones first.
fn order(position: &Position, moves: &mut MoveList) {
    let value = |piece: Piece| 1 + piece.index() as i32;
    moves.sort_by_key(|&m| {
        let victim = position.captured(m).map_or(0, value);
        let promoted = m.promotion().map_or(0, value);
        value(position.moved_piece(m)) - 8 * (victim + promoted)
    });
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::eval::WEIGHTS;
    use crate::suite::bench::POSITIONS;

    fn search(fen: &str, depth: u32) -> FoundMove {
        let mut position = Position::from_fen(fen).unwrap();
        let mut random = StdRng::seed_from_u64(1);
        LeafSearch::new(&WEIGHTS).best_move(&mut position, depth, &mut random).unwrap()
    }

    #[test]
    fn mates_and_hanging_pieces_are_found() {
        let mate = search("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1);
        assert_eq!((mate.m.to().to_string().as_str(), mate.leaf), ("a8", None));
        let capture = search("4k3/8/2p5/3q4/4P3/8/8/4K3 w - - 0 1", 1);
        assert_eq!(capture.m.to().to_string(), "d5");
        // The queen is defended, the knight is not.
        let capture = search("4k3/2p5/1q6/7n/8/8/8/2K4R w - - 0 1", 1);
        assert_eq!(capture.m.to().to_string(), "h5");
    }

    #[test]
    fn the_score_is_the_evaluation_of_the_leaf() {
        let mut quiet = 0;
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            for depth in 1..=2 {
                let found = search(fen, depth);
                let Some(leaf) = found.leaf else { continue };
                quiet += 1;
                let value = evaluate_with(&WEIGHTS, &leaf);
                let sign = leaf.side_to_move().sign() * position.side_to_move().sign();
                assert_eq!((value * sign).cp(), found.score, "{fen}");
            }
        }
        assert!(quiet > 5);
    }
}
