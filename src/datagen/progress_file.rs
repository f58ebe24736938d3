//! The ledger beside a file of samples: what was asked for, what is there.
//!
//! ```text
//! {
//!   "bytes": 51234,
//!   "draws": 21,
//!   …
//!   "settings": { "seed": 1, "nodes": 5000, … }
//! }
//! ```
//!
//! Whatever the file holds beyond its first `bytes` bytes does not count; of those
//! `crc` is the CRC-32.

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::chess::{Color, GameResult};
use crate::datagen::game::Game;

/// What a file of samples holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    pub positions: u64,
    /// Games that White won.
    pub wins: u64,
    pub draws: u64,
    /// Games that Black won.
    pub losses: u64,
}

impl GameCounts {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Counts a game and its samples.
    pub(super) fn add(&mut self, game: &Game) {
        let count = match game.result {
            GameResult::Won(Color::White) => &mut self.wins,
            GameResult::Drawn => &mut self.draws,
            GameResult::Won(Color::Black) => &mut self.losses,
        };
        // What was read from a file may be any number.
        *count = count.saturating_add(1);
        self.positions = self.positions.saturating_add(game.samples.len() as u64);
    }
}

impl fmt::Display for GameCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, wins, draws, losses } = self;
        let games = self.games();
        write!(f, "{games} games, {positions} positions, {wins} wins {draws} draws {losses} losses")
    }
}

/// What is known of a file of samples.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Progress {
    /// What decides the games and their form.
    pub settings: Map<String, Value>,
    pub counts: GameCounts,
    /// The length of the file.
    pub bytes: u64,
    /// The CRC-32 of so many bytes of the file.
    pub checksum: u32,
}

/// Why a text is no progress.
#[derive(Debug, Error)]
pub enum ProgressError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("there is no usable {0:?} in it")]
    Missing(&'static str),
}

impl FromStr for Progress {
    type Err = ProgressError;

    fn from_str(text: &str) -> Result<Self, ProgressError> {
        let json: Value = serde_json::from_str(text)?;
        let number =
            |name| json.get(name).and_then(Value::as_u64).ok_or(ProgressError::Missing(name));
        let settings = json.get("settings").and_then(Value::as_object);
        Ok(Self {
            settings: settings.ok_or(ProgressError::Missing("settings"))?.clone(),
            counts: GameCounts {
                positions: number("positions")?,
                wins: number("wins")?,
                draws: number("draws")?,
                losses: number("losses")?,
            },
            bytes: number("bytes")?,
            checksum: number("crc")?.try_into().map_err(|_| ProgressError::Missing("crc"))?,
        })
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = json!({
            "settings": self.settings,
            "games": self.counts.games(),
            "positions": self.counts.positions,
            "wins": self.counts.wins,
            "draws": self.counts.draws,
            "losses": self.counts.losses,
            "bytes": self.bytes,
            "crc": self.checksum,
        });
        writeln!(f, "{json:#}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TALLY: GameCounts = GameCounts { positions: 130, wins: 5, draws: 4, losses: 3 };

    fn progress() -> Progress {
        let mut settings = Map::new();
        settings.insert("seed".to_owned(), json!(u64::MAX));
        settings.insert("book".to_owned(), json!("3 positions"));
        Progress { settings, counts: TALLY, bytes: 12_345, checksum: u32::MAX }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(progress().to_string().parse::<Progress>().unwrap(), progress());
    }

    #[test]
    fn what_is_no_ledger_is_refused() {
        for text in ["", "{", "[]", "7", "{}", r#"{"settings": 1}"#] {
            assert!(text.parse::<Progress>().is_err(), "{text}");
        }
        for (name, value) in
            [("bytes", "12345"), ("wins", "5"), ("positions", "130"), ("crc", "4294967295")]
        {
            let negative = progress()
                .to_string()
                .replace(&format!("\"{name}\": {value}"), &format!("\"{name}\": -{value}"));
            let error = negative.parse::<Progress>().unwrap_err();
            assert!(matches!(error, ProgressError::Missing(missing) if missing == name), "{error}");
        }
    }

    #[test]
    fn the_closing_line() {
        assert_eq!(TALLY.to_string(), "12 games, 130 positions, 5 wins 4 draws 3 losses");
    }
}
