//! The options that determine the games.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::chess::notation::openings::OpeningList;

/// What determines the games: the same options give the same games.
#[derive(Clone, Debug)]
pub struct DatagenOptions {
    /// The seed of all random numbers.
    pub seed: u64,
    /// Nodes to search for each move.
    pub nodes: u64,
    /// Random moves at the beginning; every other game has one more.
    pub random_plies: u32,
    /// Maximum number of positions to keep of a game.
    pub per_game: usize,
    /// The positions from which games begin, before the random moves.
    pub openings: OpeningList,
}

/// The options in the progress file, under their names on the command line.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct RecordedOptions {
    version: &'static str,
    signature: String,
    seed: u64,
    nodes: u64,
    random_plies: u32,
    per_game: usize,
    book: String,
    first_game: u64,
}

impl DatagenOptions {
    /// The options as the progress file records them, with the version and the
    /// [`signature`](crate::datagen::signature) of the program, and the number of the first
    /// game of the file.
    pub(super) fn to_json(&self, signature: u32, first_game: u64) -> Map<String, Value> {
        let recorded = RecordedOptions {
            version: env!("CARGO_PKG_VERSION"),
            signature: format!("{signature:08x}"),
            seed: self.seed,
            nodes: self.nodes,
            random_plies: self.random_plies,
            per_game: self.per_game,
            book: self.openings.name(),
            first_game,
        };
        match serde_json::to_value(recorded) {
            Ok(Value::Object(recorded)) => recorded,
            _ => Map::new(),
        }
    }
}
