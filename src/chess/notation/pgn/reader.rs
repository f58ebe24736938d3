//! Reads games from a file, one at a time.
//!
//! A game ends with its result, or, if that is missing, before the tags of the next one. A
//! comment that is not closed ends before tags after an empty line, so that it cannot
//! swallow the rest of the file. A line that is not UTF-8 is read as Latin-1, the encoding
//! of the standard. Lines that begin with `%` are skipped, as the standard demands.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use thiserror::Error;

use crate::chess::notation::excerpt;
use crate::chess::notation::pgn::game::PgnGame;
use crate::chess::notation::pgn::movetext::MovetextReader;
use crate::chess::notation::pgn::problem::{PgnProblem, ProblemKind};
use crate::chess::notation::pgn::result;
use crate::chess::notation::pgn::tag::{PgnTag, is_chess960, is_standard};
use crate::chess::position::Position;
use crate::util::input_file::{BYTE_ORDER_MARK, decode_line};

/// The longest game in bytes; more than 50 000 moves with comments.
const MAX_GAME_BYTES: usize = 8 << 20;

/// Why a file cannot be read on.
#[derive(Debug, Error)]
pub enum PgnError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("game {game} is longer than {} MiB (line {line})", MAX_GAME_BYTES >> 20)]
    TooLong { game: u64, line: u64 },
}

/// The games of a file. After an error there are no more.
///
/// ```
/// use lovec::chess::notation::pgn::PgnReader;
/// let text = "[White \"A\"]\n\n1. e4 $1 { best } (1. d4 d5) e5 1-0\n\n1. Nf3 *\n";
/// let games: Vec<_> = PgnReader::new(text.as_bytes()).map(Result::unwrap).collect();
/// assert_eq!((games.len(), games[0].tag("White")), (2, Some("A")));
/// assert_eq!(games[0].final_position().unwrap().plies(), 2);
/// ```
#[derive(Debug)]
pub struct PgnReader<R> {
    source: R,
    /// The plies of each game that are read; `None` for all that a game has.
    plies: Option<usize>,
    /// Lines read so far.
    lines: u64,
    /// Games read so far.
    games: u64,
    /// What the game before has left.
    left: Option<SourceLine>,
    has_ended: bool,
}

/// A line of the file, or the rest of one.
#[derive(Debug)]
struct SourceLine {
    number: u64,
    /// The whole line, without the space at its end.
    whole: String,
    /// The bytes that were read.
    read: usize,
}

impl SourceLine {
    fn text(&self) -> &str {
        &self.whole[self.read..]
    }

    /// Whether it has this character in its first column.
    fn begins(&self, character: char) -> bool {
        self.read == 0 && self.whole.starts_with(character)
    }
}

impl<R: BufRead> PgnReader<R> {
    pub fn new(source: R) -> Self {
        Self { source, plies: None, lines: 0, games: 0, left: None, has_ended: false }
    }

    /// Reads only this number of plies of each game, besides its tags and its result; no
    /// comments and variations. This is faster.
    pub fn first_plies(self, plies: usize) -> Self {
        Self { plies: Some(plies), ..self }
    }

    /// The next line of a game that may take this number of bytes more.
    fn next_line(&mut self, bytes: usize) -> Result<Option<SourceLine>, PgnError> {
        if let Some(left) = self.left.take() {
            return Ok(Some(left));
        }
        let mut line = Vec::new();
        let length = (&mut self.source).take(bytes as u64 + 1).read_until(b'\n', &mut line)?;
        if length == 0 {
            return Ok(None);
        }
        self.lines += 1;
        if length > bytes {
            return Err(PgnError::TooLong { game: self.games + 1, line: self.lines });
        }
        let mut whole = decode_line(line);
        whole.truncate(whole.trim_ascii_end().len());
        if self.lines == 1 && whole.starts_with(BYTE_ORDER_MARK) {
            whole.remove(0);
        }
        Ok(Some(SourceLine { number: self.lines, whole, read: 0 }))
    }

    fn read_game(&mut self) -> Result<Option<PgnGame>, PgnError> {
        let mut game = GameReader { plies: self.plies, ..GameReader::default() };
        let mut bytes = MAX_GAME_BYTES;
        while let Some(line) = self.next_line(bytes)? {
            // With its end, which an open comment keeps.
            bytes = bytes.saturating_sub(line.text().len() + 1);
            if let Some(left) = game.read(line) {
                self.left = Some(left).filter(|left| !left.text().is_empty());
                break;
            }
        }
        if game.line == 0 {
            return Ok(None);
        }
        self.games += 1;
        Ok(Some(game.finish(self.games)))
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let game = self.read_game().transpose();
        self.has_ended = !matches!(game, Some(Ok(_)));
        game
    }
}

