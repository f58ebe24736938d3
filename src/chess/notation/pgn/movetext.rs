//! The moves of a game, word by word.
//!
//! The reader follows the game and its variations, so that each move is legal. After an
//! illegal move the positions are not known: the rest of that line of play is kept as words,
//! up to the end of its variation. A word that is no move is kept, and the game goes on.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::chess::color::Color;
use crate::chess::game_result::GameResult;
use crate::chess::notation::excerpt;
use crate::chess::notation::pgn::game::Element;
use crate::chess::notation::pgn::line_stack::{LineStack, MAX_DEPTH};
use crate::chess::notation::pgn::problem::{PgnProblem, ProblemKind};
use crate::chess::notation::pgn::result;
use crate::chess::notation::san::{self, SanError};
use crate::chess::position::{Position, State};

/// What people write for an annotation glyph, after a move or apart from it: the signs of the
/// standard, those of the Chess Informant, and the words of the standard and of databases.
const GLYPHS: [(&str, u8); 25] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("RR", 145),
    ("N", 146),
    ("TN", 146),
    ("D", 220),
];

/// How people and programs write null moves.
const NULL_MOVES: [&str; 6] = ["--", "Z0", "z0", "0000", "@@@@", "null"];

/// How people write castling.
const CASTLING: [&str; 3] = ["O-O", "0-0", "o-o"];

/// Words of older notations that repeat what the move says.
const IGNORED: [&str; 5] = ["e.p.", "ep", "+", "++", "#"];

/// Reads the moves of one game.
#[derive(Debug)]
pub(super) struct MovetextReader {
    pub start: Option<Position>,
    stack: LineStack,
    /// The plies of the game that are still to be read, of a game of which nothing else is
    /// kept; `None` if all is read.
    plies: Option<usize>,
    /// Whether nothing was read yet that is an element.
    is_empty: bool,
    /// The text of a comment up to here, if one is open.
    comment: Option<String>,
    pub elements: Vec<Element>,
    pub problems: Vec<PgnProblem>,
    /// What follows the moves: `Some(None)` for `*`.
    result: Option<Option<GameResult>>,
    /// The number of the current line of the file.
    line: u64,
}

impl MovetextReader {
    /// A game from this position, which begins on this line of the file; without a position, all
    /// words are kept as they are. With `plies`, only these first moves of the game are kept, and
    /// its result.
    pub fn new(
        start: Option<Position>,
        plies: Option<usize>,
        problems: Vec<PgnProblem>,
        line: u64,
    ) -> Self {
        Self {
            stack: LineStack::new(start.as_ref().filter(|_| plies != Some(0))),
            start,
            plies,
            is_empty: true,
            comment: None,
            elements: Vec::new(),
            problems,
            result: None,
            line,
        }
    }

    pub fn is_in_comment(&self) -> bool {
        self.comment.is_some()
    }

