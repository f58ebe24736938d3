//! What each piece is worth where it stands.
//!
//! The value of a piece is the evaluation with it less the evaluation without it, so
//! a trapped rook shows as less than a rook.

use std::fmt;

use serde_json::{Value, json};

use crate::chess::position::setup::Setup;
use crate::chess::{Color, File, Piece, Rank, Square, State};
use crate::eval::evaluate_fresh;

/// One piece and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceValue {
    pub square: Square,
    pub color: Color,
    pub piece: Piece,
    /// Centipawns that its side would lose with it. `None` for a king, and for a
    /// piece without which the position would be illegal: a pinned piece of the side
    /// not to move.
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
        let pieces = state.occupied().filter_map(|square| {
            let (color, piece) = setup.board[square.index()]?;
            let mut rest = setup.clone();
            rest.board[square.index()] = None;
            let without = rest.validate().ok().map(|(rest, _)| evaluate_fresh(&rest));
            let sign = if color == state.side_to_move() { 1 } else { -1 };
            let value = without.map(|without| sign * (score - without).cp());
            Some(PieceValue { square, color, piece, value })
        });
        Self { pieces: pieces.collect() }
    }

    /// The pieces as data, with their value in centipawns.
    pub fn to_json(&self) -> Value {
        let piece = |piece: &PieceValue| {
            json!({
                "square": piece.square.to_string(),
                "piece": piece.piece.letter(piece.color).to_string(),
                "value": piece.value,
            })
        };
        self.pieces.iter().map(piece).collect()
    }
}

/// The board, with the value of each piece in pawns after its letter.
impl fmt::Display for PieceValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "What each piece is worth: the pawns that its side would lose with it")?;
        let cell = |square| {
            let Some(piece) = self.pieces.iter().find(|piece| piece.square == square) else {
                return ".".to_owned();
            };
            let value = piece.value.map(|value| format!("{:.2}", f64::from(value) / 100.0));
            format!("{}{}", piece.piece.letter(piece.color), value.unwrap_or_default())
        };
        for rank in Rank::ALL.into_iter().rev() {
            let cells = File::ALL.map(|file| format!("  {:<6}", cell(Square::at(file, rank))));
            writeln!(f, "{}{}", rank.index() + 1, cells.concat().trim_end())?;
        }
        write!(f, "   a       b       c       d       e       f       g       h")
    }
}
