//! A game as a file holds it.

use crate::chess::game_result::GameResult;
use crate::chess::moves::Move;
use crate::chess::notation::pgn::movetext::MoveNumber;
use crate::chess::notation::pgn::problem::{PgnProblem, ProblemKind};
use crate::chess::notation::pgn::result;
use crate::chess::notation::pgn::tag::PgnTag;
use crate::chess::position::Position;

/// A game with everything that a person wrote into it. All its moves are legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Its number in the file, or among the games of several files, from 1.
    pub number: u64,
    /// In the order of the file.
    pub tags: Vec<PgnTag>,
    pub(super) start: Option<Position>,
    pub(super) elements: Vec<Element>,
    /// The result after the moves, or, if none stands there, that of the tag; `None` for `*`.
    pub(super) termination_marker: Option<GameResult>,
    pub(super) problems: Vec<PgnProblem>,
}

/// A part of the moves of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A legal move.
    Move(Move),
    /// A null move, as people write it in variations that show a threat.
    NullMove,
    /// A numeric annotation glyph: 1 for `!`, 2 for `?`, and so on.
    Nag(u8),
    /// A comment, in which each run of spaces and line ends is one space.
    Comment(Box<str>),
    /// The start of a variation that replaces the last move.
    Open,
    /// The end of a variation.
    Close,
    /// A word that has no meaning here, or any word after an illegal move.
    Word(Box<str>),
}

impl Element {
    /// A comment; each run of spaces and line ends becomes one space.
    pub fn comment(text: &str) -> Self {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        Self::Comment(words.join(" ").into())
    }
}

/// The elements of a line without its variations.
pub fn without_variations(line: &[Element]) -> impl Iterator<Item = &Element> {
    let mut depth = 0_usize;
    line.iter().filter(move |element| {
        match element {
            Element::Open => depth += 1,
            Element::Close => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    })
}

impl PgnGame {
    /// A game of legal moves, each with a comment or an empty text. The tags `Result` and, if
    /// the game does not begin from the start position, `Variant` (of Chess960), `SetUp` and
    /// `FEN` are added to `tags`.
    pub fn new<'a>(
        tags: impl IntoIterator<Item = (&'a str, String)>,
        start: &Position,
        moves: impl IntoIterator<Item = (Move, String)>,
        result: Option<GameResult>,
    ) -> Self {
        let fen = start.fen();
        let mut tags: Vec<(&str, String)> = tags.into_iter().collect();
        tags.push(("Result", result::text(result).to_owned()));
        if start.is_chess960() {
            tags.push(("Variant", "Chess960".to_owned()));
        }
        if fen != Position::startpos().fen() {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", fen)]);
        }
        let mut elements = Vec::new();
        for (m, comment) in moves {
            elements.push(Element::Move(m));
            if !comment.is_empty() {
                elements.push(Element::comment(&comment));
            }
        }
        Self {
            number: 1,
            tags: tags.iter().map(|(name, value)| PgnTag::new(name, value)).collect(),
            start: Some(start.clone()),
            elements,
            termination_marker: result,
            problems: Vec::new(),
        }
    }

    /// The first position; `None` if the tags do not describe one, so that the moves cannot
    /// be followed.
    pub fn start(&self) -> Option<&Position> {
        self.start.as_ref()
    }

    /// Moves, comments and all else, in the order of the file.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// What is wrong, in the order of the file; of very many problems, the first ones and the
    /// problem that ends the game.
    pub fn problems(&self) -> &[PgnProblem] {
        &self.problems
    }

    /// The value of the first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(PgnTag::value)
    }

    /// The result: that of the tag, or, if it names none, that after the moves; `None` if neither
    /// does.
    pub fn result(&self) -> Option<GameResult> {
        let of_tag = self.tag("Result").and_then(|tag| result::parse(tag.trim()));
        of_tag.or(self.termination_marker)
    }

    /// The ratings of White and Black, as far as the tags have them.
    pub fn ratings(&self) -> [Option<u32>; 2] {
        ["WhiteElo", "BlackElo"].map(|tag| self.tag(tag)?.trim().parse().ok())
    }

    /// The elements of the game itself, without its variations.
    pub fn main_line(&self) -> impl Iterator<Item = &Element> {
        without_variations(&self.elements)
    }

    /// The moves of the game itself; `None` for a pass.
    pub fn moves(&self) -> impl Iterator<Item = Option<Move>> {
        self.main_line().filter_map(|element| match element {
            Element::Move(m) => Some(Some(*m)),
            Element::NullMove => Some(None),
            _ => None,
        })
    }

    /// The position after the last move of the game for which `wanted` holds, or all moves;
    /// with the moves that led to it. `None` if the first position is not known.
    ///
    /// `wanted` is given the number of each move, from the first.
    pub fn position_while(&self, mut wanted: impl FnMut(MoveNumber) -> bool) -> Option<Position> {
        let mut position = self.start.clone()?;
        for m in self.moves() {
            if !wanted(MoveNumber::next(&position)) {
                break;
            }
            match m {
                Some(m) => position.make(m),
                None => position.make_null(),
            }
        }
        Some(position)
    }

    /// The position at the end of the game.
    pub fn final_position(&self) -> Option<Position> {
        self.position_while(|_| true)
    }

    /// Whether this is another text: words without meaning, but no tag and no move that can be
    /// played.
    pub fn is_other_text(&self) -> bool {
        self.tags.is_empty()
            && self.problems.iter().any(|problem| problem.kind != ProblemKind::NoResult)
            && self.final_position().is_none_or(|position| position.last_move().is_none())
    }

    /// The mistake after which the game itself cannot be followed.
    pub fn main_line_problem(&self) -> Option<&PgnProblem> {
        self.problems.iter().find(|problem| problem.ends_game())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::color::Color;
    use crate::chess::notation::pgn::PgnReader;

    #[test]
    fn the_tag_has_the_result_unless_it_names_none() {
        let won = |color| Some(GameResult::Won(color));
        for (tag, marker, result) in [
            ("0-1", "1-0", won(Color::Black)),
            ("1-0", "*", won(Color::White)),
            (" 1/2 ", "1/2-1/2", Some(GameResult::Drawn)),
            ("*", "0-1", won(Color::Black)),
            ("?", "*", None),
        ] {
            let text = format!("[Result \"{tag}\"]\n\n1. e4 {marker}\n");
            let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(game.result(), result, "{text}");
            assert_eq!(game.to_string(), text);
        }
    }
}
