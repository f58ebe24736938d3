//! How games end, and the results that samples record.

use crate::chess::adjudication::AdjudicationRules;
use crate::chess::{Color, GameResult};

/// When a game is decided.
pub(super) const RULES: AdjudicationRules = AdjudicationRules {
    winning_score: 1000,
    winning_plies: 4,
    draw_score: 10,
    draw_plies: 10,
    draw_from_ply: 80,
};

/// White's points, as samples print them.
pub(super) fn white_points(result: GameResult) -> &'static str {
    match result {
        GameResult::Won(Color::White) => "1.0",
        GameResult::Drawn => "0.5",
        GameResult::Won(Color::Black) => "0.0",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_white_points() {
        let results =
            [GameResult::Won(Color::White), GameResult::Drawn, GameResult::Won(Color::Black)];
        assert_eq!(results.map(white_points), ["1.0", "0.5", "0.0"]);
    }
}
