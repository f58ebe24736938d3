//! Requests of a client, independent of the protocol.
//!
//! The protocol layer parses text into these types. Here they are combined with the
//! current position and become something that can be searched. The conversions are
//! pure, so that every combination of parameters can be tested without a search.

use std::time::Duration;

use thiserror::Error;

use crate::chess::notation::fen::{FenError, FenWarning};
use crate::chess::notation::san::{self, SanError};
use crate::chess::notation::uci::parse_move;
use crate::chess::{Color, Move, Position};
use crate::search::{Clock, Limits};

/// A starting position and the moves played from it, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRequest<'a> {
    pub fen: String,
    pub moves: Vec<&'a str>,
}

/// Why a position was refused.
#[derive(Debug, Error)]
pub enum PositionError {
    #[error("`position` needs `startpos` or `fen`, then `moves` if there are moves")]
    Malformed,
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("illegal move `{text}`, number {number} of {count}")]
    IllegalMove { text: String, number: usize, count: usize },
    #[error("a game has at most {MAX_GAME_PLIES} moves")]
    TooManyMoves,
}

/// A bound for the memory that a game takes. No game under the laws of chess is a
/// fiftieth as long.
pub const MAX_GAME_PLIES: usize = 1_000_000;

impl PositionRequest<'_> {
    /// Sets the position up and plays all moves.
    pub fn build(&self) -> Result<(Position, Vec<FenWarning>), PositionError> {
        let count = self.moves.len();
        if count > MAX_GAME_PLIES {
            return Err(PositionError::TooManyMoves);
        }
        let (mut position, warnings) = Position::from_fen_with_warnings(&self.fen)?;
        let illegal = |(text, number, _): (&str, usize, SanError)| {
            let text = text.to_owned();
            PositionError::IllegalMove { text, number, count }
        };
        san::play(&mut position, self.moves.iter().copied()).map_err(illegal)?;
        Ok((position, warnings))
    }
}

/// The parameters of `go`, clamped to what makes sense but not yet tied to a
/// position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest<'a> {
    /// White's and Black's time left.
    pub time: [Option<Duration>; 2],
    pub increment: [Duration; 2],
    pub moves_to_go: Option<u32>,
    pub depth: Option<u8>,
    pub nodes: Option<u64>,
    pub movetime: Option<Duration>,
    pub mate: Option<u8>,
    pub infinite: bool,
    pub ponder: bool,
    pub search_moves: Vec<&'a str>,
    /// A limit was requested, valid or not: the search must end by itself.
    pub limited: bool,
}

impl GoRequest<'_> {
    /// The limits for the side to move.
    ///
    /// No limit means an infinite search. If no limit was valid, the search ends as soon
    /// as it has a move. The moves to search come from
    /// [`GoRequest::legal_search_moves`].
    pub fn limits(&self, mover: Color) -> Limits {
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime,
            mate: self.mate,
            clock: self.clock(mover),
            ponder: self.ponder,
            ..Limits::default()
        };
        limits.infinite = self.infinite || !self.limited;
        if !limits.infinite && limits.clock.is_none() && !has_fixed_limit(&limits) {
            limits.movetime = Some(Duration::ZERO);
        }
        limits
    }

    /// The mover's clock. A single clock is the mover's, of either colour; an increment
    /// alone means that no time is left.
    fn clock(&self, mover: Color) -> Option<Clock> {
        let increment = self.increment[mover.index()];
        let remaining = self.time[mover.index()].or(self.time[(!mover).index()]);
        let known = remaining.or((!increment.is_zero()).then_some(Duration::ZERO));
        known.map(|remaining| Clock { remaining, increment, moves_to_go: self.moves_to_go })
    }

    /// The moves that the search is restricted to, `None` for no restriction, and the
    /// words that are not legal moves.
    pub fn legal_search_moves(&self, position: &Position) -> (Option<Vec<Move>>, Vec<&str>) {
        if self.search_moves.is_empty() {
            return (None, Vec::new());
        }
        let mut legal = Vec::new();
        let mut illegal = Vec::new();
        for &text in &self.search_moves {
            match parse_move(position, text).or_else(|_| san::parse(position, text)) {
                Ok(m) if legal.contains(&m) => {}
                Ok(m) => legal.push(m),
                Err(_) => illegal.push(text),
            }
        }
        (Some(legal), illegal)
    }
}

/// Whether the search has a limit other than the clock of a game. Such a search is
/// finished even when the input has ended.
pub fn has_fixed_limit(limits: &Limits) -> bool {
    limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.movetime.is_some()
        || limits.mate.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_movers_clock_is_used() {
        let request = GoRequest {
            time: [Some(Duration::from_secs(1)), Some(Duration::from_secs(2))],
            increment: [Duration::from_secs(3), Duration::from_secs(4)],
            moves_to_go: Some(5),
            limited: true,
            ..GoRequest::default()
        };
        let clock = request.limits(Color::Black).clock.unwrap();
        assert_eq!(clock.remaining, Duration::from_secs(2));
        assert_eq!(clock.increment, Duration::from_secs(4));
        assert_eq!(clock.moves_to_go, Some(5));
    }
}
