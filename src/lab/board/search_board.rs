//! Boards that an algorithm can search on: bitboards, and the boards of cells.

use crate::chess::position::setup::Setup;
use crate::chess::{CastlingSide, Color, Move, MoveKind, Piece, Position, Square, movegen};
use crate::lab::board::layout::{CellLayout, EightByEight, TenByTen, TenByTwelve, Zero88};
use crate::lab::board::mailbox::{CellMove, Mailbox, Special, rook_file};
use crate::lab::board::{BoardError, Cell};

/// The names of the boards.
pub const SEARCH_BOARDS: [&str; 5] = ["bitboards", "8x8", "10x10", "10x12", "0x88"];

/// A position on a board. Moves are the same on all boards, in the order of their numbers, so
/// that every search visits the same nodes.
pub trait SearchBoard {
    /// The legal moves.
    fn moves(&self) -> Vec<u16>;
    fn has_move(&self) -> bool;
    /// Makes a legal move.
    fn make(&mut self, m: Move);
    /// Gives the turn to the other side, which is not in check.
    fn pass(&mut self);
    /// Takes the last move, or pass, back.
    fn unmake(&mut self);
    fn in_check(&self) -> bool;
    fn occupant(&self, square: Square) -> Option<(Color, Piece)>;
    /// The position without its counters.
    fn setup(&self) -> Setup;
    fn copy(&self) -> Box<dyn SearchBoard>;
}

impl Clone for Box<dyn SearchBoard> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// A position of standard chess on the board of a name of [`SEARCH_BOARDS`]; on bitboards for
/// another name.
pub fn search_board(name: &str, position: &Position) -> Result<Box<dyn SearchBoard>, BoardError> {
    if position.is_chess960() {
        return Err(BoardError::Chess960);
    }
    Ok(match name {
        "8x8" => Box::new(MailboxGame::<EightByEight, 64>::new(position)),
        "10x10" => Box::new(MailboxGame::<TenByTen, 100>::new(position)),
        "10x12" => Box::new(MailboxGame::<TenByTwelve, 120>::new(position)),
        "0x88" => Box::new(MailboxGame::<Zero88, 128>::new(position)),
        _ => Box::new(position.clone()),
    })
}

impl SearchBoard for Position {
    fn moves(&self) -> Vec<u16> {
        let mut moves: Vec<u16> = self.legal_moves().iter().map(|m| m.bits()).collect();
        moves.sort_unstable();
        moves
    }

    fn has_move(&self) -> bool {
        movegen::count_legal(self) > 0
    }

    fn make(&mut self, m: Move) {
        Position::make(self, m);
    }

    fn pass(&mut self) {
        self.make_null();
    }

    fn unmake(&mut self) {
        Position::unmake(self);
    }

    fn in_check(&self) -> bool {
        self.state().in_check()
    }

    fn occupant(&self, square: Square) -> Option<(Color, Piece)> {
        self.color_on(square).zip(self.piece_on(square))
    }

    fn setup(&self) -> Setup {
        Setup::from(self.state())
    }

    fn copy(&self) -> Box<dyn SearchBoard> {
        Box::new(self.clone())
    }
}

/// A board of cells with the boards before it.
#[derive(Clone)]
struct MailboxGame<L, const CELLS: usize> {
    board: Mailbox<L, CELLS>,
    above: Vec<Mailbox<L, CELLS>>,
}

impl<L: CellLayout, const CELLS: usize> MailboxGame<L, CELLS> {
    fn new(position: &Position) -> Self {
        Self { board: Mailbox::new(position), above: Vec::new() }
    }

    /// The legal ones of the moves that the board generates.
    fn legal(&self) -> impl Iterator<Item = CellMove> {
        let mut moves = Vec::with_capacity(64);
        self.board.generate(&mut moves);
        moves.into_iter().filter(|&m| {
            let mut child = self.board;
            child.make(m);
            !child.is_illegal()
        })
    }

    fn to_move(&self, m: CellMove) -> Move {
        let is_capture = self.board.cells[m.to] != Cell::Empty;
        let mut to = m.to;
        let kind = match m.special {
            Special::None if is_capture => MoveKind::Capture,
            Special::None => MoveKind::Quiet,
            Special::DoubleStep => MoveKind::DoublePush,
            Special::EnPassant => MoveKind::EnPassant,
            Special::Promotion(piece) => MoveKind::promotion(piece, is_capture),
            Special::Castle(side) => {
                to = self.board.back_rank(rook_file(side));
                MoveKind::Castle
            }
        };
        Move::new(L::square(m.from), L::square(to), kind)
    }

    fn to_cells(&self, m: Move) -> CellMove {
        let [from, mut to] = [m.from(), m.to()].map(L::index);
        let special = match (m.kind(), m.promotion()) {
            (_, Some(piece)) => Special::Promotion(piece),
            (MoveKind::DoublePush, _) => Special::DoubleStep,
            (MoveKind::EnPassant, _) => Special::EnPassant,
            (MoveKind::Castle, _) => {
                let side = CastlingSide::of(m.from(), m.to());
                to = self.board.back_rank(side.king_file());
                Special::Castle(side)
            }
            _ => Special::None,
        };
        CellMove { from, to, special }
    }
}

impl<L: CellLayout + 'static, const CELLS: usize> SearchBoard for MailboxGame<L, CELLS> {
    fn moves(&self) -> Vec<u16> {
        let mut moves: Vec<u16> = self.legal().map(|m| self.to_move(m).bits()).collect();
        moves.sort_unstable();
        moves
    }

    fn has_move(&self) -> bool {
        self.legal().next().is_some()
    }

    fn make(&mut self, m: Move) {
        self.above.push(self.board);
        self.board.make(self.to_cells(m));
    }

    fn pass(&mut self) {
        self.above.push(self.board);
        self.board.pass();
    }

    fn unmake(&mut self) {
        if let Some(board) = self.above.pop() {
            self.board = board;
        }
    }

    fn in_check(&self) -> bool {
        self.board.is_attacked(self.board.kings[self.board.side.index()], !self.board.side)
    }

    fn occupant(&self, square: Square) -> Option<(Color, Piece)> {
        match self.board.cells[L::index(square)] {
            Cell::Piece(color, piece) => Some((color, piece)),
            _ => None,
        }
    }

    fn setup(&self) -> Setup {
        let mut setup = Setup {
            side_to_move: self.board.side,
            castling: self.board.castling,
            en_passant: self.board.en_passant.map(L::square),
            ..Setup::default()
        };
        for square in Square::all() {
            setup.board[square.index()] = self.occupant(square);
        }
        setup
    }

    fn copy(&self) -> Box<dyn SearchBoard> {
        Box::new(self.clone())
    }
}
