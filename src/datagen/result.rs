//! How games end: by the rules, or by adjudication.

use crate::chess::{Color, GameResult, Position};
use crate::eval::Score;

/// A game is won by a side with this score …
const WINNING_SCORE: Score = Score::new(1000);
/// … for this many plies in a row.
const WINNING_PLIES: u32 = 4;
/// A game is drawn at a score up to this …
const DRAW_SCORE: Score = Score::new(10);
/// … for this many plies in a row …
const DRAW_PLIES: u32 = 10;
/// … but not before this ply, since openings are level too.
const DRAW_FROM_PLY: usize = 80;
/// A game still undecided at this ply is drawn.
const MAX_PLIES: usize = 400;

/// White's points, as samples print them.
pub(super) fn white_points(result: GameResult) -> &'static str {
    match result {
        GameResult::Won(Color::White) => "1.0",
        GameResult::Drawn => "0.5",
        GameResult::Won(Color::Black) => "0.0",
    }
}

/// The result if the rules end the game here: mate, stalemate, repetition, the fifty-move
/// rule, insufficient material.
pub(super) fn by_rule(position: &Position) -> Option<GameResult> {
    if position.is_checkmate() {
        return Some(GameResult::Won(!position.side_to_move()));
    }
    (position.is_stalemate() || position.is_draw(0)).then_some(GameResult::Drawn)
}

/// Follows the scores of a game and ends it when it is decided, since the rest would cost
/// time and contribute little.
#[derive(Debug, Default)]
pub(super) struct Adjudicator {
    /// The winning side, and for how many plies.
    leader: Option<Color>,
    winning_plies: u32,
    /// For how many plies the game has been level.
    level_plies: u32,
}

impl Adjudicator {
    /// Adds the score at a ply, from White's side, and returns the result if the game
    /// ends here.
    pub fn judge(&mut self, ply: usize, score: Score) -> Option<GameResult> {
        let leader = leader(score);
        self.winning_plies = if leader == self.leader { self.winning_plies + 1 } else { 1 };
        self.leader = leader;
        self.level_plies = if score.abs() <= DRAW_SCORE { self.level_plies + 1 } else { 0 };

        if self.winning_plies >= WINNING_PLIES
            && let Some(winner) = leader
        {
            return Some(GameResult::Won(winner));
        }
        let level = self.level_plies >= DRAW_PLIES && ply >= DRAW_FROM_PLY;
        (level || ply >= MAX_PLIES).then_some(GameResult::Drawn)
    }
}

/// The winning side by a score from White's side.
fn leader(score: Score) -> Option<Color> {
    if score >= WINNING_SCORE {
        Some(Color::White)
    } else if score <= -WINNING_SCORE {
        Some(Color::Black)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::uci;

    /// The result after each of the scores, the first of them at `ply`.
    fn results(ply: usize, scores: &[i32]) -> Vec<Option<GameResult>> {
        let mut adjudicator = Adjudicator::default();
        (ply..).zip(scores).map(|(ply, &cp)| adjudicator.judge(ply, Score::new(cp))).collect()
    }

    #[test]
    fn a_side_that_stays_far_ahead_wins() {
        let white = Some(GameResult::Won(Color::White));
        let black = Some(GameResult::Won(Color::Black));
        assert_eq!(results(20, &[1000, 1500, 1000, 30_990]), [None, None, None, white]);
        assert_eq!(results(0, &[-1000, -1001, -9000, -1000]), [None, None, None, black]);
    }

    #[test]
    fn an_interrupted_lead_restarts_the_count() {
        for scores in [
            [1000, 1000, 1000, 999, 1000, 1000, 1000],
            [1000, 1000, 1000, -1000, -1000, -1000, 1000],
            [999, 999, 999, 999, 1000, 1000, 1000],
        ] {
            assert!(results(20, &scores).iter().all(Option::is_none), "{scores:?}");
        }
    }

    #[test]
    fn a_late_game_that_stays_level_is_drawn() {
        let level = [10, -10, 0, 5, 0, 0, 0, 0, 0, -10];
        assert_eq!(results(DRAW_FROM_PLY, &level).last(), Some(&Some(GameResult::Drawn)));
        assert!(results(DRAW_FROM_PLY, &level[1..]).iter().all(Option::is_none));
        let mut uneven = level;
        uneven[5] = -11;
        assert!(results(DRAW_FROM_PLY, &uneven).iter().all(Option::is_none));
    }

    #[test]
    fn an_early_game_is_not_drawn_for_being_level() {
        let early = results(0, &[0; DRAW_FROM_PLY]);
        assert!(early.iter().all(Option::is_none));
        // Earlier level plies count.
        assert_eq!(results(1, &[0; DRAW_FROM_PLY]).last(), Some(&Some(GameResult::Drawn)));
    }

    #[test]
    fn a_long_game_is_drawn() {
        let scores = [50; 2];
        assert_eq!(results(MAX_PLIES - 1, &scores), [None, Some(GameResult::Drawn)]);
        // Unless it is won at that ply.
        let won = results(MAX_PLIES - 3, &[1000; 4]);
        assert_eq!(won.last(), Some(&Some(GameResult::Won(Color::White))));
    }

    #[test]
    fn the_rules_end_games() {
        let result = |fen: &str| by_rule(&Position::from_fen(fen).unwrap());
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
            results.push(by_rule(&position));
        }
        assert_eq!(results.pop(), Some(Some(GameResult::Drawn)));
        assert!(results.iter().all(Option::is_none));
    }

    #[test]
    fn results_are_white_points() {
        let results =
            [GameResult::Won(Color::White), GameResult::Drawn, GameResult::Won(Color::Black)];
        assert_eq!(results.map(white_points), ["1.0", "0.5", "0.0"]);
    }
}
