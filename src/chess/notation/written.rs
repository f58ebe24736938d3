//! Moves and lines as people and programs write them.

use serde::Serialize;

use crate::chess::color::Color;
use crate::chess::moves::Move;
use crate::chess::notation::pgn::MoveNumber;
use crate::chess::notation::{san, uci};
use crate::chess::position::State;

/// A move in SAN and in UCI notation.
#[derive(Serialize)]
pub struct WrittenMove {
    pub san: String,
    pub uci: String,
}

impl WrittenMove {
    /// A legal move of `state`.
    pub fn new(state: &State, m: Move) -> Self {
        Self { san: san::format(state, m), uci: uci::format_move(m, state.is_chess960()) }
    }
}

/// A line of moves in SAN and in UCI notation.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenLine {
    pub san: Vec<String>,
    pub uci: Vec<String>,
}

impl WrittenLine {
    /// The line of `moves` from `start`.
    pub fn new(start: &State, moves: &[Move]) -> Self {
        let (mut state, chess960) = (*start, start.is_chess960());
        let mut line = Self { san: Vec::new(), uci: Vec::new() };
        for &m in moves {
            line.san.push(san::format(&state, m));
            line.uci.push(uci::format_move(m, chess960));
            state.make(m, &mut ());
        }
        line
    }

    /// The line with the move numbers of `start`, where it begins: `1. e4 e5
    /// 2. Nf3`, or `1... e5 2. Nf3` if Black moves first.
    pub fn numbered(&self, start: &State) -> String {
        numbered(&self.san, MoveNumber::next(start), " ")
    }
}

/// Moves in SAN with their numbers, from `number` on, and with `gap` after each number:
/// `4.Nxe5 Nxe5 5.Bb3` without one, `4...Nxe5 5.Bb3` if Black moves first.
pub fn numbered(sans: &[String], mut number: MoveNumber, gap: &str) -> String {
    let mut words = Vec::new();
    for (index, san) in sans.iter().enumerate() {
        words.push(match number.color {
            Color::Black if index > 0 => san.clone(),
            _ => format!("{number}{gap}{san}"),
        });
        number = number.following();
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::Position;

    /// The line of these moves.
    fn line(start: &Position, moves: &str) -> WrittenLine {
        let mut end = start.clone();
        san::play(&mut end, moves.split_whitespace()).unwrap();
        WrittenLine::new(start, &end.start_and_moves().1)
    }

    #[test]
    fn a_line_is_written_both_ways() {
        let start = Position::startpos();
        let line = line(&start, "e2e4 e7e5 g1f3");
        assert_eq!(line.san, ["e4", "e5", "Nf3"]);
        assert_eq!(line.uci, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(line.numbered(&start), "1. e4 e5 2. Nf3");
    }

    #[test]
    fn a_line_of_black_begins_with_dots() {
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7";
        let start = Position::from_fen(fen).unwrap();
        let written = |moves: &str| line(&start, moves).numbered(&start);
        assert_eq!(written("e7e5 g1f3 b8c6"), "7... e5 8. Nf3 Nc6");
        assert_eq!(written("e7e5"), "7... e5");
        assert_eq!(written(""), "");
        let sans = line(&start, "e7e5 g1f3 b8c6").san;
        assert_eq!(numbered(&sans, MoveNumber::next(&start), ""), "7...e5 8.Nf3 Nc6");
    }
}
