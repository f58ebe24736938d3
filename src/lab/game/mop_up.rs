//! The evaluation of a won game with few pieces: the losing king is driven to the edge, where
//! it can be mated, and the other king comes near (Slate and Atkin, "Chess 4.5", 1977). The
//! weights, and the positions it is for, are the ones of a Czech thesis on chess programs.
//!
//! The playing evaluation does this for a bare king; here the loser may have a rook and two
//! pawns.

use crate::chess::{Color, Piece, Square, State, see};

/// The lead in centipawns from which a side only has to mate.
const LEAD: i32 = 400;
/// What the loser has at most, in centipawns.
const LOSER: i32 = 700;
/// Centipawns for a step of the losing king away from the centre, …
const EDGE_STEP: i32 = 28;
/// … and for a step of the kings towards each other.
const KING_STEP: i32 = 5;
/// The steps between the kings in opposite corners.
const MAX_STEPS: i32 = 14;

/// The value from White's side, in centipawns; `None` if no side leads far enough.
pub fn mop_up(state: &State) -> Option<i32> {
    let [white, black] = Color::ALL.map(|color| material(state, color));
    let lead = white - black;
    if lead.abs() < LEAD || white.min(black) > LOSER {
        return None;
    }
    let loser = if lead > 0 { Color::Black } else { Color::White };
    let king = state.king(loser);
    let apart = steps(king, state.king(!loser));
    let bonus = EDGE_STEP * from_centre(king) + KING_STEP * (MAX_STEPS - apart);
    Some(lead + bonus * lead.signum())
}

/// What the pieces of a side are worth, in centipawns.
pub fn material(state: &State, color: Color) -> i32 {
    Piece::ALL.into_iter().map(|p| see::value(p) * state.colored(color, p).len() as i32).sum()
}

/// File and rank, from 0 to 7.
fn coordinates(square: Square) -> [i32; 2] {
    [square.file().index() as i32, square.rank().index() as i32]
}

/// The steps along files and ranks from one square to another.
fn steps(from: Square, to: Square) -> i32 {
    let ([x, y], [to_x, to_y]) = (coordinates(from), coordinates(to));
    (x - to_x).abs() + (y - to_y).abs()
}

/// The steps along files and ranks to the four squares in the centre.
fn from_centre(square: Square) -> i32 {
    coordinates(square).into_iter().map(|it| if it < 4 { 3 - it } else { it - 4 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::lab::game::chess::{Chess, Draws};
    use crate::lab::game::evaluation::Evaluation;
    use crate::lab::limit::Limit;
    use crate::lab::row::Row;
    use crate::lab::watch::Watch;

    fn value(fen: &str) -> Option<i32> {
        mop_up(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn the_losing_king_is_better_off_in_the_centre_and_alone() {
        let centre = value("8/8/8/3k4/8/8/8/KR6 w - - 0 1").unwrap();
        assert_eq!(centre, 500 + KING_STEP * (14 - 7));
        let edge = value("3k4/8/8/8/8/8/8/KR6 w - - 0 1").unwrap();
        let corner = value("k7/8/8/8/8/8/8/KR6 w - - 0 1").unwrap();
        let near = value("k7/8/K7/8/8/8/8/1R6 w - - 0 1").unwrap();
        assert!(centre < edge && edge < corner && corner < near);
        assert_eq!(corner, 500 + EDGE_STEP * 6 + KING_STEP * (14 - 7));
    }

    #[test]
    fn both_colours_are_worth_the_same() {
        let white = value("8/8/8/3k4/8/1p6/8/KQ6 w - - 0 1").unwrap();
        assert_eq!(value("kq6/8/1P6/8/3K4/8/8/8 b - - 0 1"), Some(-white));
    }

    #[test]
    fn other_positions_are_left_to_the_evaluation() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/3BK3 w - - 0 1",
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            assert_eq!(value(fen), None, "{fen}");
        }
    }

    /// Four plies are enough to mate with a queen.
    #[test]
    fn mop_up_mates() {
        let row = Row::parse("ab:order=mvv+value:leaf=static", &[]).unwrap();
        let evaluation = Evaluation::named("mop-up").unwrap().unwrap();
        let mut position = Position::from_fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1").unwrap();
        for _ in 0..60 {
            if position.is_checkmate() {
                return;
            }
            let mut game = Chess::new(position.clone(), evaluation.clone(), Draws::Path);
            let answer = row.run(&mut game, 4, Limit::NONE, &mut Watch::default()).answer.unwrap();
            position.make(answer.line[0]);
        }
        panic!("no mate in thirty moves: {position}");
    }
}
