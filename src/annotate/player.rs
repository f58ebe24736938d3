//! A player over several games: how the games went, and what the faults have in common.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::annotate::annotated_game::{
    AnnotatedGame, AnnotatedMove, FaultTheme, MoveCounts, SideSummary, rounded,
};
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
    let mut sides: BTreeMap<&str, Vec<PlayedGame<'_>>> = BTreeMap::new();
    for game in games {
        for (color, side) in [(Color::White, &game.white), (Color::Black, &game.black)] {
            let name = game.tag(color.name()).unwrap_or_default().trim();
            let is_known = name.contains(char::is_alphanumeric);
            if let Some(accuracy) = side.accuracy.filter(|_| is_known) {
                let played = PlayedGame { game, color, side, accuracy };
                sides.entry(name).or_default().push(played);
            }
        }
    }
    sides.retain(|_, played| played.len() > 1);
    let mut players: Vec<_> =
        sides.into_iter().map(|(name, played)| summary(name, &played)).collect();
    players.sort_by_key(|player| std::cmp::Reverse(player.games));
    players
}

/// A side of a game.
struct PlayedGame<'a> {
    game: &'a AnnotatedGame,
    color: Color,
    side: &'a SideSummary,
    accuracy: f64,
}

fn summary<'a>(name: &'a str, played: &[PlayedGame<'a>]) -> PlayerSummary<'a> {
    let ended = |result: fn(Color) -> GameResult| {
        played.iter().filter(|it| it.game.result == Some(result(it.color))).count()
    };
    let sum = |part: fn(&SideSummary) -> &MoveCounts| sum_of(played.iter().map(|it| part(it.side)));
    let accuracy = played.iter().map(|it| it.accuracy).sum::<f64>() / played.len() as f64;
    let mut themes: BTreeMap<FaultTheme, Vec<FaultPlace<'_>>> = BTreeMap::new();
    for PlayedGame { game, color, .. } in played {
        let own = game.faults().filter(|(m, _)| m.color == *color);
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
        sums: SideSummary {
            accuracy: Some((10.0 * accuracy).round() / 10.0),
            all: sum(|side| &side.all),
            opening: sum(|side| &side.opening),
            middlegame: sum(|side| &side.middlegame),
            endgame: sum(|side| &side.endgame),
            time_trouble: sum(|side| &side.time_trouble),
        },
        themes,
    }
}

fn sum_of<'a>(parts: impl Iterator<Item = &'a MoveCounts>) -> MoveCounts {
    let mut sum = MoveCounts::default();
    let (mut loss, mut loss_cp) = (0.0, 0.0);
    for part in parts {
        let moves = part.moves as f64;
        sum.moves += part.moves;
        sum.inaccuracies += part.inaccuracies;
        sum.mistakes += part.mistakes;
        sum.blunders += part.blunders;
        loss += moves * part.mean_loss.unwrap_or_default();
        loss_cp += moves * part.mean_loss_cp.unwrap_or_default();
    }
    if sum.moves > 0 {
        let moves = sum.moves as f64;
        sum.mean_loss = Some(rounded(loss / moves));
        sum.mean_loss_cp = Some(rounded(loss_cp / moves));
    }
    sum
}
