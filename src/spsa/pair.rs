//! A pair of games from one opening, with reversed colours.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::chess::adjudication::{AdjudicationRules, Adjudicator};
use crate::chess::{Color, GameResult, Position};
use crate::client::{EngineClient, GoLimit};
use crate::spsa::SpsaError;

/// What ends the search for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveLimit {
    Nodes(u64),
    /// Milliseconds for the game and for each move.
    Clock {
        base: u64,
        increment: u64,
    },
}

/// The limit of the first search.
impl From<MoveLimit> for GoLimit {
    fn from(limit: MoveLimit) -> Self {
        match limit {
            MoveLimit::Nodes(nodes) => Self::Nodes(nodes),
            MoveLimit::Clock { base, increment } => Self::Clock {
                left: [Duration::from_millis(base); 2],
                increment: Duration::from_millis(increment),
            },
        }
    }
}

/// Two players, and what their games have in common.
pub(super) struct Table<'a> {
    pub players: [EngineClient<'a>; 2],
    pub limit: GoLimit,
    /// Whether to end the game early.
    pub is_stopped: &'a dyn Fn() -> bool,
}

impl Table<'_> {
    /// Plays a pair of games with these options of the players; returns the first player's
    /// wins less its losses, or `None` if the games were stopped.
    pub fn play_pair(
        &mut self,
        opening: &Position,
        options: &[Vec<(&str, i32)>; 2],
    ) -> Result<Option<i32>, SpsaError> {
        let mut result = 0;
        for first in Color::ALL {
            for (player, options) in self.players.iter_mut().zip(options) {
                for (name, value) in options {
                    player.set_option(name, &value.to_string())?;
                }
                player.new_game()?;
            }
            result += match self.play_game(opening, first)? {
                Some(GameResult::Won(winner)) if winner == first => 1,
                Some(GameResult::Won(_)) => -1,
                Some(GameResult::Drawn) => 0,
                None => return Ok(None),
            };
        }
        Ok(Some(result))
    }

    /// Plays a game in which the first player has the colour `first`.
    fn play_game(
        &mut self,
        opening: &Position,
        first: Color,
    ) -> Result<Option<GameResult>, SpsaError> {
        let mut position = opening.clone();
        let mut moves = Vec::new();
        let mut limit = self.limit;
        let mut adjudicator = Adjudicator::new(AdjudicationRules::MATCH);
        loop {
            if let Some(result) = GameResult::by_rule(&position) {
                return Ok(Some(result));
            }
            if (self.is_stopped)() {
                return Ok(None);
            }
            let side = position.side_to_move();
            let player = &mut self.players[usize::from(side != first)];
            let start = Instant::now();
            let answer = player.search(opening, &moves, limit)?;
            if !press(&mut limit, side, start.elapsed()) {
                return Ok(Some(GameResult::Won(!side)));
            }
            // The game is not over, so the client has a legal move.
            let Some(m) = answer.best else { return Ok(None) };
            if let Some(line) = answer.line().filter(|line| line.is_exact)
                && let Some(result) =
                    adjudicator.judge(position.plies(), line.score.cp() * side.sign())
            {
                return Ok(Some(result));
            }
            position.make(m);
            moves.push(m);
        }
    }
}

/// Subtracts the time of a move from a clock; `false` if that is more than the player had.
fn press(limit: &mut GoLimit, side: Color, elapsed: Duration) -> bool {
    let GoLimit::Clock { left, increment } = limit else { return true };
    // Whole milliseconds, which are what the player is told.
    let elapsed = Duration::from_millis(elapsed.as_millis() as u64);
    let left = &mut left[side.index()];
    let in_time = elapsed <= *left;
    *left = left.saturating_sub(elapsed) + *increment;
    in_time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run_for_the_side_to_move() {
        let [second, three] = [1000, 3000].map(Duration::from_millis);
        let mut limit = MoveLimit::Clock { base: 3000, increment: 30 }.into();
        assert!(press(&mut limit, Color::White, second));
        assert_eq!(limit.to_string(), "go wtime 2030 btime 3000 winc 30 binc 30");
        assert!(press(&mut limit, Color::Black, three) && !press(&mut limit, Color::White, three));
        let mut limit = MoveLimit::Nodes(500).into();
        assert!(press(&mut limit, Color::White, three));
        assert_eq!(limit.to_string(), "go nodes 500");
    }
}
