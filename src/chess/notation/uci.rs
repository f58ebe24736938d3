//! Moves as the UCI protocol writes them: `e2e4`, `e7e8q`, `e1g1`.
//!
//! Castling has two spellings. Standard chess names the square where the king
//! ends, `e1g1`; Chess960 names the rook, `e1h1`, because there the king may end
//! one step away or not move at all. The reader takes both in either mode: the
//! rook spelling first, since no other move ends on a piece of its own colour, and
//! the king spelling only where the king has no ordinary move between these squares.
//! The writer uses the first spelling only for a king on the e file, where it
//! cannot be mistaken for a step.

use thiserror::Error;

use crate::chess::color::Color;
use crate::chess::moves::Move;
use crate::chess::notation::excerpt;
use crate::chess::piece::Piece;
use crate::chess::position::State;
use crate::chess::square::{File, Square};

/// Why a text is not a move of the position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseMoveError {
    /// Not a move in any position.
    #[error("{0:?} is not a move: two squares and perhaps a promotion letter are expected")]
    Malformed(String),
    /// A move, but not legal for the side to move.
    #[error("{0} is not legal here")]
    Illegal(String),
}

/// Writes a move. `chess960` spells castling as the king taking its rook.
///
/// ```
/// use lovec::chess::notation::uci::format_move;
/// use lovec::chess::{Move, MoveKind, Square};
/// let castle = Move::new(Square::E1, Square::H1, MoveKind::Castle);
/// assert_eq!(format_move(castle, false), "e1g1");
/// assert_eq!(format_move(castle, true), "e1h1");
/// ```
pub fn format_move(m: Move, chess960: bool) -> String {
    let from = m.from();
    let to = if !chess960 && from.file() == File::E { m.destination() } else { m.to() };
    match m.promotion() {
        Some(piece) => format!("{from}{to}{}", piece.letter(Color::Black)),
        None => format!("{from}{to}"),
    }
}

/// Reads a move of `state`; the promotion letter may be of either case.
///
/// # Errors
///
/// When the text does not spell a move, or the move is not legal.
///
/// ```
/// use lovec::chess::{Position, notation::uci};
/// assert!(uci::parse_move(&Position::startpos(), "e2e4").is_ok());
/// assert!(uci::parse_move(&Position::startpos(), "e2e5").is_err());
/// ```
pub fn parse_move(state: &State, text: &str) -> Result<Move, ParseMoveError> {
    let (from, to, promotion) =
        split(text).ok_or_else(|| ParseMoveError::Malformed(excerpt(text)))?;
    find(state, from, to, promotion).ok_or_else(|| ParseMoveError::Illegal(text.to_owned()))
}

/// Reads the moves of a line from `start`, up to the first that is not legal.
pub fn parse_line<'t>(start: &State, words: impl IntoIterator<Item = &'t str>) -> Vec<Move> {
    let mut state = *start;
    let legal = |word| {
        let m = parse_move(&state, word).ok()?;
        state.make(m, &mut ());
        Some(m)
    };
    words.into_iter().map_while(legal).collect()
}

/// The legal move between two squares, by either spelling of castling.
pub(in crate::chess::notation) fn find(
    state: &State,
    from: Square,
    to: Square,
    promotion: Option<Piece>,
) -> Option<Move> {
    let moves = state.legal_moves();
    let is_spelled = |m: &Move| m.from() == from && m.to() == to && m.promotion() == promotion;
    let castles = |m: &Move| {
        m.is_castle() && m.from() == from && m.destination() == to && promotion.is_none()
    };
    let found = moves.iter().copied().find(is_spelled);
    found.or_else(|| moves.iter().copied().find(castles))
}

fn split(text: &str) -> Option<(Square, Square, Option<Piece>)> {
    let (from, to) = (text.get(0..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
    let promotion = match *text.as_bytes().get(4..)? {
        [] => None,
        [letter] => {
            let piece = Piece::from_letter(letter.into());
            Some(piece.filter(|piece| Piece::PROMOTIONS.contains(piece))?)
        }
        _ => return None,
    };
    Some((from, to, promotion))
}
