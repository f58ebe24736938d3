//! What is searched, and what is written.

use std::error::Error;
use std::io;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::annotate::followed_game::FollowedGame;
use crate::annotate::other_engine::OtherEngine;
use crate::annotate::progress_file::ProgressError;
use crate::book;
use crate::chess::Color;
use crate::chess::notation::pgn::PgnGame;
use crate::client::ClientError;
use crate::insight::mark::PlayerLevel;
use crate::search::{Limits, SearcherError, Tables};

/// How games are searched and marked.
#[derive(Clone)]
pub struct AnnotateOptions {
    /// The limits of the first search of each position.
    pub limits: Limits,
    /// A possible fault is searched again with this many times the nodes or the time.
    pub confirm: u32,
    /// The transposition table of each thread, in MiB.
    pub hash_mib: usize,
    pub tables: Tables,
    /// The directories of tables that are not part of the program.
    pub table_paths: Option<String>,
    /// For whom games are judged; by the ratings of the players if it is `None`.
    pub level: Option<PlayerLevel>,
    pub selection: GameSelection,
    /// The engine that searches instead of Lovec.
    pub engine: Option<OtherEngine>,
    /// Plies at the beginning that are not searched as long as the opening has a name.
    pub skip_book: usize,
}

/// Which moves are annotated.
#[derive(Clone, Debug, Default)]
pub struct GameSelection {
    /// The numbers of the games.
    pub games: Option<RangeInclusive<u64>>,
    /// A part of the name of a player, whose moves are annotated.
    pub player: Option<String>,
    /// The side whose moves are annotated; `None` for both.
    pub side: Option<Color>,
}

impl AnnotateOptions {
    /// What the searches depend on, with the version and the signature of the program, under
    /// the names of the command line.
    pub fn to_json(&self, signature: u32) -> Map<String, Value> {
        let Limits { depth, nodes, movetime, .. } = self.limits;
        let GameSelection { games, player, side } = &self.selection;
        let games = games.as_ref().map(|games| format!("{}-{}", games.start(), games.end()));
        let recorded: [(&str, Value); 13] = [
            ("version", env!("CARGO_PKG_VERSION").into()),
            ("signature", format!("{signature:08x}").into()),
            ("nodes", nodes.into()),
            ("depth", depth.into()),
            ("movetime", movetime.map(|time| time.as_millis() as u64).into()),
            ("confirm", self.confirm.into()),
            ("hash", self.hash_mib.into()),
            ("tables", self.table_paths.clone().into()),
            ("level", self.level.map_or("by rating", PlayerLevel::name).into()),
            ("games", games.into()),
            ("player", player.clone().into()),
            ("side", side.map_or("both", |side| ["white", "black"][side.index()]).into()),
            ("skip-book", self.skip_book.into()),
        ];
        let engine = self.engine.iter().flat_map(|engine| {
            let command = engine.command.to_string();
            [("engine", engine.name.clone().into()), ("engine-command", command.into())]
        });
        let recorded = recorded.into_iter().chain(engine);
        recorded.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// For whom a game is judged.
    pub fn level_of(&self, game: &PgnGame) -> PlayerLevel {
        self.level.unwrap_or_else(|| level_of_players(game))
    }

    /// The first position of a game that is searched.
    pub fn first_position(&self, game: &FollowedGame) -> usize {
        let named = book::opening_of_game(game.states()).map_or(0, |(ply, _)| ply);
        named.min(self.skip_book)
    }
}

impl GameSelection {
    /// The sides of a game whose moves are annotated, White first.
    pub fn sides(&self, game: &PgnGame) -> [bool; 2] {
        let is_wanted = |range: &RangeInclusive<u64>| range.contains(&game.number);
        if !self.games.as_ref().is_none_or(is_wanted) {
            return [false; 2];
        }
        Color::ALL.map(|color| {
            let is_side = self.side.is_none_or(|side| side == color);
            is_side && self.player.as_ref().is_none_or(|name| plays(game, color, name))
        })
    }
}

/// The mean rating of experts, at least: that of a FIDE Candidate Master.
const EXPERT_RATING: u32 = 2200;

/// The level of a game by the ratings in its tags. Without any it is a game of a club.
fn level_of_players(game: &PgnGame) -> PlayerLevel {
    let ratings = game.ratings().into_iter().flatten();
    let (sum, count) =
        ratings.fold((0, 0), |(sum, count), rating| (sum + rating.min(9999), count + 1));
    if count > 0 && sum >= EXPERT_RATING * count { PlayerLevel::Expert } else { PlayerLevel::Club }
}

fn plays(game: &PgnGame, color: Color, name: &str) -> bool {
    let player = game.tag(color.name()).unwrap_or_default().to_lowercase();
    player.contains(&name.to_lowercase())
}

/// Why games could not be searched.
#[derive(Debug, Error)]
pub enum AnnotateError {
    #[error(transparent)]
    Searcher(#[from] SearcherError),
    #[error(transparent)]
    Progress(#[from] ProgressError),
    #[error(transparent)]
    Engine(#[from] ClientError),
    /// The games cannot be read on.
    #[error(transparent)]
    Games(Box<dyn Error + Send + Sync>),
}

impl From<io::Error> for AnnotateError {
    fn from(error: io::Error) -> Self {
        SearcherError::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::pgn::PgnReader;

    #[test]
    fn sides_are_selected() {
        let text = "[White \"Novak, Ana\"]\n[Black \"Kos, Jan\"]\n\n1. e4 *\n";
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let sides = |games: Option<RangeInclusive<u64>>, player: Option<&str>, side| {
            GameSelection { games, player: player.map(str::to_owned), side }.sides(&game)
        };
        assert_eq!(sides(None, None, None), [true, true]);
        assert_eq!(sides(Some(2..=3), None, None), [false, false]);
        assert_eq!(sides(Some(1..=1), Some("kos"), None), [false, true]);
        assert_eq!(sides(None, Some("kos"), Some(Color::White)), [false, false]);
    }
}
