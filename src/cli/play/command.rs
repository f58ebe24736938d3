//! What a person types during a game.

use crate::chess::notation::excerpt;
use crate::chess::notation::san::{self, SanError};
use crate::chess::notation::uci;
use crate::chess::{Move, Position, Square};
use crate::util::likeness::hint;

/// A command, or a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PlayCommand {
    Move(Move),
    /// The legal moves.
    Moves,
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
A move: e4, Nf3, e2e4, e2 e4, O-O, e8=Q    moves    the legal moves; a square
                                                    alone: those of its piece
hint     a good move, its reason or value  why      how good your last move was
eval     who stands better                 opening  the opening's name
undo     take your last move back          switch   change sides
draw     offer a draw                      resign   give up
level N  Lovec's rating, or `level full`   new      begin again
load X   a FEN or a file in PGN            save F   write the game as PGN to F
board    show the board                    flip     turn it round
help     this list                         quit     leave; the game is kept";

/// The words of the commands; they have other names too.
const WORDS: [&str; 17] = [
    "board", "draw", "eval", "flip", "help", "hint", "level", "load", "moves", "new", "opening",
    "quit", "resign", "save", "switch", "undo", "why",
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
        Ok(match (word.to_lowercase().as_str(), rest) {
            ("moves", "") => Self::Moves,
            ("board", "") => Self::Board,
            ("flip", "") => Self::Flip,
            ("undo" | "takeback", "") => Self::Undo,
            ("hint", "") => Self::Hint,
            ("why", "") => Self::Why,
            ("eval", "") => Self::Eval,
            ("switch", "") => Self::Switch,
            ("resign", "") => Self::Resign,
            ("draw", "") => Self::Draw,
            ("opening", "") => Self::Opening,
            ("new", "") => Self::New,
            ("level", rest) if rest.eq_ignore_ascii_case("full") => Self::Level(None),
            ("level", rest) => {
                let expected = "level needs a rating such as 1500, or `full`";
                Self::Level(Some(rest.parse().map_err(|_| expected)?))
            }
            ("load", _) => Self::Load(unquoted(required("a FEN or a file in PGN")?)),
            ("save", _) => Self::Save(unquoted(required("a file")?)),
            ("help" | "?", "") => Self::Help,
            ("quit" | "exit", "") => Self::Quit,
            _ => Self::Move(parse_move(line, position)?),
        })
    }
}

/// The name of a file without quotation marks, as for a shell.
fn unquoted(text: String) -> String {
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inside.map(str::to_owned).unwrap_or(text)
}

/// Reads a move: SAN or two squares, with a number before it and spaces in it, and with small
/// and capital letters confused where nothing else can be meant.
fn parse_move(text: &str, position: &Position) -> Result<Move, String> {
    let joined: String = text.split_whitespace().collect();
    let bare = san::unnumbered(&joined);
    let mut is_illegal = None;
    for text in spellings(bare) {
        match san::parse(position, &text) {
            Ok(m) => return Ok(m),
            Err(ambiguous @ SanError::Ambiguous { .. }) => return Err(ambiguous.to_string()),
            Err(_) if san::parse(position, &format!("{text}=Q")).is_ok() => {
                return Err(format!("{text} needs a piece, such as {text}=Q"));
            }
            Err(illegal @ SanError::Illegal(_)) => {
                is_illegal = is_illegal.or(Some(illegal.to_string()));
            }
            Err(_) => {}
        }
    }
    if let Some((first, _)) = text.split_once(char::is_whitespace)
        && parse_move(first, position).is_ok()
    {
        return Err(format!("one move at a time, such as {first}"));
    }
    if let Ok(square) = bare.to_lowercase().parse::<Square>() {
        let moves = moves_of(position, Some(square));
        if !moves.is_empty() {
            return Err(format!("{square}: {}", moves.join(" ")));
        }
    }
    let error = match is_illegal {
        Some(illegal) if position.in_check() => format!("{illegal}: the king is in check"),
        Some(illegal) => illegal,
        None => format!("{:?} is no move and no command", excerpt(text)),
    };
    Err(match hint(text, WORDS).as_str() {
        "" => format!("{error}; try `moves` or `help`"),
        hint => format!("{error}{hint}"),
    })
}

