//! A board in the terminal.

use std::fmt::Write;

use anstyle::{Ansi256Color, Color, Style};
use clap::ValueEnum;

use crate::chess::{File, Move, Position, Rank, Square};
use crate::cli::style::paint;

/// How to draw the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Board {
    Unicode,
    Ascii,
    None,
}

/// The squares, as in a printed diagram.
const LIGHT: Style = on_square(223);
const DARK: Style = on_square(180);

const fn on_square(colour: u8) -> Style {
    let black = Some(Color::Ansi256(Ansi256Color(16)));
    Style::new().fg_color(black).bg_color(Some(Color::Ansi256(Ansi256Color(colour))))
}

/// The board with brackets around the squares of a move, in castling those of the king, from
/// Black's side if it is flipped.
pub fn drawn(position: &Position, marked: Option<Move>, board: Board, flip: bool) -> String {
    let marked: Vec<Square> = marked.map_or_else(Vec::new, |m| vec![m.from(), m.destination()]);
    let order: Vec<usize> = if flip { (0..8).rev().collect() } else { (0..8).collect() };
    let mut text = String::new();
    for &rank in order.iter().rev() {
        let _ = write!(text, "  {}  ", rank + 1);
        for &file in &order {
            let square = Square::at(File::ALL[file], Rank::ALL[rank]);
            let piece = symbol(position, square, board);
            let (open, close) = if marked.contains(&square) { ('[', ']') } else { (' ', ' ') };
            let cell = format_args!("{open}{piece}{close}");
            text += &paint(if (file + rank) % 2 == 0 { DARK } else { LIGHT }, cell);
        }
        text.push('\n');
    }
    text.push_str("     ");
    for &file in &order {
        let _ = write!(text, " {} ", File::ALL[file].letter());
    }
    text.push('\n');
    text
}

fn symbol(position: &Position, square: Square, board: Board) -> char {
    let (Some(piece), Some(color)) = (position.piece_on(square), position.color_on(square)) else {
        return if board == Board::Unicode { '·' } else { '.' };
    };
    if board == Board::Ascii {
        return piece.letter(color);
    }
    const SYMBOLS: [[char; 6]; 2] =
        [['♙', '♘', '♗', '♖', '♕', '♔'], ['♟', '♞', '♝', '♜', '♛', '♚']];
    SYMBOLS[color.index()][piece.index()]
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;
    use crate::chess::notation::san;

    #[test]
    fn the_colours_of_the_symbols_follow_the_pieces() {
        let start = Position::startpos();
        assert_eq!(symbol(&start, "e1".parse().unwrap(), Board::Unicode), '♔');
        assert_eq!(symbol(&start, "d8".parse().unwrap(), Board::Unicode), '♛');
        assert_eq!(symbol(&start, "d8".parse().unwrap(), Board::Ascii), 'q');
        assert_eq!(symbol(&start, "e4".parse().unwrap(), Board::Ascii), '.');
    }

    #[test]
    fn a_castled_king_is_marked() {
        for (fen, san, wanted) in [
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "  1   .  .  .  . [.] R [K] . "),
            ("4k3/8/8/8/8/8/8/3RK3 w D - 0 1", "O-O-O", "  1   .  . [K] R [.] .  .  . "),
            ("4k3/8/8/8/8/8/8/1R4K1 w B - 0 1", "O-O-O", "  1   .  . [K] R  .  . [.] . "),
            ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "O-O", "  1   .  .  .  .  .  R [K] . "),
        ] {
            let mut position = Position::from_fen(fen).unwrap();
            san::play(&mut position, [san]).unwrap();
            let board = drawn(&position, position.last_move(), Board::Ascii, false);
            let board = strip_str(&board).to_string();
            assert!(board.lines().any(|line| line == wanted), "{board}");
        }
    }
}
