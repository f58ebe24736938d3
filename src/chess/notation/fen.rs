//! Forsyth–Edwards Notation (S. J. Edwards, PGN standard, 1994, section 16.1), in three
//! dialects.
//!
//! The dialects differ in the castling field alone. Standard FEN writes `KQkq`.
//! X-FEN, for Chess960, writes the same and means the outermost rook on that side
//! of the king, and names the rook by its file (`B`, `g`) where another stands
//! outside it. Shredder-FEN always names the file. One reader accepts all three;
//! [`State::fen`] writes X-FEN, which is standard FEN in standard chess.
//!
//! [`Position::from_fen`] checks the text field by field, and [`Setup::validate`] the position.
//! A FEN may end after any field from the second on; missing fields count as `- - 0 1`.

use std::fmt;
use std::ops::RangeInclusive;

use thiserror::Error;

use crate::chess::castling::{CastlingRights, CastlingSide};
use crate::chess::color::Color;
use crate::chess::notation::excerpt;
use crate::chess::piece::Piece;
use crate::chess::position::setup::{
    MAX_HALFMOVE_CLOCK, Setup, SetupError, SetupWarning, is_possible_en_passant,
};
use crate::chess::position::{Position, State};
use crate::chess::square::{File, Rank, Square};

/// The starting position of standard chess.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The longest FEN that is read, in bytes; a real one has fewer than a hundred.
const MAX_LENGTH: usize = 256;

type Board = [Option<(Color, Piece)>; Square::COUNT];

/// Why a text is not the FEN of a position: the field, and the place in it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    #[error("FEN: nothing there")]
    Empty,
    #[error("FEN: {length} bytes long, more than {MAX_LENGTH}")]
    TooLong { length: usize },
    #[error("FEN: {count} fields, more than six")]
    TooManyFields { count: usize },
    #[error("FEN board: {count} {} instead of eight", if *.count == 1 { "rank" } else { "ranks" })]
    RankCount { count: usize },
    #[error("FEN board: {files} squares instead of eight on rank {}", .rank.index() + 1)]
    RankLength { rank: Rank, files: usize },
    #[error("FEN board: unexpected {character:?} at {square}")]
    BoardCharacter { character: char, square: Square },
    #[error("FEN side to move: missing")]
    SideMissing,
    #[error("FEN side to move: {0:?} is neither \"w\" nor \"b\"")]
    Side(String),
    #[error("FEN castling rights: unexpected {character:?} at character {place}")]
    CastlingCharacter { character: char, place: usize },
    #[error("FEN castling rights: {character:?} at character {place} repeats a right")]
    CastlingRepeated { character: char, place: usize },
    #[error("FEN en-passant square: {0:?} is neither a square nor \"-\"")]
    EnPassant(String),
    /// The message includes the cause, so `source` does not repeat it.
    #[error("FEN position: {0}")]
    Setup(SetupError),
}

/// What was changed in a FEN to make it valid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenWarning {
    #[error("{0}")]
    Setup(#[from] SetupWarning),
    #[error("halfmove clock {text:?} read as {value}")]
    HalfmoveClock { text: String, value: u16 },
    #[error("move number {text:?} read as {value}")]
    FullmoveNumber { text: String, value: u16 },
}

/// Reads the fields of a FEN without checking that the position is possible.
fn parse_setup(text: &str) -> Result<(Setup, Vec<FenWarning>), FenError> {
    let text = text.trim_ascii();
    if text.len() > MAX_LENGTH {
        return Err(FenError::TooLong { length: text.len() });
    }
    let mut fields = text.split_ascii_whitespace();
    let board = parse_board(fields.next().ok_or(FenError::Empty)?)?;
    let side_to_move = parse_side(fields.next().ok_or(FenError::SideMissing)?)?;
    let castling = parse_castling(fields.next().unwrap_or("-"), &board)?;
    let en_passant = parse_en_passant(fields.next().unwrap_or("-"))?;
    let (halfmove, fullmove) = (fields.next().unwrap_or("0"), fields.next().unwrap_or("1"));
    let surplus = fields.count();
    if surplus > 0 {
        return Err(FenError::TooManyFields { count: 6 + surplus });
    }

    let mut warnings = Vec::new();
    let (halfmove_clock, changed) = parse_counter(halfmove, 0..=MAX_HALFMOVE_CLOCK);
    if changed {
        let text = excerpt(halfmove);
        warnings.push(FenWarning::HalfmoveClock { text, value: halfmove_clock });
    }
    let (fullmove_number, changed) = parse_counter(fullmove, 1..=u16::MAX);
    if changed {
        let text = excerpt(fullmove);
        warnings.push(FenWarning::FullmoveNumber { text, value: fullmove_number });
    }
    let setup =
        Setup { board, side_to_move, castling, en_passant, halfmove_clock, fullmove_number };
    Ok((setup, warnings))
}

fn parse_board(field: &str) -> Result<Board, FenError> {
    let count = field.split('/').count();
    if count != 8 {
        return Err(FenError::RankCount { count });
    }
    let mut board = [None; Square::COUNT];
    for (text, &rank) in field.split('/').zip(Rank::ALL.iter().rev()) {
        let mut files = 0;
        for character in text.chars() {
            let square = Square::at(File::new(files), rank);
            if let Some(empty @ 1..=8) = character.to_digit(10) {
                files += empty as usize;
            } else if let Some(piece) = Piece::from_letter(character) {
                if files < 8 {
                    board[square.index()] = Some((color_of(character), piece));
                }
                files += 1;
            } else {
                return Err(FenError::BoardCharacter { character, square });
            }
        }
        if files != 8 {
            return Err(FenError::RankLength { rank, files });
        }
    }
    Ok(board)
}

fn color_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() { Color::White } else { Color::Black }
}