    /// Reads a line, or the rest of one. Returns what follows if the game ends.
    pub fn read<'a>(&mut self, text: &'a str, line: u64) -> Option<&'a str> {
        self.line = line;
        let mut text = text;
        loop {
            if self.comment.is_some() {
                text = self.read_comment(text)?;
                continue;
            }
            text = text.trim_ascii_start();
            if let Some((command, after)) = split_command(text) {
                self.add_problem(ProblemKind::Command(excerpt(command)));
                self.add_comment(command);
                text = after;
                continue;
            }
            let mut rest = text.chars();
            match rest.next()? {
                '{' => match rest.as_str().split_once('}') {
                    Some((comment, after)) => {
                        self.add_comment(comment);
                        text = after;
                        continue;
                    }
                    None => self.comment = Some(String::new()),
                },
                '(' => self.open(),
                ')' => self.close(),
                '}' => self.add_problem(ProblemKind::Bracket('}')),
                ';' => {
                    self.add_comment(rest.as_str());
                    return None;
                }
                _ => {
                    let (word, after) = split_word(text);
                    self.read_word(word);
                    if self.result.is_some() {
                        return Some(self.read_last_comment(after));
                    }
                    text = after;
                    continue;
                }
            }
            text = rest.as_str();
        }
    }

    /// Reads a comment up to its end, and returns what follows.
    fn read_comment<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let comment = self.comment.get_or_insert_default();
        let Some((inside, after)) = text.split_once('}') else {
            comment.push_str(text);
            comment.push('\n');
            return None;
        };
        comment.push_str(inside);
        let comment = self.comment.take().unwrap_or_default();
        self.add_comment(&comment);
        Some(after)
    }

    /// Reads a comment after the result, if it ends on this line.
    fn read_last_comment<'a>(&mut self, text: &'a str) -> &'a str {
        let text = text.trim_ascii_start();
        if let Some(comment) = text.strip_prefix(';') {
            self.add_comment(comment);
            return "";
        }
        match text.strip_prefix('{').and_then(|text| text.split_once('}')) {
            Some((comment, after)) => {
                self.add_comment(comment);
                after
            }
            None => text,
        }
    }

    pub fn add_comment(&mut self, text: &str) {
        self.add(|| Element::comment(text));
    }

    /// Adds what is no move, unless only moves are kept.
    fn add(&mut self, element: impl FnOnce() -> Element) {
        self.is_empty = false;
        if self.plies.is_none() {
            self.elements.push(element());
        }
    }

    /// Adds a move that was played.
    fn add_move(&mut self, element: Element) {
        self.is_empty = false;
        self.elements.push(element);
        if let Some(plies) = &mut self.plies {
            *plies = plies.saturating_sub(1);
            if *plies == 0 {
                self.stack.give_up();
            }
        }
    }

    fn open(&mut self) {
        if self.plies.is_some() {
            self.stack.open_unread();
        } else {
            if self.stack.depth() == MAX_DEPTH {
                self.add_problem(ProblemKind::TooDeep);
            } else if self.stack.state().is_some() && !self.stack.has_move() {
                self.add_problem(ProblemKind::VariationOfNothing);
            }
            self.stack.open();
        }
        self.add(|| Element::Open);
    }

    fn close(&mut self) {
        if self.stack.close() {
            self.add(|| Element::Close);
        } else {
            self.add_problem(ProblemKind::Bracket(')'));
        }
    }

    /// Reads a word, perhaps with a move number before it and glyphs behind it.
    fn read_word(&mut self, word: &str) {
        let text = san::without_number(word);
        if is_result(text) {
            if self.stack.depth() == 0 {
                self.result = Some(result::parse(text));
            } else {
                self.keep(text);
            }
            return;
        }
        if self.plies.is_some() && self.stack.state().is_none() {
            return;
        }
        let (m, glyphs) = split_glyphs(text);
        if m.is_empty() && !glyphs.is_empty() {
            self.add_glyphs(glyphs);
        } else if let Some(number) = word.strip_prefix('$') {
            match number.parse() {
                Ok(nag) => self.add(|| Element::Nag(nag)),
                Err(_) => self.keep_with_problem(word),
            }
        } else if let Some(&state) = self.stack.state() {
            if m.is_empty() || IGNORED.contains(&text) {
                return;
            }
            if self.read_move(word, m, &state) {
                self.add_glyphs(glyphs);
            }
        } else {
            self.keep(word);
        }
    }

    /// Reads the move of a word; returns whether it is one. A word that was not meant as a
    /// move is kept, and any other ends the line of play.
    fn read_move(&mut self, word: &str, text: &str, state: &State) -> bool {
        if NULL_MOVES.contains(&text) {
            if state.in_check() {
                self.give_up(word, ProblemKind::NullMoveInCheck);
                return false;
            }
            self.stack.pass();
            self.add_move(Element::NullMove);
            return true;
        }
        if self.is_kept_as_comment(word) {
            self.keep_with_problem(word);
            return false;
        }
        match san::parse(state, text) {
            Ok(m) => {
                self.stack.play(m);
                self.add_move(Element::Move(m));
                return true;
            }
            Err(SanError::Malformed(_)) if !is_meant_as_move(text) => {
                self.keep_with_problem(san::without_number(word));
            }
            Err(error) => self.give_up(word, error.into()),
        }
        false
    }

    fn add_glyphs(&mut self, mut text: &str) {
        self.is_empty = false;
        if self.plies.is_some() {
            return;
        }
        let first = self.elements.len();
        while let Some((before, nag)) = split_last_glyph(text) {
            self.elements.push(Element::Nag(nag));
            text = before;
        }
        self.elements[first..].reverse();
    }

    /// Ends the line of play at this word, and keeps it with its number.
    fn give_up(&mut self, word: &str, kind: ProblemKind) {
        self.add_problem(kind);
        // A number that stands apart was taken for that of a move.
        let number = self.stack.next_number().filter(|_| san::without_number(word) == word);
        self.stack.give_up();
        if let Some(number) = number {
            self.keep(&number.to_string());
        }
        self.keep(word);
    }

    fn keep_with_problem(&mut self, word: &str) {
        self.add_problem(ProblemKind::Word(excerpt(word)));
        self.keep(word);
    }

    /// Keeps a word, perhaps as a comment.
    fn keep(&mut self, word: &str) {
        let is_comment = self.is_kept_as_comment(word);
        let element = if is_comment { Element::Comment } else { Element::Word };
        self.add(|| element(word.into()));
    }

    /// Whether a word, written here, would be read as a tag or as the start of a command. It
    /// becomes a comment, and a comment must not end the line of play.
    fn is_kept_as_comment(&self, word: &str) -> bool {
        word.starts_with("[%") || self.is_empty && word.starts_with('[')
    }

    /// Records a problem here.
    fn add_problem(&mut self, kind: ProblemKind) {
        let (line, number) = (self.line, self.stack.next_number());
        let in_variation = self.stack.depth() > 0;
        PgnProblem { line, number, in_variation, kind }.add_to(&mut self.problems);
    }

    /// Closes what is open at the end of the game, and returns the result after the moves, or,
    /// if none stands there, that of the tag.
    pub fn finish(&mut self, result_tag: Option<GameResult>) -> Option<GameResult> {
        if let Some(comment) = self.comment.take() {
            self.add_problem(ProblemKind::OpenComment);
            self.add_comment(&comment);
        }
        if self.stack.depth() > 0 {
            self.add_problem(ProblemKind::OpenVariation);
        }
        while self.stack.close() {
            self.add(|| Element::Close);
        }
        if self.result.is_none() {
            self.add_problem(ProblemKind::NoResult);
        }
        self.result.unwrap_or(result_tag)
    }
}

