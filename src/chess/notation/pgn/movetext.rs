//! The moves of a game, word by word.
//!
//! The reader follows the game and its variations, so that each move is legal. After an
//! illegal move or an unknown word the positions are not known: the rest of that line of
//! play is kept as words, up to the end of its variation.

use crate::chess::game_result::GameResult;
use crate::chess::notation::excerpt;
use crate::chess::notation::pgn::game::Element;
use crate::chess::notation::pgn::line_stack::{LineStack, MAX_DEPTH};
use crate::chess::notation::pgn::problem::{PgnProblem, ProblemKind};
use crate::chess::notation::pgn::result;
use crate::chess::notation::san;
use crate::chess::position::State;

/// Problems that are kept of a game.
pub(super) const MAX_PROBLEMS: usize = 100;

/// The glyphs that are written after a move; the first is annotation glyph 1.
const GLYPHS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// How people write null moves.
const NULL_MOVES: [&str; 4] = ["--", "Z0", "z0", "@@@@"];

/// Words of older notations that repeat what the move says.
const IGNORED: [&str; 5] = ["e.p.", "ep", "+", "++", "#"];

/// Reads the moves of one game.
#[derive(Debug)]
pub(super) struct MovetextReader {
    stack: LineStack,
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
    /// A game from this position; without one, all words are kept as they are.
    pub fn new(start: Option<State>, problems: Vec<PgnProblem>) -> Self {
        Self {
            stack: LineStack::new(start),
            comment: None,
            elements: Vec::new(),
            problems,
            result: None,
            line: 0,
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
            let mut rest = text.chars();
            match rest.next()? {
                '{' => self.comment = Some(String::new()),
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
        self.elements.push(Element::comment(text));
    }

    fn open(&mut self) {
        if self.stack.depth() >= MAX_DEPTH {
            if self.stack.depth() == MAX_DEPTH {
                self.add_problem(ProblemKind::TooDeep);
            }
            self.stack.open_unread();
        } else {
            if self.stack.state().is_some() && !self.stack.has_move() {
                self.add_problem(ProblemKind::VariationOfNothing);
            }
            self.stack.open();
        }
        self.elements.push(Element::Open);
    }

    fn close(&mut self) {
        if self.stack.close() {
            self.elements.push(Element::Close);
        } else {
            self.add_problem(ProblemKind::Bracket(')'));
        }
    }

    /// Reads a word, perhaps with a move number before it.
    fn read_word(&mut self, word: &str) {
        let text = without_number(word);
        if is_result(text) {
            if self.stack.depth() == 0 {
                self.result = Some(result::parse(text));
            } else {
                self.keep(text);
            }
        } else if let Some(nag) = glyph(text) {
            self.elements.push(Element::Nag(nag));
        } else if let Some(number) = word.strip_prefix('$') {
            match number.parse() {
                Ok(nag) => self.elements.push(Element::Nag(nag)),
                Err(_) => self.keep_with_problem(word),
            }
        } else if let Some(&state) = self.stack.state() {
            self.read_move(word, &state);
        } else {
            self.keep(word);
        }
    }

    /// Reads a move, perhaps with its number before it and a glyph behind it.
    fn read_move(&mut self, word: &str, state: &State) {
        let text = without_number(word);
        if text.is_empty() || IGNORED.contains(&text) {
            return;
        }
        let (m, suffix) = text.split_at(text.trim_end_matches(['!', '?']).len());
        if NULL_MOVES.contains(&m) {
            if state.in_check() {
                return self.give_up(word, ProblemKind::NullMoveInCheck);
            }
            self.stack.pass();
            self.elements.push(Element::NullMove);
        } else if self.is_like_tag(word) || !m.contains(char::is_alphanumeric) {
            return self.keep_with_problem(text);
        } else {
            match san::parse(state, m) {
                Ok(m) => {
                    self.stack.play(m);
                    self.elements.push(Element::Move(m));
                }
                Err(error) => return self.give_up(word, error.into()),
            }
        }
        match glyph(suffix) {
            Some(nag) => self.elements.push(Element::Nag(nag)),
            None if suffix.is_empty() => {}
            None => self.keep_with_problem(suffix),
        }
    }

    /// Ends the line of play at this word.
    fn give_up(&mut self, word: &str, kind: ProblemKind) {
        self.add_problem(kind);
        self.stack.give_up();
        self.keep(word);
    }

    fn keep_with_problem(&mut self, word: &str) {
        self.add_problem(ProblemKind::Word(excerpt(word)));
        self.keep(word);
    }

    /// Keeps a word; as a comment if it would be read as a tag.
    fn keep(&mut self, word: &str) {
        let element = if self.is_like_tag(word) { Element::Comment } else { Element::Word };
        self.elements.push(element(word.into()));
    }

    /// Whether a word, written here, would be read as a tag. It becomes a comment, and a
    /// comment must not end the line of play.
    fn is_like_tag(&self, word: &str) -> bool {
        self.elements.is_empty() && word.starts_with('[')
    }

    /// Records a problem here; of very many, the first ones and what ends the game.
    fn add_problem(&mut self, kind: ProblemKind) {
        let in_variation = self.stack.depth() > 0;
        let ends_game = !in_variation && kind.ends_line();
        let kind = match self.problems.len() {
            ..MAX_PROBLEMS => kind,
            _ if ends_game => kind,
            MAX_PROBLEMS => ProblemKind::More,
            _ => return,
        };
        let (line, number) = (self.line, self.stack.next_number());
        self.problems.push(PgnProblem { line, number, in_variation, kind });
    }

    /// Closes what is open at the end of the game, and returns the result.
    pub fn finish(&mut self, result_tag: Option<GameResult>) -> Option<GameResult> {
        if let Some(comment) = self.comment.take() {
            self.add_problem(ProblemKind::OpenComment);
            self.add_comment(&comment);
        }
        if self.stack.depth() > 0 {
            self.add_problem(ProblemKind::OpenVariation);
        }
        while self.stack.close() {
            self.elements.push(Element::Close);
        }
        if self.result.is_none() {
            self.add_problem(ProblemKind::NoResult);
        }
        self.result.unwrap_or(result_tag)
    }
}

/// Splits a word off; the text must begin with one.
fn split_word(text: &str) -> (&str, &str) {
    let ends = |c: char| c.is_ascii_whitespace() || "{}();$".contains(c);
    let end = match text.strip_prefix('$') {
        None => text.find(ends),
        Some(after) => match after.find(|c: char| !c.is_ascii_digit()) {
            Some(0) => after.find(ends).map(|end| end + 1),
            digits => digits.map(|end| end + 1),
        },
    };
    text.split_at(end.unwrap_or(text.len()))
}

fn is_result(word: &str) -> bool {
    word == "*" || result::parse(word).is_some()
}

fn glyph(word: &str) -> Option<u8> {
    let index = GLYPHS.iter().position(|&glyph| glyph == word)?;
    u8::try_from(index + 1).ok()
}

/// A word without the move number before it: `17.Nf3`, `17...Nf6`, `17.`, `17`, `...`.
fn without_number(word: &str) -> &str {
    let text = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let bare = text.trim_start_matches(['.', '…']);
    // The digits of `0-0` are no number.
    if bare.len() < text.len() || text.is_empty() { bare } else { word }
}
