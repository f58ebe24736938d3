//! The game that is played: its moves, its result, and its text.

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

/// The name of the person in a game that is kept.
const PERSON: &str = "Person";

/// Who played a game that [`GameRecord::pgn`] has written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Players {
    pub person: Color,
    /// Lovec's rating; `None` for full strength.
    pub elo: Option<i32>,
}

impl Players {
    /// `None` for other games.
    pub fn of(game: &PgnGame) -> Option<Self> {
        let [white, black] = ["White", "Black"].map(|tag| game.tag(tag).unwrap_or_default());
        let (person, lovec) = match (white, black) {
            (PERSON, lovec) => (Color::White, lovec),
            (lovec, PERSON) => (Color::Black, lovec),
            _ => return None,
        };
        let rating = lovec.strip_prefix("Lovec")?;
        let number = rating.trim_matches([' ', '(', ')']).parse().ok();
        Some(Self { person, elo: number.filter(|elo| ELO.contains(elo)) })
    }
}

/// What a move after the end of the game gets.
pub(super) const OVER: &str = "the game is over; `new`, `undo` or `quit`";

impl GameRecord {
    pub fn new(position: Position, person: Color) -> Self {
        Self { position, person, end: None }
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

    /// Takes moves back to the person's last turn. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some((earlier, _)) = self.last_of_person() else { return false };
        self.position = earlier;
        self.end = None;
        true
    }

    /// The game as PGN. The name of the person is not known.
    pub fn pgn(&self, lovec: &str, control: Option<TimeControl>) -> String {
        let (start, moves) = self.position.start_and_moves();
        let moves = moves.into_iter().map(|m| (m, String::new()));
        let [white, black] = match self.person {
            Color::White => [PERSON, lovec],
            Color::Black => [lovec, PERSON],
        };
        let tags = [("Event", "lovec play"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "-")];
        let tags = tags.into_iter().chain([("White", white), ("Black", black)]);
        let tags = tags.map(|(name, value)| (name, value.to_owned()));
        let tags = tags.chain(control.map(|control| ("TimeControl", control.to_string())));
        let result = self.result().map(|(result, _)| result);
        format!("{}\n", PgnGame::new(tags, &start, moves, result))
    }
}
