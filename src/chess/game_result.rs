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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::uci;

    #[test]
    fn the_rules_end_games() {
        let result = |fen: &str| GameResult::by_rule(&Position::from_fen(fen).unwrap());
        let mate = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 99 70";
        assert_eq!(result(mate), Some(GameResult::Won(Color::White)));
        let mate = "6k1/8/8/8/8/8/5PPP/r5K1 w - - 100 70";
        assert_eq!(result(mate), Some(GameResult::Won(Color::Black)));
        for drawn in [
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "8/8/8/8/8/8/8/K1k3B1 w - - 0 1",
            "8/8/8/8/8/8/7R/K1k5 w - - 100 90",
        ] {
            assert_eq!(result(drawn), Some(GameResult::Drawn), "{drawn}");
        }
        assert_eq!(result("8/8/8/8/8/8/7R/K1k5 w - - 99 90"), None);
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let mut position = Position::startpos();
        let mut results = Vec::new();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            position.make(uci::parse_move(&position, text).unwrap());
            results.push(GameResult::by_rule(&position));
        }
        assert_eq!(results.pop(), Some(Some(GameResult::Drawn)));
        assert!(results.iter().all(Option::is_none));
    }
}
