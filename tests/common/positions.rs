//! Positions with few pieces, placed at random.

use lovec::chess::position::setup::Setup;
use lovec::chess::{Color, Piece, Position, Square};
use rand::RngExt;
use rand::rngs::StdRng;

pub type ColoredPiece = (Color, Piece);

/// The position of a FEN.
pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The position of a legal setup.
pub fn of_setup(setup: Setup) -> Position {
    Position::new(setup.validate().expect("a legal position").0)
}

/// The pieces on these squares; `None` if two share a square or the position is illegal.
pub fn place(pieces: &[ColoredPiece], squares: &[Square], side_to_move: Color) -> Option<Setup> {
    let mut setup = Setup { side_to_move, ..Setup::default() };
    for (&piece, square) in pieces.iter().zip(squares) {
        if setup.board[square.index()].replace(piece).is_some() {
            return None;
        }
    }
    setup.clone().validate().is_ok().then_some(setup)
}

pub fn random_color(random: &mut StdRng) -> Color {
    Color::ALL[random.random_range(0..2)]
}

pub fn random_squares(count: usize, random: &mut StdRng) -> Vec<Square> {
    (0..count).map(|_| Square::new(random.random_range(0..64))).collect()
}

/// Tries once to place the pieces on random squares, with a random side to move.
pub fn place_randomly(pieces: &[ColoredPiece], random: &mut StdRng) -> Option<Setup> {
    let squares = random_squares(pieces.len(), random);
    place(pieces, &squares, random_color(random))
}

/// The fields of a FEN.
fn fields(position: &Position) -> Vec<String> {
    position.fen().split(' ').map(str::to_owned).collect()
}

/// The same position with the colours exchanged.
pub fn flipped(position: &Position) -> Position {
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            })
            .collect()
    };
    let fields = fields(position);
    let rows: Vec<_> = fields[0].split('/').rev().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let castling = swap(&fields[2]);
    let clock = &fields[4];
    Position::from_fen(&format!("{} {side} {castling} - {clock} 1", rows.join("/"))).unwrap()
}

/// The same position mirrored left to right, without castling rights.
pub fn mirrored(position: &Position) -> Position {
    let fields = fields(position);
    let rows: Vec<String> = fields[0].split('/').map(|row| row.chars().rev().collect()).collect();
    let en_passant: String = fields[3].chars().map(mirrored_file).collect();
    let (side, clock) = (&fields[1], &fields[4]);
    Position::from_fen(&format!("{} {side} - {en_passant} {clock} 1", rows.join("/"))).unwrap()
}

/// The name of a file, or of a square, character by character, of the mirrored board.
fn mirrored_file(c: char) -> char {
    match c {
        'a'..='h' => char::from(b'a' + b'h' - c as u8),
        c => c,
    }
}
