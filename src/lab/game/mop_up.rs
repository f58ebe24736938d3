//! The evaluation of a won game with few pieces: the losing king is driven to the edge, where
//! it can be mated, and the other king comes near, with its knights (Slate and Atkin, "Chess
//! 4.5", 1977). The weights, the positions it is for, and the two plies more are the ones of a
//! Czech thesis on chess programs.
//!
//! The playing evaluation does this for a bare king; here the loser may have a rook and two
//! pawns.

use crate::chess::{Bitboard, Color, Piece, Square, State, see};

/// The lead in centipawns from which a side only has to mate.
const LEAD: i32 = 400;
/// What the loser has at most, in centipawns.
const LOSER: i32 = 700;
/// Centipawns for a step of the losing king away from the centre, …
const EDGE_STEP: i32 = 28;
/// … and for a step of the other king, or of one of its knights, towards it.
const NEAR_STEP: i32 = 5;
/// The steps from one corner to the opposite one.
const MAX_STEPS: i32 = 14;
/// With less on the board, in centipawns, a search is two plies deeper.
const DEEPER_BELOW: i32 = 1500;

/// The value from White's side, in centipawns; `None` if no side leads far enough and can mate.
pub fn mop_up(state: &State) -> Option<i32> {
    let [white, black] = Color::ALL.map(|color| material(state, color));
    let lead = white - black;
    let loser = if lead > 0 { Color::Black } else { Color::White };
    if lead.abs() < LEAD || white.min(black) > LOSER || !can_mate(state, !loser) {
        return None;
    }
    let king = state.king(loser);
    let hunters = state.colored(!loser, Piece::King) | state.colored(!loser, Piece::Knight);
    let nearness: i32 = hunters.iter().map(|square| MAX_STEPS - steps(king, square)).sum();
    let bonus = EDGE_STEP * from_centre(king) + NEAR_STEP * nearness;
    Some(lead + bonus * lead.signum())
}

/// Whether a side has a rook or a queen or, where there are no pawns, bishops on squares of
/// both colours or a bishop and a knight.
fn can_mate(state: &State, side: Color) -> bool {
    let [knights, bishops, rooks, queens] =
        [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].map(|p| state.colored(side, p));
    let is_pair =
        bishops.intersects(Bitboard::LIGHT_SQUARES) && bishops.intersects(Bitboard::DARK_SQUARES);
    let has_minors = is_pair || (bishops.any() && knights.any());
    (rooks | queens).any() || (has_minors && state.pieces(Piece::Pawn).is_empty())
}

/// The plies that a search from here goes deeper.
pub fn extra_plies(state: &State) -> u32 {
    let all: i32 = Color::ALL.into_iter().map(|color| material(state, color)).sum();
    if all < DEEPER_BELOW && mop_up(state).is_some() { 2 } else { 0 }
}

/// What the pieces of a side are worth, in centipawns.
pub fn material(state: &State, color: Color) -> i32 {
    Piece::ALL.into_iter().map(|p| see::value(p) * state.colored(color, p).len() as i32).sum()
}

/// The steps along files and ranks from one square to another.
fn steps(from: Square, to: Square) -> i32 {
    let files = from.file().index().abs_diff(to.file().index());
    (files + from.rank().index().abs_diff(to.rank().index())) as i32
}

/// The steps along files and ranks to the four squares in the centre.
fn from_centre(square: Square) -> i32 {
    6 - (square.file().edge_distance() + square.rank().edge_distance()) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Move, Position};
    use crate::lab::Limit;
    use crate::lab::game::{Chess, Draws, Evaluation};
    use crate::lab::test_run::{run, search};

    fn value(fen: &str) -> Option<i32> {
        mop_up(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn the_losing_king_is_better_off_in_the_centre_and_alone() {
        let centre = value("8/8/8/3k4/8/8/8/KR6 w - - 0 1").unwrap();
        assert_eq!(centre, 500 + NEAR_STEP * (14 - 7));
        let edge = value("3k4/8/8/8/8/8/8/KR6 w - - 0 1").unwrap();
        let corner = value("k7/8/8/8/8/8/8/KR6 w - - 0 1").unwrap();
        let near = value("k7/8/K7/8/8/8/8/1R6 w - - 0 1").unwrap();
        assert!(centre < edge && edge < corner && corner < near);
        assert_eq!(corner, 500 + EDGE_STEP * 6 + NEAR_STEP * (14 - 7));
    }

    #[test]
    fn other_positions_are_left_to_the_evaluation() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/3BK3 w - - 0 1",
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            // Two knights, and two bishops on squares of one colour, cannot mate.
            "4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1",
            "4k3/8/8/8/8/8/8/B3K1B1 w - - 0 1",
            // The pawn decides, not the king.
            "4k3/8/8/8/8/8/P7/BN2K3 w - - 0 1",
        ] {
            assert_eq!(value(fen), None, "{fen}");
        }
    }

    #[test]
    fn knights_come_near() {
        let far = value("k7/8/8/8/8/8/8/KB5N w - - 0 1").unwrap();
        let near = value("k7/8/8/3N4/8/8/8/KB6 w - - 0 1").unwrap();
        assert_eq!(near - far, NEAR_STEP * (14 - 6));
    }

    /// Below 1500 centipawns a search is two plies deeper, but not a static value.
    #[test]
    fn few_pieces_are_searched_deeper() {
        let nodes = |fen: &str, evaluation: &str, depth: u32| {
            let evaluation = Evaluation::named(evaluation).unwrap();
            search("negamax", fen, depth, evaluation).1.nodes
        };
        let rook = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";
        assert_eq!(nodes(rook, "mop-up", 1), nodes(rook, "lovec", 3));
        assert_eq!(nodes(rook, "mop-up", 0), 1);
        let queens = "8/8/8/3k4/8/8/8/KQQ5 w - - 0 1";
        assert_eq!(nodes(queens, "mop-up", 1), nodes(queens, "lovec", 1));
    }

    /// Two plies, and the two more, are enough to mate with a queen.
    #[test]
    fn mop_up_mates() {
        let row = "ab:order=mvv+value:leaf=static";
        let evaluation = Evaluation::named("mop-up").unwrap();
        let mut position = Position::from_fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1").unwrap();
        for _ in 0..60 {
            if position.is_checkmate() {
                return;
            }
            let mut game = Chess::new(position.clone(), evaluation.clone(), Draws::Path);
            let answer = run(row, &mut game, 2, Limit::NONE).0.answer.unwrap();
            position.make(Move::from_bits(answer.line[0]).unwrap());
        }
        panic!("no mate in thirty moves: {position}");
    }
}
