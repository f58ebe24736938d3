//! Representations of the chess board, counted and timed by perft.
//!
//! Lovec plays on bitboards, with a generator of legal moves, and keeps the earlier positions
//! on a stack. The classic alternatives are here: a board of cells with or without a border
//! ([`layout`]), moves whose legality is tested after they are made, and taking a move back
//! by reversing it or by a copy ([`mailbox`]). All of them count the same positions, and the
//! algorithms can search on them ([`search_board`]).
//!
//! Where moves are known to be legal, the moves of the last ply are counted and not made.

mod layout;
mod mailbox;
pub mod search_board;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use thiserror::Error;

use crate::chess::perft::{PerftOptions, perft};
use crate::chess::{Color, Piece, Position, movegen};
use crate::lab::board::layout::{CellLayout, EightByEight, TenByTen, TenByTwelve, Zero88};

/// The deepest count.
pub const MAX_PERFT_DEPTH: u32 = 20;

/// A representation of the board with a way to generate moves and to take them back.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BoardInfo {
    #[serde(rename = "board")]
    pub name: &'static str,
    /// `legal` or `pseudo-legal`.
    pub generator: &'static str,
    /// `stack`, `copy` or `reversal`.
    pub undo: &'static str,
    #[serde(skip)]
    count: fn(&Position, u32, &AtomicBool) -> Option<u64>,
}

/// The positions that a board has counted.
#[derive(Clone, Copy, Debug)]
pub struct BoardCount {
    pub nodes: u64,
    pub time: Duration,
}

/// Why a position cannot be counted or searched on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    #[error("the boards castle as in standard chess; this is a position of Chess960")]
    Chess960,
    #[error("the evaluation plan is not for a --board")]
    RootPlan,
}

/// All representations. Those of cells have a layout and its number of cells, and then whether
/// the generator leaves out what is not legal, and whether a copy takes a move back.
pub const BOARDS: &[BoardInfo] = &[
    BoardInfo { name: "bitboards", generator: "legal", undo: "stack", count: on_stack },
    BoardInfo { name: "bitboards", generator: "legal", undo: "copy", count: on_copies },
    cells::<EightByEight, 64, true, false>(),
    cells::<EightByEight, 64, false, false>(),
    cells::<EightByEight, 64, false, true>(),
    cells::<TenByTen, 100, true, false>(),
    cells::<TenByTen, 100, false, false>(),
    cells::<TenByTen, 100, false, true>(),
    cells::<TenByTwelve, 120, true, false>(),
    cells::<TenByTwelve, 120, false, false>(),
    cells::<TenByTwelve, 120, false, true>(),
    cells::<Zero88, 128, true, false>(),
    cells::<Zero88, 128, false, false>(),
    cells::<Zero88, 128, false, true>(),
];

const fn cells<L: CellLayout, const CELLS: usize, const FILTERS: bool, const COPIES: bool>()
-> BoardInfo {
    BoardInfo {
        name: L::NAME,
        generator: if FILTERS { "legal" } else { "pseudo-legal" },
        undo: if COPIES { "copy" } else { "reversal" },
        count: mailbox::count::<L, CELLS, FILTERS, COPIES>,
    }
}

impl BoardInfo {
    /// Counts the sequences of `depth` moves; `None` if `stop` was set meanwhile.
    pub fn measure(
        &self,
        position: &Position,
        depth: u32,
        stop: &AtomicBool,
    ) -> Result<Option<BoardCount>, BoardError> {
        if position.is_chess960() {
            return Err(BoardError::Chess960);
        }
        let start = Instant::now();
        let nodes = (self.count)(position, depth.min(MAX_PERFT_DEPTH), stop);
        Ok(nodes.map(|nodes| BoardCount { nodes, time: start.elapsed() }))
    }
}

/// Counts on a position that keeps those before it on a stack.
fn on_stack(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    fn count(position: &mut Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
        match depth {
            0 => return Some(1),
            1 => return Some(movegen::count_legal(position) as u64),
            _ if stop.load(Ordering::Relaxed) => return None,
            _ => {}
        }
        let mut nodes = 0;
        for m in position.legal_moves() {
            position.make(m);
            let below = count(position, depth - 1, stop);
            position.unmake();
            nodes += below?;
        }
        Some(nodes)
    }
    count(&mut position.clone(), depth, stop)
}

/// Counts on copies of the state, as `lovec perft` does.
fn on_copies(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    perft(position, depth, &PerftOptions { abort: Some(stop), ..PerftOptions::default() })
}

pub(super) const KNIGHT_STEPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// Files and ranks of a step; a rook has the first four, a bishop the others.
pub(super) const KING_STEPS: [(i8, i8); 8] =
    [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Not a square of the board.
    Border,
    Empty,
    Piece(Color, Piece),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Castling, en passant with a pin, promotions, checks: positions that find the faults
    /// of generators (the first five from the Chess Programming Wiki, "Perft Results").
    const POSITIONS: [(&str, u32); 9] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3),
        ("r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 0 1", 3),
        ("8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3", 4),
        ("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1", 3),
    ];

    #[test]
    fn all_boards_count_the_same_positions() {
        for (fen, depth) in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            for depth in 0..=depth {
                let expected = perft(&position, depth, &PerftOptions::default()).unwrap();
                for board in BOARDS {
                    let count = board.measure(&position, depth, &AtomicBool::new(false));
                    let nodes = count.unwrap().unwrap().nodes;
                    assert_eq!(nodes, expected, "{board:?} {fen} {depth}");
                }
            }
        }
    }

    #[test]
    fn a_set_flag_ends_the_count() {
        for board in BOARDS {
            let count = board.measure(&Position::startpos(), 4, &AtomicBool::new(true));
            assert!(count.unwrap().is_none(), "{board:?}");
        }
    }

    #[test]
    fn chess960_is_refused() {
        let fen = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let refused = BOARDS[2].measure(&position, 1, &AtomicBool::new(false));
        assert_eq!(refused.unwrap_err(), BoardError::Chess960);
    }
}
