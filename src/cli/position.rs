//! Positions on the command line.

use anyhow::{Context, Result};

use crate::chess::notation::{san, uci};
use crate::chess::{Move, Position};

/// A FEN, whole or in several words, or `startpos`.
pub(super) fn parse(words: &[String]) -> Result<Position> {
    let text = words.join(" ");
    if text == "startpos" {
        return Ok(Position::startpos());
    }
    let (position, warnings) = Position::from_fen_with_warnings(&text)
        .with_context(|| format!("`{text}` is neither `startpos` nor a FEN"))?;
    warnings.iter().for_each(|warning| log::warn!("{warning}"));
    Ok(position)
}

/// A line of play in the notation of people and in that of programs.
pub(super) struct Line {
    pub san: Vec<String>,
    pub uci: Vec<String>,
}

impl Line {
    /// Moves that can be played from `position`, one after the other.
    pub fn new(position: &Position, moves: &[Move]) -> Self {
        let chess960 = position.is_chess960();
        let mut position = position.clone();
        let mut line = Self { san: Vec::new(), uci: Vec::new() };
        for &mv in moves {
            line.san.push(san::format(&position, mv));
            line.uci.push(uci::format_move(mv, chess960));
            position.make(mv);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        parse(&words).unwrap()
    }

    #[test]
    fn words_make_a_position() {
        assert_eq!(position("startpos").fen(), Position::startpos().fen());
        assert_eq!(position("8/8/8/8/8/8/8/K1k5 b - -").fen(), "8/8/8/8/8/8/8/K1k5 b - - 0 1");
        assert!(parse(&["nonsense".to_owned()]).is_err());
    }

    #[test]
    fn a_line_is_written_both_ways() {
        let start = Position::startpos();
        let mut next = start.clone();
        let mut moves = Vec::new();
        for text in ["e2e4", "e7e5", "g1f3"] {
            let mv = uci::parse_move(&next, text).unwrap();
            next.make(mv);
            moves.push(mv);
        }
        let line = Line::new(&start, &moves);
        assert_eq!(line.san, ["e4", "e5", "Nf3"]);
        assert_eq!(line.uci, ["e2e4", "e7e5", "g1f3"]);
    }
}
