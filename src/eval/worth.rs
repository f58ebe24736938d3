//! What each man is worth where it stands.
//!
//! The terms say what is good and bad; this says whose merit it is. A man's worth
//! is what its side would lose if it vanished: the evaluation with it, less the
//! evaluation without it. So a rook that is shut in shows as less than a rook.

use std::fmt;

use serde_json::{Value, json};

use crate::chess::position::setup::Setup;
use crate::chess::{Color, File, Piece, Rank, Square, State};
use crate::eval::evaluate_fresh;

/// One man and its worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    pub square: Square,
    pub color: Color,
    pub piece: Piece,
    /// Centipawns that its side would lose with it. `None` for a king, and where
    /// the position could not be without it: a pinned man of the side that is
    /// not to move.
    pub worth: Option<i32>,
}

/// The worth of every man on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worth {
    /// From a1 to h8.
    pub men: Vec<Man>,
}

impl Worth {
    /// Evaluates the position once for each man.
    pub fn of(state: &State) -> Self {
        let score = evaluate_fresh(state);
        let mut board = [None; Square::COUNT];
        for square in state.occupied() {
            board[square.index()] = state.color_on(square).zip(state.piece_on(square));
        }
        let setup = Setup {
            board,
            side_to_move: state.side_to_move(),
            castling: state.castling(),
            halfmove_clock: state.halfmove_clock(),
            ..Setup::default()
        };
        let men = state.occupied().filter_map(|square| {
            let (color, piece) = board[square.index()]?;
            let mut rest = setup.clone();
            rest.board[square.index()] = None;
            let without = rest.validate().ok().map(|(rest, _)| evaluate_fresh(&rest));
            let sign = if color == state.side_to_move() { 1 } else { -1 };
            let worth = without.map(|without| sign * (score - without).cp());
            Some(Man { square, color, piece, worth })
        });
        Self { men: men.collect() }
    }

    /// The men as data, with their worth in centipawns.
    pub fn to_json(&self) -> Value {
        let man = |man: &Man| {
            json!({
                "square": man.square.to_string(),
                "man": man.piece.letter(man.color).to_string(),
                "worth": man.worth,
            })
        };
        self.men.iter().map(man).collect()
    }
}

/// The board, with the worth of each man in pawns behind its letter.
impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "What each man is worth: the pawns that its side would lose with it")?;
        let cell = |square| {
            let Some(man) = self.men.iter().find(|man| man.square == square) else {
                return ".".to_owned();
            };
            let worth = man.worth.map(|worth| format!("{:.2}", f64::from(worth) / 100.0));
            format!("{}{}", man.piece.letter(man.color), worth.unwrap_or_default())
        };
        for rank in Rank::ALL.into_iter().rev() {
            let cells = File::ALL.map(|file| format!("  {:<6}", cell(Square::at(file, rank))));
            writeln!(f, "{}{}", rank.index() + 1, cells.concat().trim_end())?;
        }
        write!(f, "   a       b       c       d       e       f       g       h")
    }
}
