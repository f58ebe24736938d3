//! The options that name a position of a game in a PGN file.

use std::fmt;
use std::io::BufRead;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};

use crate::chess::notation::pgn::{
    MoveNumber, PgnError, PgnGame, PgnProblem, PgnReader, ProblemKind,
};
use crate::chess::{Color, Position};
use crate::cli::{source, whole};
use crate::util::counted::counted;

/// Problems of a game that are shown.
const SHOWN_PROBLEMS: usize = 3;

/// A position of a game.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct GameArgs {
    /// Games in PGN, of which one has the position; `-` for the standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "fen"])]
    pgn: Option<PathBuf>,
    /// The number of the game in the file, by default 1
    #[arg(long, value_name = "N", requires = "pgn", conflicts_with_all = ["position", "fen"], value_parser = whole::<u64>(1, u64::MAX))]
    game: Option<u64>,
    /// The position after a move: 17w or 17b for the 17th of White or of Black, or `start`;
    /// by default after the last
    #[arg(long, value_name = "MOVE", requires = "pgn", conflicts_with_all = ["position", "fen"], allow_hyphen_values = true)]
    at: Option<GamePoint>,
}

/// A point of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GamePoint {
    Start,
    After(MoveNumber),
}

impl FromStr for GamePoint {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "a move such as 17w or 17b, or `start`, is expected";
        if text == "start" {
            return Ok(Self::Start);
        }
        let white = text.strip_suffix(['w', 'W']).map(|number| (Color::White, number));
        let black = || text.strip_suffix(['b', 'B']).map(|number| (Color::Black, number));
        let (color, number) = white.or_else(black).ok_or(EXPECTED)?;
        match number.parse() {
            Ok(number @ 1..) if text.starts_with(|c: char| c.is_ascii_digit()) => {
                Ok(Self::After(MoveNumber { number, color }))
            }
            _ => Err(EXPECTED),
        }
    }
}

impl fmt::Display for GamePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("start"),
            Self::After(MoveNumber { number, color }) => write!(f, "{number}{color}"),
        }
    }
}

impl GameArgs {
    /// The end of the first game of a file.
    pub fn of_file(path: PathBuf) -> Self {
        Self { pgn: Some(path), ..Self::default() }
    }

    pub fn is_given(&self) -> bool {
        self.pgn.is_some()
    }

    /// The position and its game, if one is given.
    pub fn read(&self) -> Result<Option<(Position, PgnGame)>> {
        let Some(path) = &self.pgn else { return Ok(None) };
        let number = self.game.unwrap_or(1);
        let name = path.display();
        let (game, games) =
            find(source::open(path)?, number).with_context(|| format!("cannot read {name}"))?;
        let Some(game) = game else {
            ensure!(games > 0, "{name} holds no game");
            bail!("{name} has {}, and no game {number}", counted(games as usize, "game"));
        };
        ensure!(!game.is_other_text(), "{name} holds no game");
        let position = self.position(&game).with_context(|| format!("{name}, game {number}"))?;
        // A position needs no result.
        let is_shown = |problem: &&PgnProblem| problem.kind != ProblemKind::NoResult;
        let shown: Vec<PgnProblem> = game.problems().iter().filter(is_shown).cloned().collect();
        show_problems(&format!("game {number}"), &shown);
        Ok(Some((position, game)))
    }

    fn position(&self, game: &PgnGame) -> Result<Position> {
        let position = match self.at {
            None => game.final_position(),
            Some(GamePoint::Start) => game.start().cloned(),
            Some(GamePoint::After(at)) => game.position_while(|number| number <= at),
        };
        let is_reached = |position: &Position| match self.at {
            None => game.main_line_problem().is_none(),
            Some(GamePoint::Start) => true,
            Some(GamePoint::After(at)) => last_number(position) == Some(at),
        };
        if let Some(position) = position.filter(is_reached) {
            return Ok(position);
        }
        if let Some(problem) = game.main_line_problem() {
            bail!("{problem}");
        }
        bail!("there is no such move; {}", moves_of(game))
    }
}

/// Shows the first problems of a game with its name, and how many more there are.
pub(super) fn show_problems(game: &str, problems: &[PgnProblem]) {
    for problem in problems.iter().take(SHOWN_PROBLEMS) {
        log::warn!("{game}, {problem}");
    }
    if problems.len() > SHOWN_PROBLEMS {
        log::warn!("{game}: {} more problems", problems.len() - SHOWN_PROBLEMS);
    }
}

/// The game of a number, and how many games were read to find it.
fn find(
    source: impl BufRead,
    number: u64,
) -> std::result::Result<(Option<PgnGame>, u64), PgnError> {
    let mut games = 0;
    for game in PgnReader::new(source) {
        let game = game?;
        games = game.number;
        if games == number {
            return Ok((Some(game), games));
        }
    }
    Ok((None, games))
}

/// The number of the last move before a position.
fn last_number(position: &Position) -> Option<MoveNumber> {
    position.previous().map(MoveNumber::next)
}

/// `the game has the moves 1w to 41b`.
fn moves_of(game: &PgnGame) -> String {
    let last = game.final_position().as_ref().and_then(last_number);
    match (game.start().map(|start| MoveNumber::next(start)), last) {
        (Some(first), Some(last)) => {
            let [first, last] = [first, last].map(GamePoint::After);
            format!("the game has the moves {first} to {last}")
        }
        _ => "the game has no moves".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_point_is_read_again() {
        for text in ["start", "1w", "17b", "65535w"] {
            assert_eq!(text.parse::<GamePoint>().unwrap().to_string(), text);
        }
        for text in ["", "w", "17", "0w", "-1w", "+1w", "1 w", "65536w", "17c", "Start"] {
            assert!(text.parse::<GamePoint>().is_err(), "{text}");
        }
    }
}
