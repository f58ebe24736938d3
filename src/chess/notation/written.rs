//! Moves and lines as people and programs write them.

use serde::Serialize;

use crate::chess::color::Color;
use crate::chess::moves::Move;
use crate::chess::notation::{san, uci};
use crate::chess::position::Position;

/// A move in SAN and in UCI notation.
#[derive(Serialize)]
pub struct WrittenMove {
    pub san: String,
    pub uci: String,
}

impl WrittenMove {
    /// A legal move of `position`.
    pub fn new(position: &Position, m: Move) -> Self {
        Self { san: san::format(position, m), uci: uci::format_move(m, position.is_chess960()) }
    }
}

/// A line of moves in SAN and in UCI notation.
#[derive(Serialize)]
pub struct WrittenLine {
    pub san: Vec<String>,
    pub uci: Vec<String>,
}

impl WrittenLine {
    /// The line of `moves` from `position`.
    pub fn new(position: &Position, moves: &[Move]) -> Self {
        let chess960 = position.is_chess960();
        let mut position = position.clone();
        let mut line = Self { san: Vec::new(), uci: Vec::new() };
        for &m in moves {
            line.san.push(san::format(&position, m));
            line.uci.push(uci::format_move(m, chess960));
            position.make(m);
        }
        line
    }

    /// The line with the move numbers of `position`, where it begins: `1. e4 e5
    /// 2. Nf3`, or `1... e5 2. Nf3` if Black moves first.
    pub fn numbered(&self, position: &Position) -> String {
        numbered(&self.san, position.fullmove_number(), position.side_to_move(), " ")
    }
}

/// Moves in SAN with their numbers, of which `number` is the first, and with `gap` after each
/// number: `4.Nxe5 Nxe5 5.Bb3` without one, `4...Nxe5 5.Bb3` if Black moves first.
pub fn numbered(sans: &[String], mut number: u16, first: Color, gap: &str) -> String {
    let mut side = first;
    let mut words = Vec::new();
    for (index, san) in sans.iter().enumerate() {
        words.push(match (side, index) {
            (Color::White, _) => format!("{number}.{gap}{san}"),
            (Color::Black, 0) => format!("{number}...{gap}{san}"),
            (Color::Black, _) => san.clone(),
        });
        number = number.saturating_add(u16::from(side == Color::Black));
        side = !side;
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_written_both_ways() {
        let start = Position::startpos();
        let mut next = start.clone();
        let mut moves = Vec::new();
        for text in ["e2e4", "e7e5", "g1f3"] {
            let m = uci::parse_move(&next, text).unwrap();
            next.make(m);
            moves.push(m);
        }
        let line = WrittenLine::new(&start, &moves);
        assert_eq!(line.san, ["e4", "e5", "Nf3"]);
        assert_eq!(line.uci, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(line.numbered(&start), "1. e4 e5 2. Nf3");
    }

    #[test]
    fn a_line_of_black_begins_with_dots() {
        let position =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7")
                .unwrap();
        let mut next = position.clone();
        let mut moves = Vec::new();
        for text in ["e7e5", "g1f3", "b8c6"] {
            let m = uci::parse_move(&next, text).unwrap();
            next.make(m);
            moves.push(m);
        }
        let line = WrittenLine::new(&position, &moves);
        assert_eq!(line.numbered(&position), "7... e5 8. Nf3 Nc6");
        assert_eq!(WrittenLine::new(&position, &moves[..1]).numbered(&position), "7... e5");
        assert_eq!(WrittenLine::new(&position, &[]).numbered(&position), "");
        assert_eq!(numbered(&line.san, 7, Color::Black, ""), "7...e5 8.Nf3 Nc6");
    }
}
