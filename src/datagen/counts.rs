//! What a file of samples has.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::{Color, GameResult};
use crate::datagen::game::Game;
use crate::util::store::RecordCounts;

/// The games and positions in a file of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameCounts {
    pub games: u64,
    pub positions: u64,
    /// Games won by White.
    pub wins: u64,
    pub draws: u64,
    /// Games won by Black.
    pub losses: u64,
}

impl RecordCounts for GameCounts {
    const COMMAND: &'static str = "datagen";
    const RECORDS: &'static str = "games";
}

impl GameCounts {
    /// Counts a game and its samples.
    pub(super) fn add(&mut self, game: &Game) {
        let result = match game.result {
            GameResult::Won(Color::White) => &mut self.wins,
            GameResult::Drawn => &mut self.draws,
            GameResult::Won(Color::Black) => &mut self.losses,
        };
        let positions = game.samples.len() as u64;
        // A progress file may contain any numbers.
        *result = result.saturating_add(1);
        self.games = self.games.saturating_add(1);
        self.positions = self.positions.saturating_add(positions);
    }
}

impl fmt::Display for GameCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, positions, wins, draws, losses } = self;
        write!(f, "{games} games, {positions} positions, {wins} wins {draws} draws {losses} losses")
    }
}
