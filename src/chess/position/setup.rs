//! Validates positions.
//!
//! A [`Setup`] is what a FEN describes: pieces on squares, a side to move, rights and
//! counters, in any combination. [`Setup::validate`] is the only way from there to a
//! [`State`], so a state always has one king a side, no pawns on the first or eighth
//! rank, and castling rights whose king and rook are in place. Faults that can be repaired
//! are [`SetupWarning`]s, others are [`SetupError`]s.

use thiserror::Error;

use crate::chess::bitboard::Bitboard;
use crate::chess::castling::{CastlingRights, CastlingSide};
use crate::chess::color::Color;
use crate::chess::piece::Piece;
use crate::chess::position::state::State;
use crate::chess::square::{File, Rank, Square};
use crate::util::counted::counted;

/// The greatest halfmove clock that is kept; a greater one counts as this.
pub const MAX_HALFMOVE_CLOCK: u16 = 10_000;

/// A position as it is described, not yet known to be possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square, a1 to h8.
    pub board: [Option<(Color, Piece)>; Square::COUNT],
    pub side_to_move: Color,
    pub castling: CastlingRights,
    /// The square behind a pawn that has just made a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// Counted from 1, and up by one after each move of Black.
    pub fullmove_number: u16,
}

/// What was left out of a setup to make it possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupWarning {
    #[error("{} may not castle {}: its king has moved", .color.name(), side_name(*.side))]
    CastlingWithoutKing { color: Color, side: CastlingSide },
    #[error("{} may not castle {}: it has no rook on {rook}", .color.name(), side_name(*.side))]
    CastlingWithoutRook { color: Color, side: CastlingSide, rook: Square },
    #[error("en-passant square {0} ignored: no pawn has just passed it")]
    ImpossibleEnPassant(Square),
}

/// Why a setup cannot arise in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    #[error("{} has no king", .0.name())]
    NoKing(Color),
    #[error("{} has {count} kings, the second on {second}", .color.name())]
    TooManyKings { color: Color, count: u32, second: Square },
    #[error("{} has {count} pieces, more than sixteen", .color.name())]
    TooManyPieces { color: Color, count: u32 },
    #[error("{} has {count} pawns, more than eight", .color.name())]
    TooManyPawns { color: Color, count: u32 },
    #[error(
        "{} has at least {}, but only {missing} of its pawns are gone",
        .color.name(), counted(*promoted as usize, "promoted piece")
    )]
    TooManyPromoted { color: Color, promoted: u32, missing: u32 },
    #[error("there is a pawn on {0}, on the first or the eighth rank")]
    PawnOnBackRank(Square),
    #[error("the kings on {white} and {black} stand side by side")]
    AdjacentKings { white: Square, black: Square },
    #[error(
        "{} is to move, but the king on {king} is already attacked from {attacker}",
        .side_to_move.name()
    )]
    OpponentInCheck { side_to_move: Color, king: Square, attacker: Square },
    #[error("the king on {king} is attacked by {count} pieces at once; two is the most possible")]
    TooManyCheckers { king: Square, count: u32 },
}

