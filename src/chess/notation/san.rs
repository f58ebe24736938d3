//! Standard Algebraic Notation: `Nf3`, `exd5`, `O-O`, `e8=Q+`, `Qh4#`.
//!
//! The writer follows the PGN standard (S. J. Edwards, 1994). The reader accepts what
//! people and older programs write: zeros in castling, a missing or superfluous
//! capture, check or mate sign, `!` and `?`, any amount of disambiguation down to
//! `Ng1-f3`, and a promotion with or without its `=`. Exactly one
//! legal move must fit.

use std::fmt::Write;

use thiserror::Error;

use crate::chess::castling::CastlingSide;
use crate::chess::color::Color;
use crate::chess::moves::{Move, MoveKind, MoveList};
use crate::chess::notation::{excerpt, uci};
use crate::chess::piece::Piece;
use crate::chess::position::{Position, State};
use crate::chess::square::{File, Rank, Square};

/// Why a text is not a move of the position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// Not a move in any position.
    #[error("{0:?} is not a move in algebraic notation")]
    Malformed(String),
    /// A move, but not legal for the side to move.
    #[error("{0} is not legal here")]
    Illegal(String),
    /// Several legal moves fit.
    #[error("{text} may mean {}", .candidates.join(" or "))]
    Ambiguous { text: String, candidates: Vec<String> },
}

/// Writes a legal move of `state`.
///
/// ```
/// use lovec::chess::Position;
/// use lovec::chess::notation::{san, uci};
/// let start = Position::startpos();
/// let m = uci::parse_move(&start, "g1f3").unwrap();
/// assert_eq!(san::format(&start, m), "Nf3");
/// ```
pub fn format(state: &State, m: Move) -> String {
    let mut san = without_check(state, m);
    let child = state.after(m);
    if child.in_check() {
        san.push(if child.is_checkmate() { '#' } else { '+' });
    }
    san
}

fn without_check(state: &State, m: Move) -> String {
    if m.is_castle() {
        return match CastlingSide::of(m.from(), m.to()) {
            CastlingSide::King => "O-O".to_owned(),
            CastlingSide::Queen => "O-O-O".to_owned(),
        };
    }
    let piece = state.moved_piece(m);
    let mut san = String::with_capacity(8);
    if piece != Piece::Pawn {
        san.push(piece.letter(Color::White));
        disambiguate(&mut san, state, m, piece);
    } else if m.is_capture() {
        san.push(m.from().file().letter());
    }
    if m.is_capture() {
        san.push('x');
    }
    // Writing to a string cannot fail.
    let _ = write!(san, "{}", m.to());
    if let Some(promotion) = m.promotion() {
        san.push('=');
        san.push(promotion.letter(Color::White));
    }
    san
}

/// Adds the file of the moving piece, or its rank, or both: the first of these that
/// excludes every other piece of its kind with a legal move to the same square.
fn disambiguate(san: &mut String, state: &State, m: Move, piece: Piece) {
    let from = m.from();
    let (mut rivals, mut same_file, mut same_rank) = (false, false, false);
    for other in state.legal_moves() {
        if other.to() == m.to()
            && other.from() != from
            && !other.is_castle()
            && state.moved_piece(other) == piece
        {
            rivals = true;
            same_file |= other.from().file() == from.file();
            same_rank |= other.from().rank() == from.rank();
        }
    }
    if rivals && (!same_file || same_rank) {
        san.push(from.file().letter());
    }
    if same_file {
        san.push(rank_digit(from.rank()));
    }
}

/// Reads a move of `state`. Where both squares are given, as in `e2e4`, `g1-f3`, `Ng1xf3` or
/// `e7e8=Q`, the letter of the piece may be missing, and castling is written as in
/// [`crate::chess::notation::uci`].
///
/// # Errors
///
/// When the text is no move, or when no legal move or more than one fits it.
///
/// ```
/// use lovec::chess::{MoveKind, Position, notation::san};
/// let m = san::parse(&Position::startpos(), "e4").unwrap();
/// assert_eq!(m.kind(), MoveKind::DoublePush);
/// ```
pub fn parse(state: &State, text: &str) -> Result<Move, SanError> {
    let wanted = Pattern::parse(text).ok_or_else(|| SanError::Malformed(excerpt(text)))?;
    let fitting = wanted.moves(state);
    match *fitting {
        [m] => Ok(m),
        [] => Err(SanError::Illegal(excerpt(text))),
        _ => Err(SanError::Ambiguous {
            text: excerpt(text),
            candidates: fitting.iter().map(|&m| without_check(state, m)).collect(),
        }),
    }
}

/// Plays moves as people and programs write them: in SAN or by squares, with or without
/// their numbers.
///
/// # Errors
///
/// The first word that is no legal move, its number among the moves, and why; the moves before
/// it are played.
pub fn play<'t>(
    position: &mut Position,
    words: impl IntoIterator<Item = &'t str>,
) -> Result<(), (&'t str, usize, SanError)> {
    let mut number = 1;
    for word in words {
        if word.contains('.') && without_number(word).is_empty() {
            continue;
        }
        let unnumbered = unnumbered(word);
        // Most moves are squares.
        let m = match uci::parse_move(position, unnumbered) {
            Ok(m) => m,
            Err(_) => parse(position, unnumbered).map_err(|error| (word, number, error))?,
        };
        position.make(m);
        number += 1;
    }
    Ok(())
}

/// As [`parse`], of a move that may have its number before it.
pub fn parse_numbered(state: &State, word: &str) -> Result<Move, SanError> {
    parse(state, unnumbered(word))
}