/// Splits a word off; the text must begin with one.
fn split_word(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let is_number = text.starts_with('$') && bytes.get(1).is_some_and(u8::is_ascii_digit);
    let ends = |&place: &usize| match bytes[place] {
        byte if is_number => !byte.is_ascii_digit(),
        b'{' | b'}' | b'(' | b')' | b';' | b'$' => true,
        // A command stands behind the word before it, with or without a space.
        byte => byte.is_ascii_whitespace() || bytes[place..].starts_with(b"[%"),
    };
    text.split_at((1..bytes.len()).find(ends).unwrap_or(bytes.len()))
}

fn is_result(word: &str) -> bool {
    word.starts_with(['*', '0', '1', '½']) && (word == "*" || result::parse(word).is_some())
}

/// Splits a word before the glyphs at its end.
fn split_glyphs(word: &str) -> (&str, &str) {
    let mut text = word;
    while let Some((before, _)) = split_last_glyph(text) {
        text = before;
    }
    word.split_at(text.len())
}

/// Splits off the glyph at the end of a text. A letter is a glyph only if it stands alone or
/// after a sign: `e8=N` is a promotion.
fn split_last_glyph(text: &str) -> Option<(&str, u8)> {
    // Most moves end with a digit.
    if text.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let splits = GLYPHS.iter().filter_map(|&(glyph, nag)| {
        let before = text.strip_suffix(glyph)?;
        let is_apart = before.is_empty() || before.ends_with(['!', '?']);
        (is_apart || !glyph.ends_with(char::is_alphabetic)).then_some((before, nag))
    });
    splits.min_by_key(|(before, _)| before.len())
}

/// Whether a word that is no move was meant as one: it names a square, in whatever notation,
/// or begins as castling does.
fn is_meant_as_move(word: &str) -> bool {
    let names_square = |pair: &[u8]| matches!(pair[0], b'a'..=b'h') && pair[1].is_ascii_digit();
    word.as_bytes().windows(2).any(names_square)
        || CASTLING.iter().any(|castling| word.starts_with(castling))
}

/// Splits a command such as `[%clk 0:10:00]` off a text that begins with one.
fn split_command(text: &str) -> Option<(&str, &str)> {
    let start = "[%".len();
    let inside = text.strip_prefix("[%")?;
    let end = inside.find(['[', ']', '{', '}'])?;
    inside[end..].starts_with(']').then(|| text.split_at(start + end + 1))
}

/// The number of a move and its side: `17.` or `17...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveNumber {
    pub number: u16,
    pub color: Color,
}

impl MoveNumber {
    /// The number of the next move of a position.
    pub fn next(state: &State) -> Self {
        Self { number: state.fullmove_number(), color: state.side_to_move() }
    }

    /// The number of the move after this one.
    #[must_use]
    pub fn following(self) -> Self {
        let number = self.number.saturating_add(u16::from(self.color == Color::Black));
        Self { number, color: !self.color }
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.color == Color::White { "." } else { "..." };
        write!(f, "{}{dots}", self.number)
    }
}

/// As PGN writes it.
impl Serialize for MoveNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