impl Default for Setup {
    /// An empty board with White to move.
    fn default() -> Self {
        Self {
            board: [None; Square::COUNT],
            side_to_move: Color::White,
            castling: CastlingRights::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }
}

impl From<&State> for Setup {
    fn from(state: &State) -> Self {
        let mut board = [None; Square::COUNT];
        for square in state.occupied() {
            board[square.index()] = state.color_on(square).zip(state.piece_on(square));
        }
        Self {
            board,
            side_to_move: state.side_to_move(),
            castling: state.castling(),
            en_passant: state.en_passant(),
            halfmove_clock: state.halfmove_clock(),
            fullmove_number: state.fullmove_number(),
        }
    }
}

impl Setup {
    /// Turns the setup into a position, with warnings for what had to be left out.
    ///
    /// An en-passant square that is possible but where nothing can capture is
    /// dropped without a warning, since many programs write one after each double
    /// step.
    ///
    /// # Errors
    ///
    /// When no game can reach the setup; see [`SetupError`].
    ///
    /// ```
    /// use lovec::chess::Color;
    /// use lovec::chess::position::setup::{Setup, SetupError};
    /// assert_eq!(Setup::default().validate().unwrap_err(), SetupError::NoKing(Color::White));
    /// ```
    pub fn validate(self) -> Result<(State, Vec<SetupWarning>), SetupError> {
        let mut state = State::empty();
        for (square, occupant) in Square::all().zip(self.board) {
            if let Some((color, piece)) = occupant {
                state.toggle(color, piece, square);
            }
        }
        for color in Color::ALL {
            check_pieces(&state, color)?;
        }
        check_pawns(&state)?;

        let mut warnings = Vec::new();
        state.side_to_move = self.side_to_move;
        state.halfmove_clock = self.halfmove_clock.min(MAX_HALFMOVE_CLOCK);
        state.fullmove_number = self.fullmove_number.max(1);
        state.castling = possible_castling(&state, self.castling, &mut warnings);
        state.refresh();
        check_checks(&state)?;

        if let Some(target) = self.en_passant {
            if !is_possible_en_passant(&state, target) {
                warnings.push(SetupWarning::ImpossibleEnPassant(target));
            } else if state.can_capture_en_passant(target) {
                state.en_passant = Some(target);
                state.refresh();
            }
        }
        Ok((state, warnings))
    }
}

/// One king, and no more pieces than sixteen and their promotions allow.
fn check_pieces(state: &State, color: Color) -> Result<(), SetupError> {
    let mut kings = state.colored(color, Piece::King);
    let count = kings.len();
    if kings.pop().is_none() {
        return Err(SetupError::NoKing(color));
    }
    if let Some(second) = kings.pop() {
        return Err(SetupError::TooManyKings { color, count, second });
    }
    let count = state.color(color).len();
    if count > 16 {
        return Err(SetupError::TooManyPieces { color, count });
    }
    let pawns = state.colored(color, Piece::Pawn).len();
    if pawns > 8 {
        return Err(SetupError::TooManyPawns { color, count: pawns });
    }
    let (promoted, missing) = (promoted_pieces(state, color), 8 - pawns);
    if promoted > missing {
        return Err(SetupError::TooManyPromoted { color, promoted, missing });
    }
    Ok(())
}

/// How many pieces of `color` must be promoted pawns: all beyond the initial set. A
/// second bishop on squares of one colour counts.
fn promoted_pieces(state: &State, color: Color) -> u32 {
    let bishops = state.colored(color, Piece::Bishop);
    [
        state.colored(color, Piece::Knight).len().saturating_sub(2),
        (bishops & Bitboard::LIGHT_SQUARES).len().saturating_sub(1),
        (bishops & Bitboard::DARK_SQUARES).len().saturating_sub(1),
        state.colored(color, Piece::Rook).len().saturating_sub(2),
        state.colored(color, Piece::Queen).len().saturating_sub(1),
    ]
    .iter()
    .sum()
}

fn check_pawns(state: &State) -> Result<(), SetupError> {
    let back_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
    match (state.pieces(Piece::Pawn) & back_ranks).first() {
        Some(square) => Err(SetupError::PawnOnBackRank(square)),
        None => Ok(()),
    }
}

fn check_checks(state: &State) -> Result<(), SetupError> {
    let (white, black) = (state.king(Color::White), state.king(Color::Black));
    if white.distance(black) == 1 {
        return Err(SetupError::AdjacentKings { white, black });
    }
    let side_to_move = state.side_to_move();
    if let Some(attacker) = state.checkers_of(!side_to_move).first() {
        let king = state.king(!side_to_move);
        return Err(SetupError::OpponentInCheck { side_to_move, king, attacker });
    }
    let count = state.checkers_of(side_to_move).len();
    if count > 2 {
        return Err(SetupError::TooManyCheckers { king: state.king(side_to_move), count });
    }
    Ok(())
}

/// The rights whose king and rook have not moved, as far as the board shows.
fn possible_castling(
    state: &State,
    claimed: CastlingRights,
    warnings: &mut Vec<SetupWarning>,
) -> CastlingRights {
    let mut rights = CastlingRights::NONE;
    for color in Color::ALL {
        let back_rank = color.relative_rank(Rank::First);
        let king = state.king(color);
        // The rules of Chess960 place the king between its rooks.
        let king_at_home = king.rank() == back_rank && !matches!(king.file(), File::A | File::H);
        for side in CastlingSide::ALL {
            let Some(file) = claimed.rook(color, side) else { continue };
            let rook = Square::at(file, back_rank);
            let beyond_king = match side {
                CastlingSide::King => file > king.file(),
                CastlingSide::Queen => file < king.file(),
            };
            if !king_at_home {
                warnings.push(SetupWarning::CastlingWithoutKing { color, side });
            } else if !beyond_king || !state.colored(color, Piece::Rook).contains(rook) {
                warnings.push(SetupWarning::CastlingWithoutRook { color, side, rook });
            } else {
                rights.set(color, side, file);
            }
        }
    }
    rights
}

/// Whether the other side can have passed `target` with its last move: it has a
/// pawn in front of the square, and the square and the one behind are empty.
pub(in crate::chess) fn is_possible_en_passant(state: &State, target: Square) -> bool {
    let us = state.side_to_move();
    target.rank() == us.relative_rank(Rank::Sixth)
        && state.colored(!us, Piece::Pawn).contains(target.backward(us))
        && !state.occupied().contains(target)
        && !state.occupied().contains(target.forward(us))
}

fn side_name(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::King => "kingside",
        CastlingSide::Queen => "queenside",
    }
}
