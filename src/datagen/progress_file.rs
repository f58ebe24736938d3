//! The progress file next to a file of samples: the options, and the valid content.
//!
//! ```text
//! {
//!   "bytes": 51234,
//!   "crc": 2596996162,
//!   "draws": 21,
//!   …
//!   "settings": { "openings": "start position", "gzip": false, … }
//! }
//! ```
//!
//! Only the first `bytes` bytes of the samples are valid; `crc` is their CRC-32. At most
//! `pending` bytes of a batch follow.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::chess::{Color, GameResult};
use crate::datagen::game::Game;

/// The games and positions in a file of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameCounts {
    pub positions: u64,
    /// Games won by White.
    pub wins: u64,
    pub draws: u64,
    /// Games won by Black.
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
        // A progress file may contain any numbers.
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

/// The contents of a progress file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ProgressFile {
    /// The options that determine the games and the form of the file.
    #[serde(rename = "settings")]
    pub options: Map<String, Value>,
    #[serde(flatten)]
    pub counts: GameCounts,
    /// The number of valid bytes.
    pub bytes: u64,
    /// The number of bytes that are being written behind them.
    #[serde(default)]
    pub pending: u64,
    /// The CRC-32 of the valid bytes.
    #[serde(rename = "crc")]
    pub checksum: u32,
}

impl ProgressFile {
    /// The contents of the file, with the number of games for other programs.
    pub fn with_games(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct WithGames<'p> {
            games: u64,
            #[serde(flatten)]
            progress: &'p ProgressFile,
        }
        WithGames { games: self.counts.games(), progress: self }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const COUNTS: GameCounts = GameCounts { positions: 130, wins: 5, draws: 4, losses: 3 };

    const TEXT: &str = r#"{
  "bytes": 12345,
  "crc": 4294967295,
  "draws": 4,
  "games": 12,
  "losses": 3,
  "pending": 70,
  "positions": 130,
  "settings": {
    "openings": "3 positions",
    "seed": 18446744073709551615
  },
  "wins": 5
}
"#;

    #[test]
    fn a_file_is_written_and_read_back() {
        let options = json!({ "seed": u64::MAX, "openings": "3 positions" });
        let options = options.as_object().unwrap().clone();
        let (bytes, pending, checksum) = (12_345, 70, u32::MAX);
        let progress = ProgressFile { options, counts: COUNTS, bytes, pending, checksum };
        let written = serde_json::to_value(progress.with_games()).unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(TEXT).unwrap());
        assert_eq!(serde_json::from_str::<ProgressFile>(TEXT).unwrap(), progress);
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in ["", "{", "[]", "7", "{}", r#"{"settings": 1}"#] {
            assert!(serde_json::from_str::<ProgressFile>(text).is_err(), "{text}");
        }
        for name in ["bytes", "pending", "wins", "positions", "crc"] {
            let negative = TEXT.replace(&format!("\"{name}\": "), &format!("\"{name}\": -"));
            assert!(serde_json::from_str::<ProgressFile>(&negative).is_err(), "{negative}");
        }
    }

    #[test]
    fn counts_are_printed() {
        assert_eq!(COUNTS.to_string(), "12 games, 130 positions, 5 wins 4 draws 3 losses");
    }
}
