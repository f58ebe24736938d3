//! The end of a line: captures until the position is quiet.

use crate::chess::{Move, State, see};
use crate::eval::{Score, evaluate_fresh};

/// The longest continuation, in plies.
const MAX_PLIES: usize = 16;
/// The positions that are looked at, at most.
const MAX_NODES: u32 = 20_000;
/// Beyond all scores.
const INFINITE: Score = Score::mate_in(0);

/// Moves that lead from a position to a quiet one, as a quiescence search finds them: a side
/// captures, promotes or answers a check as long as it prefers that to the static evaluation.
/// None to a mate, which is no end of a line whose score is no mate.
pub fn settle(state: &State) -> Vec<Move> {
    let (score, moves) = Quiescence { nodes: 0 }.search(state, -INFINITE, INFINITE, 0);
    if score.is_mate() { Vec::new() } else { moves }
}

struct Quiescence {
    nodes: u32,
}

impl Quiescence {
    /// The score for the side to move, and the line to it.
    fn search(
        &mut self,
        state: &State,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> (Score, Vec<Move>) {
        self.nodes += 1;
        let moves = state.legal_moves();
        let in_check = state.in_check();
        if moves.is_empty() {
            return (if in_check { Score::mated_in(ply) } else { Score::ZERO }, Vec::new());
        }
        let mut best = (evaluate_fresh(state), Vec::new());
        if ply == MAX_PLIES || self.nodes >= MAX_NODES {
            return best;
        }
        if in_check {
            best.0 = -INFINITE;
        }
        alpha = alpha.max(best.0);
        for m in ordered(state, &moves) {
            if alpha >= beta {
                break;
            }
            let next = state.after(m);
            let (score, line) = self.search(&next, -beta, -alpha, ply + 1);
            if -score > best.0 {
                best = (-score, [vec![m], line].concat());
                alpha = alpha.max(best.0);
            }
        }
        best
    }
}

/// All moves in check, otherwise the captures and promotions that do not lose material; those
/// that win the most first.
fn ordered(state: &State, moves: &[Move]) -> Vec<Move> {
    let is_wanted = |&&m: &&Move| {
        state.in_check()
            || (state.captured(m).is_some() || m.is_promotion()) && see::see_at_least(state, m, 0)
    };
    let mut moves: Vec<Move> = moves.iter().filter(is_wanted).copied().collect();
    moves.sort_by_key(|&m| {
        let victim = state.captured(m).map_or(0, see::value);
        let promoted = m.promotion().map_or(0, see::value);
        // The squares last, as the mover sees them, so that the order does not depend on the
        // colour.
        let [to, from] =
            [m.to(), m.from()].map(|square| state.side_to_move().relative_square(square));
        (-(victim + promoted), see::value(state.moved_piece(m)), to.index(), from.index())
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::notation::written::WrittenLine;

    fn settled(fen: &str) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        WrittenLine::new(&position, &settle(&position)).san
    }

    #[test]
    fn a_quiet_position_is_its_own_end() {
        assert!(settled("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").is_empty());
        assert!(settled("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").is_empty());
    }

    #[test]
    fn a_loose_piece_is_taken_and_a_defended_one_is_not() {
        assert_eq!(settled("4k3/8/8/3n4/8/8/3R4/4K3 w - - 0 1"), ["Rxd5"]);
        assert!(settled("4k3/8/2p5/3n4/8/8/3R4/4K3 w - - 0 1").is_empty());
    }

    #[test]
    fn no_line_is_followed_to_a_mate() {
        assert!(settled("k2r4/pp6/8/8/8/8/5PPP/3R2K1 w - - 0 1").is_empty());
    }

    #[test]
    fn a_check_is_answered() {
        assert_eq!(settled("4k3/8/8/8/8/8/3q4/4K3 w - - 0 1"), ["Kxd2"]);
        assert!(settled("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").is_empty());
    }
}
