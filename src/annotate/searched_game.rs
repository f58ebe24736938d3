//! The searches of the positions of a game.
//!
//! Each position is searched once, with the two best lines: the *survey*. The line of the
//! move that was played is that move with the survey of the next position, so that a game
//! of n plies needs n + 1 searches. Where a move loses much, the position is searched once
//! more for longer, with one line: the *confirmation*. If the move still loses much against
//! the best line found then, so is the next position. Two faults in a row share the
//! confirmation of the position between them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::annotate::followed_game::FollowedGame;
use crate::chess::notation::pgn::PgnGame;
use crate::chess::{Move, see};
use crate::eval::Score;
use crate::insight::mark::{Fault, PlayerLevel};
use crate::insight::{Examination, SearchedLine};

/// The share of the loss of an inaccuracy from which a move is searched again: a longer search
/// may find that it loses more.
const SUSPICION: f64 = 0.6;

/// What a sacrifice gives up at least, in centipawns of the exchange.
const SACRIFICE: i32 = 200;

/// Which search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    Survey,
    Confirmation,
}

/// A search to be done.
pub struct SearchTask {
    /// The index of the game among all items.
    pub index: usize,
    pub pgn: Arc<PgnGame>,
    pub game: Arc<FollowedGame>,
    /// The index of the position in the game.
    pub position: usize,
    pub effort: Effort,
    /// The lines of a confirmation: two where the move played seems the only good one.
    pub lines: usize,
    pub level: PlayerLevel,
}

/// The search of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionSearch {
    pub found: Examination,
    /// The first choice of a shallow search, where the only good move was played.
    pub first_choice: Option<Move>,
}

/// The searches of a game.
#[derive(Clone, Debug)]
pub struct SearchedGame {
    pub game: Arc<FollowedGame>,
    pub level: PlayerLevel,
    /// By position.
    searches: BTreeMap<(usize, Effort), PositionSearch>,
}

impl SearchedGame {
    /// A game without any search.
    pub fn new(game: Arc<FollowedGame>, level: PlayerLevel) -> Self {
        Self { game, level, searches: BTreeMap::new() }
    }

    /// A search of a position.
    pub fn search(&self, position: usize, effort: Effort) -> Option<&PositionSearch> {
        self.searches.get(&(position, effort))
    }

    /// Keeps a search of a position.
    pub fn set_search(&mut self, position: usize, effort: Effort, search: PositionSearch) {
        self.searches.insert((position, effort), search);
    }

    /// The nodes of all searches.
    pub fn nodes(&self) -> u64 {
        self.searches.values().map(|search| search.found.nodes).sum()
    }

    /// The longest search of a position that there is.
    pub fn deepest(&self, position: usize) -> Option<&PositionSearch> {
        let search = |effort| self.search(position, effort);
        search(Effort::Confirmation).or_else(|| search(Effort::Survey))
    }

    /// The best line before a ply and the line of the move played, by the same effort, or by
    /// the survey if the next position has no confirmation.
    pub fn lines(&self, ply: usize, effort: Effort) -> Option<(&SearchedLine, SearchedLine)> {
        let best = self.search(ply, effort)?.found.lines.first()?;
        let reply = self.search(ply + 1, effort).or_else(|| self.search(ply + 1, Effort::Survey));
        let reply = reply?.found.lines.first()?;
        Some((best, SearchedLine::beginning_with(self.game.move_at(ply)?, reply)))
    }

    /// The expected score that the move at a ply loses; `None` without the searches. A move
    /// in a drawn position loses nothing.
    pub fn loss(&self, ply: usize, effort: Effort) -> Option<f64> {
        let (best, played) = self.lines(ply, effort)?;
        Some(if best.moves.is_empty() { 0.0 } else { self.level.loss(best, &played) })
    }

    /// The fault of the move at a ply by a search of some effort.
    pub fn fault(&self, ply: usize, effort: Effort) -> Option<Fault> {
        self.level.fault(self.loss(ply, effort)?)
    }

