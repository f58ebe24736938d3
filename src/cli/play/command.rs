//! What a person types during a game.

use crate::chess::notation::san::{self, SanError};
use crate::chess::notation::uci;
use crate::chess::{Move, Position, Square};
use crate::util::likeness::hint;

/// A command, or a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PlayCommand {
    Move(Move),
    /// The legal moves, of all pieces or of one.
    Moves(Option<Square>),
    Board,
    Flip,
    Undo,
    Hint,
    Why,
    Eval,
    Switch,
    Resign,
    Draw,
    Opening,
    New,
    /// A rating, or full strength.
    Level(Option<i32>),
    Load(String),
    Save(String),
    Help,
    Quit,
}

/// The commands with what they do.
pub(super) const HELP: &str = "\
A move: e4, Nf3, e2e4, e2 e4, O-O, e8=Q      moves [e2]  the legal moves
hint     a good move, its reason or value     why         how good your last move was
eval     who stands better                    opening     the name of the opening
undo     take your last move back             switch      change sides
draw     offer a draw                         resign      give up
level N  Lovec's rating, or `level full`      new         begin again
load X   a FEN or a file in PGN               save FILE   write the game as PGN
board    show the board                       flip        turn it round
help     this list                            quit        leave; the game is kept";

/// The words of the commands, with their other names.
const WORDS: [&str; 22] = [
    "board",
    "draw",
    "eval",
    "exit",
    "flip",
    "help",
    "hint",
    "legal",
    "level",
    "load",
    "moves",
    "new",
    "opening",
    "quit",
    "resign",
    "save",
    "switch",
    "takeback",
    "undo",
    "why",
    "level full",
    "?",
];

/// What a line may begin with.
#[derive(Clone, Debug)]
pub(super) struct Completions {
    /// The legal moves in SAN.
    moves: Vec<String>,
    /// The legal moves as pairs of squares.
    pairs: Vec<String>,
}

impl Completions {
    pub fn of(position: &Position) -> Self {
        let pair = |&m: &Move| uci::format_move(m, false);
        let pairs = position.legal_moves().iter().map(pair).collect();
        Self { moves: moves_of(position, None), pairs }
    }

    /// The lines that begin with a text: moves, then commands.
    pub fn of_text(&self, text: &str) -> Vec<String> {
        let begins = |word: &&str| word.to_lowercase().starts_with(&text.to_lowercase());
        let moves = self.moves.iter().map(String::as_str);
        if text.is_empty() {
            return moves.map(str::to_owned).collect();
        }
        let pairs = self.pairs.iter().map(String::as_str);
        moves.chain(pairs).chain(WORDS).filter(begins).map(str::to_owned).collect()
    }
}

impl PlayCommand {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// A text for the person if it is no command and no legal move.
    pub fn parse(line: &str, position: &Position) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let required = |name: &str| {
            if rest.is_empty() { Err(format!("{word} needs {name}")) } else { Ok(rest.to_owned()) }
        };
        Ok(match word.to_lowercase().as_str() {
            "moves" | "legal" if rest.is_empty() => Self::Moves(None),
            "moves" | "legal" => {
                Self::Moves(Some(rest.parse().map_err(|_| format!("{rest:?} is no square"))?))
            }
            "board" => Self::Board,
            "flip" => Self::Flip,
            "undo" | "takeback" => Self::Undo,
            "hint" => Self::Hint,
            "why" => Self::Why,
            "eval" => Self::Eval,
            "switch" => Self::Switch,
            "resign" => Self::Resign,
            "draw" => Self::Draw,
            "opening" => Self::Opening,
            "new" => Self::New,
            "level" if rest.eq_ignore_ascii_case("full") => Self::Level(None),
            "level" => {
                let expected = "level needs a rating such as 1500, or `full`";
                Self::Level(Some(rest.parse().map_err(|_| expected)?))
            }
            "load" => Self::Load(required("a FEN or a file in PGN")?),
            "save" => Self::Save(required("a file")?),
            "help" | "?" => Self::Help,
            "quit" | "exit" => Self::Quit,
            _ => Self::Move(parse_move(line, position)?),
        })
    }
}

