//! The game that is played: its moves, its result, and its text.

use std::time::SystemTime;

use crate::chess::notation::pgn::PgnGame;
use crate::chess::{Color, DrawKind, GameResult, Move, Position};
use crate::cli::play::clock::TimeControl;
use crate::search::strength::ELO;

/// A game between a person and Lovec.
#[derive(Clone, Debug)]
pub(super) struct GameRecord {
    pub position: Position,
    /// The side of the person.
    pub person: Color,
    /// How the players ended the game, without the rules.
    pub end: Option<GameEnd>,
    /// The names of people with the white and the black pieces; Lovec's side needs none.
    names: [String; 2],
    /// When it began, as in the tag *Date*.
    date: String,
}

/// An end of the game by its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameEnd {
    /// The person resigns.
    Resignation,
    Draw,
    /// The time of this side is over.
    TimeForfeit(Color),
}

/// The tag *Event* of a game that is kept.
const EVENT: &str = "lovec play";

const LOVEC: &str = "Lovec";

/// The name of a person who has none.
const PERSON: &str = "Person";

/// Who played a game that [`GameRecord::pgn`] has written, and how fast.
#[derive(Clone, Copy, Debug)]
pub(super) struct Players {
    pub person: Color,
    /// Lovec's rating; `None` for full strength.
    pub elo: Option<i32>,
    pub control: Option<TimeControl>,
}

impl Players {
    /// `None` for other games.
    pub fn of(game: &PgnGame) -> Option<Self> {
        let is_lovec = ["White", "Black"].map(|tag| game.tag(tag) == Some(LOVEC));
        let person = match is_lovec {
            [true, false] => Color::Black,
            [false, true] => Color::White,
            _ => return None,
        };
        let elo = game.ratings()[(!person).index()].and_then(|elo| i32::try_from(elo).ok());
        let elo = elo.filter(|elo| ELO.contains(elo));
        let control = game.tag("TimeControl").and_then(TimeControl::of_tag);
        (game.tag("Event") == Some(EVENT)).then_some(Self { person, elo, control })
    }
}

/// What a move after the end of the game gets.
pub(super) const OVER: &str = "the game is over; `why`, `undo`, `save`, `new`, `load` or `quit`";

impl GameRecord {
    /// A game from a position, perhaps of an earlier game, whose players keep their names.
    pub fn new(position: Position, person: Color, earlier: Option<&PgnGame>) -> Self {
        let name = |tag| earlier?.tag(tag).filter(|name| !["", "?", LOVEC].contains(name));
        let names = ["White", "Black"].map(|tag| name(tag).unwrap_or(PERSON).to_owned());
        Self { position, person, end: None, names, date: date(SystemTime::now()) }
    }

    /// Whether it is the person's turn.
    pub fn is_persons_turn(&self) -> bool {
        self.position.side_to_move() == self.person
    }

    /// The result, and the words for it.
    pub fn result(&self) -> Option<(GameResult, &'static str)> {
        match self.end {
            Some(GameEnd::Resignation) => {
                return Some((GameResult::Won(!self.person), "You resign."));
            }
            Some(GameEnd::Draw) => return Some((GameResult::Drawn, "Draw agreed.")),
            Some(GameEnd::TimeForfeit(side)) if self.position.color(!side).len() == 1 => {
                return Some((GameResult::Drawn, "Time is over, and nobody can mate: a draw."));
            }
            Some(GameEnd::TimeForfeit(side)) => {
                let yours = side == self.person;
                let words = if yours { "Your time is over." } else { "Lovec's time is over." };
                return Some((GameResult::Won(!side), words));
            }
            None => {}
        }
        let result = GameResult::by_rule(&self.position)?;
        let words = match (result, DrawKind::of(&self.position)) {
            (GameResult::Won(_), _) => "Checkmate.",
            (_, Some(DrawKind::Stalemate)) => "Stalemate: a draw.",
            (_, Some(DrawKind::Repetition)) => "The position has come three times: a draw.",
            (_, Some(DrawKind::FiftyMoves)) => {
                "Fifty moves without a capture or pawn move: a draw."
            }
            (_, Some(DrawKind::InsufficientMaterial) | None) => "Nobody can mate any more: a draw.",
        };
        Some((result, words))
    }

    /// The position before the person's last move, and that move.
    pub fn last_of_person(&self) -> Option<(Position, Move)> {
        let mut earlier = self.position.clone();
        while let Some(m) = earlier.last_move() {
            earlier.unmake();
            if earlier.side_to_move() == self.person {
                return Some((earlier, m));
            }
        }
        None
    }

    /// Takes back how the players ended the game, or else moves to the person's last turn. Returns
    /// whether there was one.
    pub fn undo(&mut self) -> bool {
        if self.end.take().is_some() {
            return true;
        }
        let Some((earlier, _)) = self.last_of_person() else { return false };
        self.position = earlier;
        true
    }

    /// The game as PGN, with Lovec's rating if it has one.
    pub fn pgn(&self, elo: Option<i32>, control: Option<TimeControl>) -> String {
        let (start, moves) = self.position.start_and_moves();
        let moves = moves.into_iter().map(|m| (m, String::new()));
        let lovec = (!self.person).index();
        let mut names = self.names.each_ref().map(String::as_str);
        names[lovec] = LOVEC;
        let [white, black] = names;
        let elo_tag = ["WhiteElo", "BlackElo"][lovec];
        let tags = [("Event", EVENT), ("Site", "?"), ("Date", &self.date), ("Round", "-")];
        let tags = tags.into_iter().chain([("White", white), ("Black", black)]);
        let tags = tags.map(|(name, value)| (name, value.to_owned()));
        let tags = tags.chain(elo.map(|elo| (elo_tag, elo.to_string())));
        let tags = tags.chain(control.map(|control| ("TimeControl", control.to_string())));
        let result = self.result().map(|(result, _)| result);
        let termination = match self.end {
            Some(GameEnd::TimeForfeit(_)) => "time forfeit",
            _ => "normal",
        };
        let tags = tags.chain(result.map(|_| ("Termination", termination.to_owned())));
        format!("{}\n", PgnGame::new(tags, &start, moves, result))
    }
}

/// The day of a time in UTC, as in the tag *Date*: `2026.02.28`; without digits before 1970 and
/// after 9999.
fn date(now: SystemTime) -> String {
    let since_1970 = now.duration_since(SystemTime::UNIX_EPOCH);
    let mut days = since_1970.map_or(u64::MAX, |time| time.as_secs() / (24 * 60 * 60));
    let mut months = (1970_u64..=9999).flat_map(|year| (1..=12).map(move |month| (year, month)));
    let found = months.find(|&(year, month)| {
        let is_leap = year.is_multiple_of(if year.is_multiple_of(100) { 400 } else { 4 });
        let length = match month {
            2 => 28 + u64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let is_here = days < length;
        days -= if is_here { 0 } else { length };
        is_here
    });
    let text = found.map(|(year, month)| format!("{year}.{month:02}.{:02}", days + 1));
    text.unwrap_or_else(|| "????.??.??".to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_date_is_that_of_the_calendar() {
        for (days, wanted) in [
            (0, "1970.01.01"),
            (58, "1970.02.28"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (19_782, "2024.02.29"),
            (20_512, "2026.02.28"),
            (20_513, "2026.03.01"),
            (47_541, "2100.03.01"),
            (2_932_896, "9999.12.31"),
            (2_932_897, "????.??.??"),
        ] {
            let time = Duration::from_secs(days * 24 * 60 * 60 + 86_399);
            assert_eq!(date(SystemTime::UNIX_EPOCH + time), wanted, "{days}");
        }
    }
}
