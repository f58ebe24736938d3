//! A player over several games: how the games went, and what the faults have in common.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::annotate::annotated_game::{AnnotatedGame, AnnotatedMove, FaultTheme, SideSummary};
use crate::annotate::summary;
use crate::chess::notation::pgn::MoveNumber;
use crate::chess::{Color, GameResult};
use crate::insight::mark::Fault;

/// A player of several annotated games.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlayerSummary<'a> {
    pub name: &'a str,
    pub games: usize,
    pub wins: usize,
    pub draws: usize,
    pub losses: usize,
    /// The sums of all games; the accuracy is the mean of the games.
    #[serde(flatten)]
    pub sums: SideSummary,
    /// The most frequent first.
    pub themes: Vec<ThemeFaults<'a>>,
}

/// The faults of a theme.
#[derive(Clone, Debug, Serialize)]
pub struct ThemeFaults<'a> {
    pub theme: FaultTheme,
    /// In the order of the games.
    pub faults: Vec<FaultPlace<'a>>,
}

/// A fault, and where it is.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FaultPlace<'a> {
    /// The number of the game in the file.
    pub game: u64,
    pub ply: usize,
    /// `14...`
    #[serde(rename = "move_number")]
    pub number: MoveNumber,
    #[serde(skip)]
    pub san: &'a str,
    #[serde(rename = "mark")]
    pub fault: Fault,
}

/// The players whose moves are annotated in at least two of the games, those with the most games
/// first.
pub fn summaries(games: &[AnnotatedGame]) -> Vec<PlayerSummary<'_>> {
    let mut sides: BTreeMap<&str, Vec<(&AnnotatedGame, Color)>> = BTreeMap::new();
    for game in games {
        for side in Color::ALL {
            let name = game.tag(side.name()).unwrap_or_default().trim();
            if game.is_annotated(side) && name.contains(char::is_alphanumeric) {
                sides.entry(name).or_default().push((game, side));
            }
        }
    }
    sides.retain(|_, played| played.len() > 1);
    let mut players: Vec<_> =
        sides.into_iter().map(|(name, played)| player(name, &played)).collect();
    players.sort_by_key(|player| std::cmp::Reverse(player.games));
    players
}

/// The player of these sides of games.
fn player<'a>(name: &'a str, played: &[(&'a AnnotatedGame, Color)]) -> PlayerSummary<'a> {
    let ended = |result: fn(Color) -> GameResult| {
        played.iter().filter(|(game, side)| game.result == Some(result(*side))).count()
    };
    let moves = played.iter().flat_map(|(game, side)| game.moves_of(*side));
    let accuracies = played.iter().filter_map(|(game, side)| game.side(*side).accuracy);
    let accuracy = accuracies.sum::<f64>() / played.len() as f64;
    let mut themes: BTreeMap<FaultTheme, Vec<FaultPlace<'_>>> = BTreeMap::new();
    for (game, side) in played {
        let own = game.faults().filter(|(m, _)| m.color == *side);
        for (m, fault) in own {
            let &AnnotatedMove { ply, number, ref san, theme, .. } = m;
            let place = FaultPlace { game: game.number, ply, number, san, fault };
            themes.entry(theme.unwrap_or(FaultTheme::Unnamed)).or_default().push(place);
        }
    }
    let mut themes: Vec<ThemeFaults<'_>> =
        themes.into_iter().map(|(theme, faults)| ThemeFaults { theme, faults }).collect();
    themes.sort_by_key(|theme| std::cmp::Reverse(theme.faults.len()));
    PlayerSummary {
        name,
        games: played.len(),
        wins: ended(GameResult::Won),
        draws: ended(|_| GameResult::Drawn),
        losses: ended(|color| GameResult::Won(!color)),
        sums: summary::sums_of(moves, Some(accuracy)),
        themes,
    }
}