    /// Whether the move at a ply loses so much by a search of some effort that a longer one may
    /// find a fault.
    pub fn may_be_fault(&self, ply: usize, effort: Effort) -> bool {
        let least = SUSPICION * self.level.thresholds().inaccuracy;
        self.loss(ply, effort).is_some_and(|loss| loss >= least)
    }

    /// Whether the move at a ply was the only good one by a search of some effort: the best of
    /// several, and the second best is clearly worse.
    pub fn is_only_move(&self, ply: usize, effort: Effort) -> bool {
        let search = self.search(ply, effort);
        search.is_some_and(|search| is_only_move(&self.game, ply, &search.found, self.level))
    }

    /// Whether the move at a ply gives material up.
    pub fn is_sacrifice(&self, ply: usize) -> bool {
        let played = self.game.move_at(ply);
        played.is_some_and(|m| !see::see_at_least(&self.game.states()[ply], m, 1 - SACRIFICE))
    }

    /// Whether the move at a ply is hard to see: a shallow search chooses another one, or it gives
    /// material up and takes nothing.
    pub fn is_hard_to_see(&self, ply: usize) -> bool {
        let (played, survey) = (self.game.move_at(ply), self.search(ply, Effort::Survey));
        let is_chosen = survey.is_some_and(|survey| survey.first_choice == played);
        !is_chosen || played.is_some_and(|m| !m.is_noisy()) && self.is_sacrifice(ply)
    }

    /// Whether a move at a ply takes back what was taken, without a loss, and the move played
    /// takes less.
    pub fn is_plain_recapture(&self, ply: usize, m: Move) -> bool {
        let state = &self.game.states()[ply];
        let taken = |m: Move| state.captured(m).map_or(0, see::value);
        is_recapture(&self.game, ply, m)
            && see::see_at_least(state, m, 0)
            && self.game.move_at(ply).is_none_or(|played| taken(played) < taken(m))
    }
}

/// Whether a move at a ply takes what has just taken.
fn is_recapture(game: &FollowedGame, ply: usize, m: Move) -> bool {
    let before = ply.checked_sub(1).and_then(|ply| game.move_at(ply));
    before.is_some_and(|before| before.is_capture() && before.to() == m.to())
}

/// As [`SearchedGame::is_only_move`]: the second best move would be a blunder. Takings-back,
/// captures that win material and mates at once need no praise.
pub fn is_only_move(
    game: &FollowedGame,
    ply: usize,
    found: &Examination,
    level: PlayerLevel,
) -> bool {
    let (Some(played), [best, second, ..]) = (game.move_at(ply), &found.lines[..]) else {
        return false;
    };
    let state = &game.states()[ply];
    let wins_material = played.is_noisy() && see::see_at_least(state, played, 1);
    best.moves.first() == Some(&played)
        && level.loss(best, second) >= level.thresholds().blunder
        && best.score != Score::mate_in(1)
        && !is_recapture(game, ply, played)
        && !wins_material
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::pgn::PgnReader;

    #[test]
    fn an_offer_is_hard_to_see_and_another_first_choice_is_not() {
        for (text, is_hard) in [("50. Qh6+", true), ("50. Qg3", false), ("50. Qxd6", false)] {
            let fen = "2R5/4bppk/1p1p4/5R1P/4PQ2/5P2/r4q1P/7K w - - 5 50";
            let pgn = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{text} *\n");
            let pgn = PgnReader::new(pgn.as_bytes()).next().unwrap().unwrap();
            let game = Arc::new(FollowedGame::new(&pgn).unwrap());
            let first_choice = game.move_at(0);
            let found = Examination { lines: Vec::new(), nodes: 1 };
            let mut searched = SearchedGame::new(game, PlayerLevel::default());
            assert!(searched.is_hard_to_see(0), "{text}");
            searched.set_search(0, Effort::Survey, PositionSearch { found, first_choice });
            assert_eq!(searched.is_hard_to_see(0), is_hard, "{text}");
        }
    }
}
