//! The notation of results.

use crate::chess::color::Color;
use crate::chess::game_result::GameResult;

/// The result that a text stands for: `1-0`, `0-1` or `1/2-1/2`, with a hyphen or a dash; a
/// draw also as `½-½`, or by one half.
pub fn parse(text: &str) -> Option<GameResult> {
    match text {
        "1-0" | "1–0" => Some(GameResult::Won(Color::White)),
        "0-1" | "0–1" => Some(GameResult::Won(Color::Black)),
        "1/2-1/2" | "1/2–1/2" | "1/2" | "½-½" | "½–½" | "½" => Some(GameResult::Drawn),
        _ => None,
    }
}

/// The notation of a result, `*` for none.
pub fn text(result: Option<GameResult>) -> &'static str {
    match result {
        Some(GameResult::Won(Color::White)) => "1-0",
        Some(GameResult::Won(Color::Black)) => "0-1",
        Some(GameResult::Drawn) => "1/2-1/2",
        None => "*",
    }
}
