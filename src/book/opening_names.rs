//! The names of openings.
//!
//! The names and their ECO codes come from
//! [lichess-org/chess-openings](https://github.com/lichess-org/chess-openings), which is in
//! the public domain (CC0 1.0): 3 807 lines of play, each with the name of the position at
//! its end. A position is looked up by its key, so transpositions have the same name.
//!
//! # The file
//!
//! `opening_names.tsv` has a line for each name, sorted by its moves in UCI notation. Its
//! four columns are separated by tabs:
//!
//! 1. how many plies the line shares with the line above;
//! 2. the other moves;
//! 3. the ECO code;
//! 4. the name.
//!
//! The file was made from the columns `eco`, `name` and `pgn` of the source: the moves were
//! written in UCI notation, the lines were sorted by them as lists of words, and the moves
//! that a line shares with the one above were replaced by their number. No two lines reach
//! the same position, which a test checks.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Serialize;

use crate::chess::notation::uci;
use crate::chess::{Move, Position, State};

const FILE: &str = include_str!("opening_names.tsv");

/// The names by the keys of their positions.
static NAMES: LazyLock<HashMap<u64, OpeningName>> = LazyLock::new(|| {
    let (mut lines, mut names) = (Lines::new(FILE), HashMap::new());
    while let Some(name) = lines.read() {
        names.insert(lines.position.key(), name);
    }
    names
});

/// The name of a position in the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningName {
    /// A code of the *Encyclopaedia of Chess Openings*: a letter from A to E and two digits.
    pub eco: &'static str,
    /// The opening, and the variations after a colon: `Ruy Lopez: Morphy Defense, Caro
    /// Variation`.
    pub name: &'static str,
}

/// `C50 Italian Game`.
impl fmt::Display for OpeningName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// The name of a position; `None` if it has none of its own.
///
/// ```
/// use lovec::book::opening;
/// use lovec::chess::Position;
/// use lovec::chess::notation::uci;
/// let mut game = Position::startpos();
/// for text in ["g1f3", "b8c6", "e2e4", "e7e5", "f1c4"] {
///     game.make(uci::parse_move(&game, text).unwrap());
/// }
/// assert_eq!(opening(&game).unwrap().to_string(), "C50 Italian Game");
/// ```
pub fn opening(state: &State) -> Option<&'static OpeningName> {
    NAMES.get(&state.key())
}

/// The name of a game: the name of the last of its positions with a name, and the index of
/// this position.
pub fn opening_of_game<'a>(
    states: impl IntoIterator<Item = &'a State>,
) -> Option<(usize, &'static OpeningName)> {
    let named = states.into_iter().enumerate();
    named.filter_map(|(ply, state)| Some((ply, opening(state)?))).last()
}

/// The games that lead to the named positions, one for each name.
pub fn named_lines() -> impl Iterator<Item = Position> {
    let mut lines = Lines::new(FILE);
    std::iter::from_fn(move || lines.read().map(|_| lines.position.clone()))
}

/// A move with which named lines go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continuation {
    pub m: Move,
    /// The named lines that begin with it.
    pub lines: usize,
    /// The name of the line that ends with it, if it has one.
    pub name: Option<OpeningName>,
}

/// The moves with which named lines go on after the moves of a game, by their number. Only the
/// same moves in the same order are the same line: a book by lines, not by positions.
pub fn continuations(game: &Position) -> Vec<Continuation> {
    let mut found: Vec<Continuation> = Vec::new();
    let mut lines = Lines::new(FILE);
    while let Some(name) = lines.read() {
        let line = &lines.position;
        let is_longer = line.plies() > game.plies();
        if !is_longer || !line.states().zip(game.states()).all(|(a, b)| a == b) {
            continue;
        }
        let mut position = line.clone();
        while position.plies() > game.plies() + 1 {
            position.unmake();
        }
        let Some(m) = position.last_move() else { continue };
        let name = (line.plies() == position.plies()).then_some(name);
        match found.iter_mut().find(|it| it.m == m) {
            Some(it) => (it.lines, it.name) = (it.lines + 1, it.name.or(name)),
            None => found.push(Continuation { m, lines: 1, name }),
        }
    }
    found.sort_by_key(|it| Reverse(it.lines));
    found
}

/// Reads the file.
struct Lines {
    lines: std::str::Lines<'static>,
    /// The position at the end of the line above.
    position: Position,
}

impl Lines {
    fn new(text: &'static str) -> Self {
        Self { lines: text.lines(), position: Position::startpos() }
    }

