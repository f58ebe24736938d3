//! Searches as the progress file records them.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::annotate::followed_game::FollowedGame;
use crate::annotate::searched_game::{Effort, PositionSearch, SearchedGame};
use crate::chess::notation::uci;
use crate::chess::{Move, Position, State};
use crate::eval::{Score, WinDrawLoss};
use crate::insight::{Examination, SearchedLine};
use crate::search::Stop;

/// Moves of a line that are kept.
pub const MAX_LINE: usize = 32;

/// A search of a position. The game is named by its key, so that it is found again wherever
/// it stands in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// The key of the game, in hexadecimal digits.
    pub game: String,
    pub position: usize,
    pub effort: Effort,
    nodes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_choice: Option<String>,
    lines: Vec<LineRecord>,
}

/// A line; the score is for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct LineRecord {
    score: i32,
    wdl: WinDrawLoss,
    depth: u8,
    moves: String,
}

/// The key of a game as records write it.
pub fn key_text(game: &FollowedGame) -> String {
    format!("{:016x}", game.key())
}

impl SearchRecord {
    pub fn new(
        game: &FollowedGame,
        position: usize,
        effort: Effort,
        search: &PositionSearch,
    ) -> Self {
        let chess960 = game.states()[position].is_chess960();
        let text = |m: Move| uci::format_move(m, chess960);
        let line = |line: &SearchedLine| LineRecord {
            score: line.score.cp(),
            wdl: line.wdl,
            depth: line.depth,
            moves: line.moves.iter().map(|&m| text(m)).collect::<Vec<_>>().join(" "),
        };
        Self {
            game: key_text(game),
            position,
            effort,
            nodes: search.found.nodes,
            first_choice: search.first_choice.map(text),
            lines: search.found.lines.iter().map(line).collect(),
        }
    }

    /// The search; `None` if it is not of this position.
    fn search(&self, position: &State) -> Option<PositionSearch> {
        let position = Position::new(*position);
        let mut lines = Vec::new();
        for LineRecord { score, wdl, depth, moves } in &self.lines {
            let line = uci::parse_line(&position, moves.split_whitespace());
            if line.len() < moves.split_whitespace().count() {
                return None;
            }
            let score = Score::new(*score);
            lines.push(SearchedLine { score, wdl: *wdl, depth: *depth, moves: line });
        }
        if lines.is_empty() {
            return None;
        }
        let first_choice = match &self.first_choice {
            Some(text) => Some(uci::parse_move(&position, text).ok()?),
            None => None,
        };
        Some(PositionSearch { found: Examination { lines, nodes: self.nodes }, first_choice })
    }
}

/// The searches of an earlier run.
#[derive(Debug, Default)]
pub struct EarlierSearches {
    /// By the key of the game, the last of each position and effort: games without a move, or
    /// with the same moves, may be many, and each of them is recorded.
    by_game: HashMap<String, BTreeMap<(usize, Effort), SearchRecord>>,
    /// All of them, those of equal games too.
    count: usize,
}

impl EarlierSearches {
    pub fn add(&mut self, record: SearchRecord) {
        let place = (record.position, record.effort);
        self.by_game.entry(record.game.clone()).or_default().insert(place, record);
        self.count += 1;
    }

    /// How many searches there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Gives a game its searches, as long as it is not stopped. A file may hold the same game
    /// twice.
    pub fn fill(&self, searched: &mut SearchedGame, stop: &Stop) {
        let key = key_text(&searched.game);
        let records = self.by_game.get(&key).into_iter().flat_map(BTreeMap::values);
        for record in records.take_while(|_| !stop.is_stopped()) {
            let Some(position) = searched.game.states().get(record.position) else { continue };
            if let Some(search) = record.search(position) {
                searched.set_search(record.position, record.effort, search);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::chess::notation::pgn::PgnReader;
    use crate::insight::mark::PlayerLevel;

    #[test]
    fn a_written_search_is_read_again() {
        let pgn = PgnReader::new(&b"1. e4 e5 2. Nf3 *"[..]).next().unwrap().unwrap();
        let game = Arc::new(FollowedGame::new(&pgn).unwrap());
        let moves = game.moves()[1..].iter().flatten().copied().collect();
        let line = SearchedLine { score: Score::new(-31), wdl: WinDrawLoss::LOST, moves, depth: 9 };
        let lines = vec![line, SearchedLine::drawn()];
        let first_choice = game.move_at(1);
        let search = PositionSearch { found: Examination { lines, nodes: 77 }, first_choice };
        let record = SearchRecord::new(&game, 1, Effort::Survey, &search);
        let text = serde_json::to_string(&record).unwrap();
        let read: SearchRecord = serde_json::from_str(&text).unwrap();
        assert_eq!(read, record);
        let mut earlier = EarlierSearches::default();
        // The same game once more.
        earlier.add(read.clone());
        earlier.add(read);
        let mut searched = SearchedGame::new(Arc::clone(&game), PlayerLevel::default());
        earlier.fill(&mut searched, &Stop::default());
        assert_eq!(searched.search(1, Effort::Survey), Some(&search));
        assert_eq!(earlier.count(), 2);
        assert_eq!(earlier.by_game.values().map(BTreeMap::len).sum::<usize>(), 1);
        // A record that does not fit the game is not used.
        let mut earlier = EarlierSearches::default();
        earlier.add(SearchRecord { position: 2, ..record.clone() });
        earlier.add(SearchRecord { position: 9, ..record });
        let mut searched = SearchedGame::new(game, PlayerLevel::default());
        earlier.fill(&mut searched, &Stop::default());
        assert!((0..4).all(|position| searched.search(position, Effort::Survey).is_none()));
    }
}