/// Reads one game.
#[derive(Debug, Default)]
struct GameReader {
    /// As in [`PgnReader`].
    plies: Option<usize>,
    /// The number of its last line; 0 before the first one that is not empty.
    line: u64,
    tags: Vec<PgnTag>,
    /// The line of the first tag of each name.
    tag_lines: HashMap<String, u64>,
    /// Problems of the tags.
    problems: Vec<PgnProblem>,
    /// Lines among the tags that cannot be read.
    unread: Vec<String>,
    /// Whether the last line was empty.
    after_empty: bool,
    /// Once they have begun.
    moves: Option<MovetextReader>,
}

impl GameReader {
    /// Reads a line; returns what belongs to the next game if this one ends.
    fn read(&mut self, mut line: SourceLine) -> Option<SourceLine> {
        let after_empty = self.after_empty;
        self.after_empty = line.whole.is_empty();
        if self.moves.as_ref().is_some_and(MovetextReader::is_in_comment) {
            if after_empty && line.begins('[') && is_tag_line(line.text()) {
                return Some(line);
            }
        } else if self.after_empty || line.begins('%') {
            return None;
        } else if self.moves.is_some() && line.begins('[') && PgnTag::begins(line.text()) {
            return Some(line);
        }
        if self.moves.is_none() && after_empty && self.is_next_game(line.text()) {
            return Some(line);
        }
        self.line = line.number;
        let mut text = line.text();
        if self.moves.is_none() {
            text = self.read_tags(text);
            if text.is_empty() {
                return None;
            }
        }
        let rest = self.moves().read(text, line.number)?;
        line.read = line.whole.len() - rest.len();
        Some(line)
    }

    /// Whether a line after an empty one begins another game: it repeats a tag.
    fn is_next_game(&self, text: &str) -> bool {
        PgnTag::parse(text).is_some_and(|(tag, _)| self.tag_lines.contains_key(&tag.name))
    }

    /// Reads the tags at the start of a line, and returns the rest of it.
    fn read_tags<'a>(&mut self, line: &'a str) -> &'a str {
        let mut text = line.trim_ascii_start();
        while text.starts_with('[') && !text.starts_with("[%") {
            if let Some((tag, rest)) = PgnTag::parse(text) {
                self.add_tag(tag);
                text = rest.trim_ascii_start();
                continue;
            }
            self.add_problem(self.line, ProblemKind::Tag(excerpt(text)));
            match PgnTag::parse_malformed(text) {
                Some(tag) => self.add_tag(tag),
                None => self.unread.push(text.to_owned()),
            }
            return "";
        }
        text
    }

    fn add_tag(&mut self, tag: PgnTag) {
        self.tag_lines.entry(tag.name.clone()).or_insert(self.line);
        self.tags.push(tag);
    }

    /// Records a problem of the tags.
    fn add_problem(&mut self, line: u64, kind: ProblemKind) {
        let problem = PgnProblem { line, number: None, in_variation: false, kind };
        problem.add_to(&mut self.problems);
    }

    fn tag(&self, name: &str) -> &str {
        let tag = self.tags.iter().find(|tag| tag.name == name);
        tag.map_or("", |tag| tag.value().trim())
    }

    /// The first position, or the tag that is wrong.
    fn start(&self) -> Result<Position, (&'static str, ProblemKind)> {
        let variant = self.tag("Variant");
        if !is_standard(variant) && !is_chess960(variant) {
            return Err(("Variant", ProblemKind::Variant(excerpt(variant))));
        }
        match self.tag("FEN") {
            "" => Ok(Position::startpos()),
            fen => Position::from_fen(fen).map_err(|error| ("FEN", error.into())),
        }
    }

    /// The moves, which begin at the latest here.
    fn moves(&mut self) -> &mut MovetextReader {
        let moves = self.moves.take().unwrap_or_else(|| self.begin_moves());
        self.moves.insert(moves)
    }

    fn begin_moves(&mut self) -> MovetextReader {
        let start = self.start().map_err(|(tag, kind)| {
            let line = self.tag_lines.get(tag).copied();
            self.add_problem(line.unwrap_or(self.line), kind);
            self.problems.sort_by_key(|problem| problem.line);
        });
        let problems = std::mem::take(&mut self.problems);
        let mut moves = MovetextReader::new(start.ok(), self.plies, problems, self.line);
        self.unread.drain(..).for_each(|text| moves.add_comment(&text));
        moves
    }

    fn finish(mut self, number: u64) -> PgnGame {
        let result_tag = result::parse(self.tag("Result"));
        let mut moves = self.moves.take().unwrap_or_else(|| self.begin_moves());
        let termination_marker = moves.finish(result_tag);
        let MovetextReader { start, elements, problems, .. } = moves;
        PgnGame { number, tags: self.tags, start, elements, termination_marker, problems }
    }
}

/// Whether a line holds a tag and nothing else.
fn is_tag_line(line: &str) -> bool {
    PgnTag::parse(line).is_some_and(|(_, rest)| rest.trim_ascii().is_empty())
}