/// How a move may be meant, the most likely first: as it is, with a capital letter for the piece,
/// as a move of a pawn, or as castling.
fn spellings(text: &str) -> Vec<String> {
    let small = text.to_lowercase();
    let mut letters = small.chars();
    let capital = letters.next().map(|first| first.to_uppercase().chain(letters).collect());
    // Only a bishop is written as `Bc5`.
    let is_bishop = text.starts_with('B') && text.contains(|c: char| c.is_ascii_lowercase());
    let castle = match text.replace('-', "").to_uppercase().replace('0', "O").as_str() {
        "OO" => Some("O-O".to_owned()),
        "OOO" => Some("O-O-O".to_owned()),
        _ => None,
    };
    [Some(text.to_owned()), capital, Some(small).filter(|_| !is_bishop), castle]
        .into_iter()
        .flatten()
        .collect()
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
            ("1.0-0", "O-O"),
            ("B4", "b4"),
            ("B2B3", "b3"),
            ("KE2", "Ke2"),
            ("oo", "O-O"),
            ("00", "O-O"),
        ] {
            assert_eq!(san(text), wanted, "{text}");
        }
        let error = |text: &str| PlayCommand::parse(text, &position).unwrap_err();
        assert_eq!(error("b2"), "b2: b3 b4");
        assert_eq!(error("b4 Bd5"), "one move at a time, such as b4");
        assert_eq!(error("B2"), "b2: b3 b4");
        for text in ["Ka1", "ka1", "1. ka1"] {
            assert_eq!(error(text), "Ka1 is not legal here; try `moves` or `help`");
        }
        // No bishop, and no spelling of a pawn's step.
        assert_eq!(error("Bb3"), "Bb3 is not legal here; try `moves` or `help`");
        assert_eq!(error("bb3"), "bb3 is not legal here; try `moves` or `help`");
        assert_eq!(error("exd6 ep"), "exd6ep is not legal here; try `moves` or `help`");
        assert_eq!(
            error("Knight to f3"),
            "\"Knight to f3\" is no move and no command; try `moves` or `help`"
        );
        assert!(error("undo 2").ends_with("did you mean `undo`?"));
        let position = Position::from_fen("r3k3/1P6/8/8/1N3N2/8/8/4K3 w - - 0 1").unwrap();
        let error = |text: &str| PlayCommand::parse(text, &position).unwrap_err();
        assert_eq!(error("nd5"), "Nd5 may mean Nbd5 or Nfd5");
        for (text, move_text) in [("b8", "b8"), ("b7 b8", "b7b8"), ("bxa8", "bxa8"), ("B8", "b8")] {
            let wanted = format!("{move_text} needs a piece, such as {move_text}=Q");
            assert_eq!(error(text), wanted);
        }
        for text in ["", "x", "Rh9", "level", "level x", "load", "save", "moves x", "new black"] {
            assert!(!error(text).is_empty(), "{text}");
        }
        assert_eq!(PlayCommand::parse("LEVEL 1500", &position), Ok(PlayCommand::Level(Some(1500))));
        for text in ["save my game.pgn", "save \"my game.pgn\""] {
            let wanted = PlayCommand::Save("my game.pgn".to_owned());
            assert_eq!(PlayCommand::parse(text, &position), Ok(wanted));
        }
        let ruy_lopez = "r1bqk2r/2ppbppp/p1n2n2/1p2p3/B3P3/5N2/PPPP1PPP/RNBQR1K1 w kq - 0 7";
        let position = Position::from_fen(ruy_lopez).unwrap();
        let bishop = san::parse(&position, "Bb3").unwrap();
        assert_eq!(PlayCommand::parse("bb3", &position), Ok(PlayCommand::Move(bishop)));
        let checked = Position::from_fen("4k3/8/8/8/7b/8/P7/4K3 w - - 0 1").unwrap();
        assert_eq!(
            PlayCommand::parse("a3", &checked).unwrap_err(),
            "a3 is not legal here: the king is in check; try `moves` or `help`"
        );
    }
}
