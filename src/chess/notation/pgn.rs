//! Portable Game Notation: writing games.
//!
//! The text follows the PGN standard (S. J. Edwards, 1994): tag pairs, an empty line, the
//! moves in lines of less than 80 characters, and the result.

use std::fmt;

use crate::chess::notation::san;
use crate::chess::{Color, GameResult, Move, Position};

/// The length of a line of moves.
const LINE_LENGTH: usize = 79;

/// A game to be written.
#[derive(Clone, Debug)]
pub struct Pgn<'a> {
    /// The names and values of tags other than `Result`, `SetUp` and `FEN`, in their order.
    pub tags: Vec<(&'a str, String)>,
    pub start: &'a Position,
    /// The legal moves from there, each with a comment or an empty text.
    pub moves: Vec<(Move, String)>,
    /// `None` if the game is not finished.
    pub result: Option<GameResult>,
}

/// The result as PGN writes it.
pub fn result_text(result: Option<GameResult>) -> &'static str {
    match result {
        Some(GameResult::Won(Color::White)) => "1-0",
        Some(GameResult::Won(Color::Black)) => "0-1",
        Some(GameResult::Drawn) => "1/2-1/2",
        None => "*",
    }
}

impl fmt::Display for Pgn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = result_text(self.result);
        let fen = self.start.fen();
        let is_set_up = fen != Position::startpos().fen();
        let end = [("Result", result.to_owned()), ("SetUp", "1".to_owned()), ("FEN", fen)];
        let end = &end[..if is_set_up { 3 } else { 1 }];
        for (name, value) in self.tags.iter().chain(end) {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut length = 0;
        for word in self.words().iter().map(String::as_str).chain([result]) {
            let separator = match length {
                0 => "",
                _ if length + 1 + word.chars().count() <= LINE_LENGTH => " ",
                _ => "\n",
            };
            write!(f, "{separator}{word}")?;
            length = if separator == " " { length + 1 } else { 0 } + word.chars().count();
        }
        writeln!(f)
    }
}

impl Pgn<'_> {
    /// The moves with their numbers and comments.
    fn words(&self) -> Vec<String> {
        let mut position = self.start.clone();
        let mut words = Vec::new();
        let mut is_number_due = true;
        for (m, comment) in &self.moves {
            let number = position.fullmove_number();
            match position.side_to_move() {
                Color::White => words.push(format!("{number}.")),
                Color::Black if is_number_due => words.push(format!("{number}...")),
                Color::Black => {}
            }
            words.push(san::format(&position, *m));
            if !comment.is_empty() {
                words.push(format!("{{{}}}", comment.replace('}', ")")));
            }
            is_number_due = !comment.is_empty();
            position.make(*m);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::uci;

    fn moves(start: &Position, texts: &[&str]) -> Vec<(Move, String)> {
        let mut position = start.clone();
        let mut moves = Vec::new();
        for text in texts {
            let m = uci::parse_move(&position, text).unwrap();
            position.make(m);
            moves.push((m, String::new()));
        }
        moves
    }

    #[test]
    fn a_game_is_written() {
        let start = Position::startpos();
        let moves = moves(&start, &["f2f3", "e7e5", "g2g4", "d8h4"]);
        let tags = vec![("White", "a \"b\" \\".to_owned())];
        let result = Some(GameResult::Won(Color::Black));
        let text = Pgn { tags, start: &start, moves, result }.to_string();
        let expected =
            "[White \"a \\\"b\\\" \\\\\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_game_may_begin_with_black_anywhere() {
        let start = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7").unwrap();
        let mut moves = moves(&start, &["e8d7", "e2e4", "d7c6"]);
        moves[1].1 = "+1.0/3 {x}".to_owned();
        let text = Pgn { tags: Vec::new(), start: &start, moves, result: None }.to_string();
        assert!(
            text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]"),
            "{text}"
        );
        assert!(text.ends_with("\n7... Kd7 8. e4 {+1.0/3 {x)} 8... Kc6 *\n"), "{text}");
    }

    #[test]
    fn lines_are_short() {
        let start = Position::startpos();
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(30);
        let moves = moves(&start, &shuffle);
        let text = Pgn { tags: Vec::new(), start: &start, moves, result: None }.to_string();
        let lines: Vec<usize> = text.lines().skip(2).map(str::len).collect();
        assert!(lines.iter().all(|&length| length <= LINE_LENGTH) && lines[0] > 70, "{lines:?}");
    }
}