/// Reads a move: SAN or two squares, with a number before it and spaces in it, and with small
/// and capital letters confused where nothing else can be meant.
fn parse_move(text: &str, position: &Position) -> Result<Move, String> {
    let joined: String = text.split_whitespace().collect();
    let number = |c: char| c.is_ascii_digit() || c == '.';
    let bare = if joined.contains('.') { joined.trim_start_matches(number) } else { &joined };
    let small = bare.to_lowercase();
    let mut letters = small.chars();
    let capital = letters.next().map(|first| first.to_uppercase().chain(letters).collect());
    let capital: String = capital.unwrap_or_default();
    let castle = bare.to_uppercase().replace('0', "O");
    let mut error = None;
    for text in [bare, &capital, &small, &castle] {
        match san::parse(position, text) {
            Ok(m) => return Ok(m),
            Err(ambiguous @ SanError::Ambiguous { .. }) => return Err(ambiguous.to_string()),
            Err(_) if san::parse(position, &format!("{text}=Q")).is_ok() => {
                return Err(format!("{text} needs a piece, such as {text}=Q"));
            }
            Err(other) => error = error.or(Some(other)),
        }
    }
    let error = error.map_or_else(String::new, |error| error.to_string());
    if let Some((first, _)) = text.split_once(char::is_whitespace)
        && parse_move(first, position).is_ok()
    {
        return Err(format!("one move at a time, such as {first}"));
    }
    let of_piece: Vec<String> = match bare.parse::<Square>() {
        Ok(square) => moves_of(position, Some(square)),
        Err(_) => Vec::new(),
    };
    if !of_piece.is_empty() {
        return Err(format!("{bare}: {}", of_piece.join(" ")));
    }
    Err(match hint(text, WORDS).as_str() {
        "" => format!("{error}; try `moves` or `help`"),
        hint => format!("{error}{hint}"),
    })
}

/// The legal moves in SAN, of all pieces or of the one on a square, sorted.
pub(super) fn moves_of(position: &Position, from: Option<Square>) -> Vec<String> {
    let moves = position.legal_moves();
    let moves = moves.iter().filter(|m| from.is_none_or(|from| m.from() == from));
    let mut names: Vec<String> = moves.map(|&m| san::format(position, m)).collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_people_type_them() {
        let position = Position::from_fen("r3k3/8/8/8/4b3/8/1P6/R3K2R w K - 0 1").unwrap();
        let san = |text: &str| match PlayCommand::parse(text, &position) {
            Ok(PlayCommand::Move(m)) => san::format(&position, m),
            other => panic!("{text}: {other:?}"),
        };
        for (text, wanted) in [
            ("b4", "b4"),
            ("b2b3", "b3"),
            (" b2 b3 ", "b3"),
            ("1. b4", "b4"),
            ("rxa8", "Rxa8+"),
            ("ke2", "Ke2"),
            ("o-o", "O-O"),
            ("0-0", "O-O"),
            ("1.O-O", "O-O"),
            ("B4", "b4"),
            ("B2B3", "b3"),
            ("KE2", "Ke2"),
        ] {
            assert_eq!(san(text), wanted, "{text}");
        }
        let error = |text: &str| PlayCommand::parse(text, &position).unwrap_err();
        assert_eq!(error("b2"), "b2: b3 b4");
        assert_eq!(error("b4 Bd5"), "one move at a time, such as b4");
        assert_eq!(error("Ka1"), "Ka1 is not legal here; try `moves` or `help`");
        let position = Position::from_fen("r3k3/1P6/8/8/1N3N2/8/8/4K3 w - - 0 1").unwrap();
        let error = |text: &str| PlayCommand::parse(text, &position).unwrap_err();
        assert_eq!(error("nd5"), "Nd5 may mean Nbd5 or Nfd5");
        for (text, move_text) in [("b8", "b8"), ("b7 b8", "b7b8"), ("bxa8", "bxa8"), ("B8", "b8")] {
            let wanted = format!("{move_text} needs a piece, such as {move_text}=Q");
            assert_eq!(error(text), wanted);
        }
        for text in ["", "x", "Rh9", "level", "level x", "load", "save", "moves x"] {
            assert!(!error(text).is_empty(), "{text}");
        }
        assert_eq!(PlayCommand::parse("LEVEL 1500", &position), Ok(PlayCommand::Level(Some(1500))));
        assert_eq!(
            PlayCommand::parse("save my game.pgn", &position),
            Ok(PlayCommand::Save("my game.pgn".to_owned()))
        );
    }
}