    /// The next name; afterwards `position` is the named one. `None` at the end, and for a line
    /// that is malformed.
    fn read(&mut self) -> Option<OpeningName> {
        let mut columns = self.lines.next()?.split('\t');
        let shared = columns.next()?.parse().ok()?;
        let (moves, eco, name) = (columns.next()?, columns.next()?, columns.next()?);
        while self.position.plies() > shared {
            self.position.unmake();
        }
        for text in moves.split(' ') {
            let m = uci::parse_move(&self.position, text).ok()?;
            self.position.make(m);
        }
        let is_complete = self.position.plies() > shared && columns.next().is_none();
        is_complete.then_some(OpeningName { eco, name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::san;

    const COUNT: usize = 3807;

    fn game(moves: &str) -> Position {
        let mut game = Position::startpos();
        san::play(&mut game, moves.split_whitespace()).unwrap();
        game
    }

    fn name(moves: &str) -> Option<String> {
        opening(&game(moves)).map(ToString::to_string)
    }

    /// All moves are legal, each line has a code and a name, and no position has two names.
    #[test]
    fn the_file_is_well_formed() {
        let (mut lines, mut keys) = (Lines::new(FILE), HashMap::new());
        while let Some(name) = lines.read() {
            let (letter, number) = name.eco.split_at(1);
            assert!(matches!(letter, "A" | "B" | "C" | "D" | "E"), "{name}");
            assert!(number.len() == 2 && number.parse::<u8>().is_ok(), "{name}");
            assert_eq!(name.name.trim(), name.name);
            assert!(!name.name.is_empty());
            assert_eq!(keys.insert(lines.position.key(), name), None, "{name}");
        }
        assert_eq!((keys.len(), NAMES.len(), FILE.lines().count()), (COUNT, COUNT, COUNT));
    }

    /// No line shares more moves with the line above than it says.
    #[test]
    fn the_file_is_sorted_and_compact() {
        let mut above: Vec<&str> = Vec::new();
        for line in FILE.lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            let shared: usize = columns[0].parse().unwrap();
            let moves: Vec<&str> =
                above[..shared].iter().copied().chain(columns[1].split(' ')).collect();
            assert!(above < moves, "{line}");
            assert_ne!(above.get(shared), Some(&moves[shared]), "{line}");
            above = moves;
        }
    }

    #[test]
    fn positions_have_names_however_they_are_reached() {
        let italian = Some("C50 Italian Game".to_owned());
        assert_eq!(name("e2e4 e7e5 g1f3 b8c6 f1c4"), italian);
        assert_eq!(name("g1f3 b8c6 e2e4 e7e5 f1c4"), italian);
        let kings_pawn = Some("C20 King's Pawn Game".to_owned());
        assert_eq!(name("e2e3 e7e6 e3e4 e6e5"), kings_pawn);
        assert_eq!(name("e2e3 e7e5 e3e4"), None, "the same with Black to move");
        assert_eq!(name(""), None);
        assert_eq!(name("e2e4"), Some("B00 King's Pawn Game".to_owned()));
    }

    #[test]
    fn a_game_has_its_last_name() {
        let named = |moves: &str| {
            let game = game(moves);
            opening_of_game(game.states()).map(|(ply, name)| (ply, name.to_string()))
        };
        let italian = Some((5, "C50 Italian Game".to_owned()));
        assert_eq!(named("e2e4 e7e5 g1f3 b8c6 f1c4"), italian);
        assert_eq!(named("e2e4 e7e5 g1f3 b8c6 f1c4 h7h5 c4f1 a7a5 f3g1 b7b5"), italian);
        assert_eq!(named(""), None);
    }

    /// Every line begins with one of the first moves; a transposition is another line.
    #[test]
    fn lines_go_on() {
        let lines = |moves| continuations(&game(moves)).iter().map(|it| it.lines).sum::<usize>();
        assert_eq!(lines(""), COUNT);
        let first = continuations(&game("e2e4"));
        let is_named = |it: &&Continuation| it.name.is_some_and(|name| name.eco == "B20");
        let sicilian = first.iter().find(is_named).unwrap();
        assert_eq!(lines("e2e4 c7c5") + 1, sicilian.lines);
        assert!(lines("e2e4 c7c5 g1f3 d7d6") > 0 && lines("g1f3 c7c5 e2e4 d7d6") == 0);
        assert_eq!(lines("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8"), 0);
    }

    #[test]
    fn a_malformed_line_has_no_name() {
        for line in [
            "",
            "0\te2e4\tB00",
            "0\te2e5\tB00\tName",
            "0\t\tB00\tName",
            "x\te2e4\tB00\tName",
            "3\te2e4\tB00\tName",
            "0\te2e4\tB00\tName\tmore",
        ] {
            assert_eq!(Lines::new(line).read(), None, "{line}");
        }
        assert!(Lines::new("0\te2e4\tB00\tName").read().is_some());
    }
}
