//! Adjudication: the end of a game that is decided, since the rest would cost time and
//! contribute little.

use crate::chess::{Color, GameResult};

/// A game still undecided at this ply is drawn.
const MAX_PLIES: usize = 400;

/// When a game is decided. Scores are in centipawns.
#[derive(Clone, Copy, Debug)]
pub struct AdjudicationRules {
    /// A game is won by a side with this score …
    winning_score: i32,
    /// … for this many plies in a row.
    winning_plies: u32,
    /// A game is drawn at a score up to this …
    draw_score: i32,
    /// … for this many plies in a row …
    draw_plies: u32,
    /// … but not before this ply, since openings are level too.
    draw_from_ply: usize,
}

/// Follows the scores of a game and ends it when it is decided.
#[derive(Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    /// The winning side, and for how many plies.
    leader: Option<Color>,
    winning_plies: u32,
    /// For how many plies the game has been level.
    level_plies: u32,
}

impl Adjudicator {
    /// An adjudicator at the start of a game.
    pub fn new(rules: AdjudicationRules) -> Self {
        Self { rules, leader: None, winning_plies: 0, level_plies: 0 }
    }

    /// Adds the score at a ply, from White's side, and returns the result if the game
    /// ends here.
    pub fn judge(&mut self, ply: usize, score: i32) -> Option<GameResult> {
        let leader = self.rules.leader(score);
        self.winning_plies = if leader == self.leader { self.winning_plies + 1 } else { 1 };
        self.leader = leader;
        let is_level = score.abs() <= self.rules.draw_score;
        self.level_plies = if is_level { self.level_plies + 1 } else { 0 };

        if self.winning_plies >= self.rules.winning_plies
            && let Some(winner) = leader
        {
            return Some(GameResult::Won(winner));
        }
        let level = self.level_plies >= self.rules.draw_plies && ply >= self.rules.draw_from_ply;
        (level || ply >= MAX_PLIES).then_some(GameResult::Drawn)
    }
}

impl AdjudicationRules {
    /// For matches: a game is won with 600 centipawns on three moves of both players in a row,
    /// and drawn after move 34 with at most 12 centipawns for 8 plies.
    pub const MATCH: Self = Self {
        winning_score: 600,
        winning_plies: 6,
        draw_score: 12,
        draw_plies: 8,
        draw_from_ply: 68,
    };

    /// For games of Lovec against itself: a game is won with 1000 centipawns on two moves of
    /// both players in a row, and drawn after move 40 with at most 10 centipawns for 10 plies.
    pub const SELF_PLAY: Self = Self {
        winning_score: 1000,
        winning_plies: 4,
        draw_score: 10,
        draw_plies: 10,
        draw_from_ply: 80,
    };

    /// These rules with wins alone, for scores that are level without the game being so, such
    /// as in an evaluation of material alone.
    pub const fn wins_only(self) -> Self {
        Self { draw_score: -1, ..self }
    }

    /// The winning side by a score from White's side.
    fn leader(&self, score: i32) -> Option<Color> {
        if score >= self.winning_score {
            Some(Color::White)
        } else if score <= -self.winning_score {
            Some(Color::Black)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: AdjudicationRules = AdjudicationRules::SELF_PLAY;

    /// The result after each of the scores, the first of them at `ply`.
    fn results(ply: usize, scores: &[i32]) -> Vec<Option<GameResult>> {
        let mut adjudicator = Adjudicator::new(RULES);
        (ply..).zip(scores).map(|(ply, &score)| adjudicator.judge(ply, score)).collect()
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
        assert_eq!(results(RULES.draw_from_ply, &level).last(), Some(&Some(GameResult::Drawn)));
        assert!(results(RULES.draw_from_ply, &level[1..]).iter().all(Option::is_none));
        let mut uneven = level;
        uneven[5] = -11;
        assert!(results(RULES.draw_from_ply, &uneven).iter().all(Option::is_none));
    }

    #[test]
    fn an_early_game_is_not_drawn_for_being_level() {
        let early = results(0, &[0; RULES.draw_from_ply]);
        assert!(early.iter().all(Option::is_none));
        // Earlier level plies count.
        assert_eq!(results(1, &[0; RULES.draw_from_ply]).last(), Some(&Some(GameResult::Drawn)));
    }

    #[test]
    fn level_games_may_go_on() {
        let mut adjudicator = Adjudicator::new(RULES.wins_only());
        assert!((100..399).all(|ply| adjudicator.judge(ply, 0).is_none()));
    }

    #[test]
    fn a_long_game_is_drawn() {
        let scores = [50; 2];
        assert_eq!(results(MAX_PLIES - 1, &scores), [None, Some(GameResult::Drawn)]);
        // Unless it is won at that ply.
        let won = results(MAX_PLIES - 3, &[1000; 4]);
        assert_eq!(won.last(), Some(&Some(GameResult::Won(Color::White))));
    }
}
