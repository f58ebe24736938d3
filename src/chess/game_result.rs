use serde::Serialize;

use crate::chess::color::Color;
use crate::chess::position::Position;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    Won(Color),
    Drawn,
}

impl GameResult {
    /// The result if the rules end the game here: mate, stalemate, repetition, the
    /// fifty-move rule, insufficient material.
    pub fn by_rule(position: &Position) -> Option<Self> {
        if position.is_checkmate() {
            return Some(Self::Won(!position.side_to_move()));
        }
        DrawKind::of(position).map(|_| Self::Drawn)
    }

    /// The points of a side: 1, 0.5 or 0.
    pub fn points(self, side: Color) -> f32 {
        match self {
            Self::Won(winner) => f32::from(winner == side),
            Self::Drawn => 0.5,
        }
    }
}

/// How a game is drawn by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawKind {
    Stalemate,
    Repetition,
    FiftyMoves,
    InsufficientMaterial,
}

impl DrawKind {
    /// How the rules draw a game in this position.
    pub fn of(position: &Position) -> Option<Self> {
        if position.is_stalemate() {
            Some(Self::Stalemate)
        } else if position.insufficient_material() {
            Some(Self::InsufficientMaterial)
        } else if position.is_repetition(0) {
            Some(Self::Repetition)
        } else if position.is_fifty_move_draw() {
            Some(Self::FiftyMoves)
        } else {
            None
        }
    }
}