/// A word without the numbers before it, if it is more than these.
pub fn unnumbered(word: &str) -> &str {
    Some(without_number(word)).filter(|rest| !rest.is_empty()).unwrap_or(word)
}

/// A word without the move numbers before it: `17.Nf3`, `17...Nf6`, `17.`, `17`, `...`; of a
/// number alone nothing.
pub fn without_number(word: &str) -> &str {
    let mut text = word;
    loop {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let bare = rest.trim_start_matches(['.', '…']);
        // The digits of `0-0` are no number, nor is a null move.
        let has_number = bare.len() < rest.len() || rest.is_empty();
        if !has_number || text.is_empty() || text == "0000" {
            return text;
        }
        text = bare;
    }
}

/// A move as described by algebraic notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    Castle(CastlingSide),
    /// Both squares are given, and perhaps the piece.
    Squares {
        piece: Option<Piece>,
        from: Square,
        to: Square,
        promotion: Option<Piece>,
    },
    Ordinary {
        piece: Piece,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Piece>,
    },
}

impl Pattern {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim_ascii().trim_end_matches("e.p.").trim_end_matches("ep");
        let text = text.trim_end_matches(['+', '#', '!', '?', ' ']);
        match text {
            "O-O" | "0-0" | "o-o" => return Some(Self::Castle(CastlingSide::King)),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(Self::Castle(CastlingSide::Queen)),
            _ => {}
        }
        let (text, promotion) = split_promotion(text)?;
        let (text, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let to = to.parse().ok()?;

        let text = text.strip_suffix(['x', ':', '-']).unwrap_or(text);
        let (text, rank) = split_last(text, rank_from_digit);
        let (text, file) = split_last(text, file_from_letter);
        let piece = match text {
            "" => None,
            "P" | "N" | "B" | "R" | "Q" | "K" => Some(Piece::from_letter(text.chars().next()?)?),
            _ => return None,
        };
        if let (Some(file), Some(rank)) = (file, rank) {
            return Some(Self::Squares { piece, from: Square::at(file, rank), to, promotion });
        }
        let piece = piece.unwrap_or(Piece::Pawn);
        Some(Self::Ordinary { piece, file, rank, to, promotion })
    }

    /// The legal moves that fit.
    fn moves(self, state: &State) -> MoveList {
        match self {
            Self::Castle(side) => {
                let castles =
                    |m: &Move| m.is_castle() && CastlingSide::of(m.from(), m.to()) == side;
                state.legal_moves().into_iter().filter(castles).collect()
            }
            Self::Squares { piece, from, to, promotion } => {
                let is_there = piece.is_none_or(|piece| state.piece_on(from) == Some(piece));
                uci::find(state, from, to, promotion).filter(|_| is_there).into_iter().collect()
            }
            Self::Ordinary { piece, file, rank, to, promotion } => {
                let candidates = state.colored(state.side_to_move(), piece).iter();
                // The file of a pawn is written if the pawn leaves it: `bb3` is no pawn move.
                let is_step = piece == Piece::Pawn && file == Some(to.file());
                candidates
                    .filter(|_| !is_step)
                    .filter(|from| file.is_none_or(|file| from.file() == file))
                    .filter(|from| rank.is_none_or(|rank| from.rank() == rank))
                    .map(|from| Move::new(from, to, kind(state, piece, from, to, promotion)))
                    .filter(|&m| state.is_legal(m))
                    .collect()
            }
        }
    }
}

/// The kind that a move between two squares has if it is legal and not castling.
fn kind(
    state: &State,
    piece: Piece,
    from: Square,
    to: Square,
    promotion: Option<Piece>,
) -> MoveKind {
    let is_capture = state.color_on(to).is_some();
    if let Some(promotion) = promotion {
        return MoveKind::promotion(promotion, is_capture);
    }
    match piece {
        _ if is_capture => MoveKind::Capture,
        Piece::Pawn if from.file() != to.file() => MoveKind::EnPassant,
        Piece::Pawn if from.rank().index().abs_diff(to.rank().index()) == 2 => MoveKind::DoublePush,
        _ => MoveKind::Quiet,
    }
}

/// Splits `e8=Q`, `e8Q`, `e8(Q)` or `e8q` before the promotion; a text without
/// one is returned whole.
fn split_promotion(text: &str) -> Option<(&str, Option<Piece>)> {
    let bare = text.strip_suffix(')').unwrap_or(text);
    let Some(letter) = bare.chars().next_back().filter(char::is_ascii_alphabetic) else {
        return Some((text, None));
    };
    let promotion = Piece::from_letter(letter).filter(|it| Piece::PROMOTIONS.contains(it))?;
    let text = bare.strip_suffix(letter)?;
    Some((text.strip_suffix(['=', '(', '/']).unwrap_or(text), Some(promotion)))
}

/// Splits off the last character if `read` makes something of it.
fn split_last<T>(text: &str, read: impl Fn(char) -> Option<T>) -> (&str, Option<T>) {
    match text.chars().next_back().and_then(|last| Some((last, read(last)?))) {
        Some((last, value)) => (text.strip_suffix(last).unwrap_or(text), Some(value)),
        None => (text, None),
    }
}

/// Files are lower case here: `B` is a bishop.
fn file_from_letter(letter: char) -> Option<File> {
    if letter.is_ascii_lowercase() { File::from_letter(letter) } else { None }
}

fn rank_from_digit(digit: char) -> Option<Rank> {
    match digit.to_digit(10) {
        Some(number @ 1..=8) => Some(Rank::new(number as usize - 1)),
        _ => None,
    }
}

fn rank_digit(rank: Rank) -> char {
    (b'1' + rank as u8) as char
}
