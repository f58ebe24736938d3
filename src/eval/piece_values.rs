//! The value of each piece in the position.
//!
//! The value of a piece is the evaluation with it less the evaluation without it, so
//! a trapped rook shows as less than a rook.

use crate::chess::position::setup::Setup;
use crate::chess::{Color, Piece, Square, State};
use crate::eval::evaluate::evaluate_fresh;

/// One piece and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceValue {
    pub square: Square,
    pub color: Color,
    pub piece: Piece,
    /// Centipawns that its side would lose with it. `None` for a king, for a piece without
    /// which the position would be illegal (a pinned piece of the side not to move), and
    /// for one whose removal makes or ends a known win.
    pub value: Option<i32>,
}

/// The value of every piece on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceValues {
    /// From a1 to h8.
    pub pieces: Vec<PieceValue>,
}

impl PieceValues {
    /// Evaluates the position once for each piece.
    pub fn of(state: &State) -> Self {
        let score = evaluate_fresh(state);
        let setup = Setup { en_passant: None, ..Setup::from(state) };
        let pieces = state.occupied().iter().filter_map(|square| {
            let (color, piece) = setup.board[square.index()]?;
            let mut rest = setup.clone();
            rest.board[square.index()] = None;
            let without = rest.validate().ok().map(|(rest, _)| evaluate_fresh(&rest));
            let sign = if color == state.side_to_move() { 1 } else { -1 };
            let comparable = without.filter(|without| without.is_decisive() == score.is_decisive());
            let value = comparable.map(|without| sign * (score - without).cp());
            Some(PieceValue { square, color, piece, value })
        });
        Self { pieces: pieces.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::PieceValues;
    use crate::chess::Position;

    #[test]
    fn a_known_win_is_no_number_of_centipawns() {
        let position = Position::from_fen("4k3/5p2/8/8/8/8/5P2/R3K3 w - - 0 1").unwrap();
        let value = |square: &str| {
            let square = square.parse().unwrap();
            let values = PieceValues::of(&position);
            values.pieces.into_iter().find(|piece| piece.square == square).unwrap().value
        };
        assert_eq!(value("f7"), None);
        assert!(value("f2").is_some_and(|pawn| (0..1_000).contains(&pawn)));
    }
}