fn parse_side(field: &str) -> Result<Color, FenError> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::Side(excerpt(field))),
    }
}

/// Reads the castling field of any dialect. A right whose king or rook is not
/// there is kept here, with the file that it names or that standard chess would
/// give it, for [`Setup::validate`] to judge.
fn parse_castling(field: &str, board: &Board) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if field == "-" {
        return Ok(rights);
    }
    for (place, character) in (1..).zip(field.chars()) {
        let color = color_of(character);
        let outermost = |side| outermost_rook(board, color, side);
        let (king, queen) = (CastlingSide::King, CastlingSide::Queen);
        let (side, file) = match character.to_ascii_lowercase() {
            'k' => (king, outermost(king).unwrap_or(File::H)),
            'q' => (queen, outermost(queen).unwrap_or(File::A)),
            letter => {
                let file = File::from_letter(letter)
                    .ok_or(FenError::CastlingCharacter { character, place })?;
                let is_kingside = file > king_file(board, color).unwrap_or(File::D);
                (if is_kingside { king } else { queen }, file)
            }
        };
        if rights.rook(color, side).is_some() {
            return Err(FenError::CastlingRepeated { character, place });
        }
        rights.set(color, side, file);
    }
    Ok(rights)
}

/// The file of the king of `color`, if it stands on its own back rank.
fn king_file(board: &Board, color: Color) -> Option<File> {
    let rank = color.relative_rank(Rank::First);
    File::ALL
        .into_iter()
        .find(|&file| board[Square::at(file, rank).index()] == Some((color, Piece::King)))
}

/// The file of the rook that `K` or `Q` means: the one furthest out on its side
/// of the king.
fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Option<File> {
    let rank = color.relative_rank(Rank::First);
    let king = king_file(board, color)?;
    let is_rook =
        |&file: &File| board[Square::at(file, rank).index()] == Some((color, Piece::Rook));
    match side {
        CastlingSide::King => File::ALL.into_iter().filter(|&file| file > king).rfind(is_rook),
        CastlingSide::Queen => File::ALL.into_iter().filter(|&file| file < king).find(is_rook),
    }
}

fn parse_en_passant(field: &str) -> Result<Option<Square>, FenError> {
    if field == "-" {
        return Ok(None);
    }
    field.parse().map(Some).map_err(|_| FenError::EnPassant(excerpt(field)))
}

/// A counter clamped to `range`, and whether to warn. Text that is not a number counts
/// as the least value. A move number of 0 is common and gives no warning.
fn parse_counter(field: &str, range: RangeInclusive<u16>) -> (u16, bool) {
    let (least, greatest) = range.into_inner();
    let digits = field.strip_prefix('+').unwrap_or(field);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return (least, true);
    }
    match digits.parse::<u16>() {
        Ok(value) if value <= greatest => (value.max(least), false),
        _ => (greatest, true),
    }
}

impl Position {
    /// Reads a FEN of any dialect and ignores the warnings.
    ///
    /// # Errors
    ///
    /// When the text is malformed or the position impossible.
    ///
    /// ```
    /// use lovec::chess::Position;
    /// let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    /// assert_eq!(Position::from_fen(fen)?.fen(), fen);
    /// assert!(Position::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
    /// # Ok::<(), lovec::chess::notation::fen::FenError>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<Self, FenError> {
        Self::from_fen_with_warnings(text).map(|(position, _)| position)
    }

    /// Reads a FEN of any dialect and returns what had to be changed in it.
    pub fn from_fen_with_warnings(text: &str) -> Result<(Self, Vec<FenWarning>), FenError> {
        let (setup, mut warnings) = parse_setup(text)?;
        let target = setup.en_passant;
        let (state, repairs) = setup.validate().map_err(FenError::Setup)?;
        warnings.extend(repairs.into_iter().map(FenWarning::Setup));
        let passed = target.filter(|&target| is_possible_en_passant(&state, target));
        Ok((Self::after_double_step(state, passed), warnings))
    }
}

impl State {
    /// The position in X-FEN, which is standard FEN unless a right belongs to a
    /// rook with another one outside it.
    pub fn fen(&self) -> String {
        Fen(self).to_string()
    }
}

struct Fen<'a>(&'a State);

impl fmt::Display for Fen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = Setup::from(self.0);
        for (row, rank) in Rank::ALL.into_iter().rev().enumerate() {
            if row > 0 {
                f.write_str("/")?;
            }
            write_rank(f, &setup.board, rank)?;
        }
        write!(f, " {} ", setup.side_to_move)?;
        if setup.castling.is_empty() {
            f.write_str("-")?;
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = setup.castling.rook(color, side) {
                    let letter = castling_letter(&setup.board, color, side, rook);
                    write!(f, "{letter}")?;
                }
            }
        }
        match setup.en_passant {
            Some(target) => write!(f, " {target}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", setup.halfmove_clock, setup.fullmove_number)
    }
}

fn write_rank(f: &mut fmt::Formatter<'_>, board: &Board, rank: Rank) -> fmt::Result {
    let squares = &board[8 * rank.index()..][..8];
    for group in squares.chunk_by(|left, right| left.is_none() && right.is_none()) {
        match group[0] {
            Some((color, piece)) => write!(f, "{}", piece.letter(color))?,
            None => write!(f, "{}", group.len())?,
        }
    }
    Ok(())
}

fn castling_letter(board: &Board, color: Color, side: CastlingSide, rook: File) -> char {
    let letter = match side {
        _ if outermost_rook(board, color, side) != Some(rook) => rook.letter(),
        CastlingSide::King => 'k',
        CastlingSide::Queen => 'q',
    };
    match color {
        Color::White => letter.to_ascii_uppercase(),
        Color::Black => letter,
    }
}
