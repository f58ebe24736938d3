//! A board of cells, each empty or with a piece, in any [`CellLayout`].
//!
//! Moves are pseudo-legal: whether the own king is attacked shows once a move is made.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::chess::castling::CastlingRights;
use crate::chess::{CastlingSide, Color, File, Piece, Position, Rank, Square};
use crate::lab::board::layout::CellLayout;
use crate::lab::board::{Cell, KING_STEPS, KNIGHT_STEPS};

/// A move between cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellMove {
    pub from: usize,
    pub to: usize,
    pub special: Special,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    None,
    DoubleStep,
    EnPassant,
    Promotion(Piece),
    Castle(CastlingSide),
}

/// What a move changes beyond the cells of the piece that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reversal {
    captured: Cell,
    castling: CastlingRights,
    en_passant: Option<usize>,
}

/// A position on an array of `CELLS` cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mailbox<L, const CELLS: usize> {
    pub cells: [Cell; CELLS],
    /// The cells of the kings.
    pub kings: [usize; 2],
    pub side: Color,
    pub castling: CastlingRights,
    /// The cell behind a pawn that has just made a double step.
    pub en_passant: Option<usize>,
    layout: PhantomData<L>,
}

impl<L: CellLayout, const CELLS: usize> Mailbox<L, CELLS> {
    /// A position of standard chess.
    pub fn new(position: &Position) -> Self {
        let mut cells = [Cell::Border; CELLS];
        for square in Square::all() {
            let content = position.color_on(square).zip(position.piece_on(square));
            cells[L::index(square)] =
                content.map_or(Cell::Empty, |(color, piece)| Cell::Piece(color, piece));
        }
        Self {
            cells,
            kings: Color::ALL.map(|color| L::index(position.king(color))),
            side: position.side_to_move(),
            castling: position.castling(),
            en_passant: position.en_passant().map(L::index),
            layout: PhantomData,
        }
    }

    #[inline]
    fn step(&self, from: usize, (files, ranks): (i8, i8)) -> Option<usize> {
        L::step(&self.cells, from, files, ranks)
    }

    /// The cell of a square of the side to move's back rank.
    pub fn back_rank(&self, file: File) -> usize {
        L::index(Square::at(file, self.side.relative_rank(Rank::First)))
    }

    pub fn generate(&self, moves: &mut Vec<CellMove>) {
        for square in Square::all() {
            let from = L::index(square);
            let Cell::Piece(color, piece) = self.cells[from] else { continue };
            if color != self.side {
                continue;
            }
            match piece {
                Piece::Pawn => self.generate_pawn(moves, from, square),
                Piece::Knight => self.generate_steps(moves, from, &KNIGHT_STEPS),
                Piece::King => self.generate_steps(moves, from, &KING_STEPS),
                Piece::Bishop => self.generate_rays(moves, from, &KING_STEPS[4..]),
                Piece::Rook => self.generate_rays(moves, from, &KING_STEPS[..4]),
                Piece::Queen => self.generate_rays(moves, from, &KING_STEPS),
            }
        }
        self.generate_castles(moves);
    }

    fn generate_steps(&self, moves: &mut Vec<CellMove>, from: usize, steps: &[(i8, i8)]) {
        for &step in steps {
            let Some(to) = self.step(from, step) else { continue };
            if !matches!(self.cells[to], Cell::Piece(color, _) if color == self.side) {
                moves.push(CellMove { from, to, special: Special::None });
            }
        }
    }

    fn generate_rays(&self, moves: &mut Vec<CellMove>, from: usize, steps: &[(i8, i8)]) {
        for &step in steps {
            let mut cell = from;
            while let Some(to) = self.step(cell, step) {
                match self.cells[to] {
                    Cell::Piece(color, _) if color == self.side => break,
                    _ => moves.push(CellMove { from, to, special: Special::None }),
                }
                if self.cells[to] != Cell::Empty {
                    break;
                }
                cell = to;
            }
        }
    }

    fn generate_pawn(&self, moves: &mut Vec<CellMove>, from: usize, square: Square) {
        let up = self.side.sign() as i8;
        let rank = self.side.relative_rank(square.rank());
        let mut push = |to: usize, special: Special| match rank {
            Rank::Seventh => moves.extend(Piece::PROMOTIONS.map(|piece| CellMove {
                from,
                to,
                special: Special::Promotion(piece),
            })),
            _ => moves.push(CellMove { from, to, special }),
        };
        if let Some(to) = self.step(from, (0, up)).filter(|&to| self.cells[to] == Cell::Empty) {
            push(to, Special::None);
            let double = self.step(to, (0, up)).filter(|_| rank == Rank::Second);
            if let Some(to) = double.filter(|&to| self.cells[to] == Cell::Empty) {
                push(to, Special::DoubleStep);
            }
        }
        for files in [-1, 1] {
            let Some(to) = self.step(from, (files, up)) else { continue };
            match self.cells[to] {
                Cell::Piece(color, _) if color != self.side => push(to, Special::None),
                _ if self.en_passant == Some(to) => push(to, Special::EnPassant),
                _ => {}
            }
        }
    }

    fn generate_castles(&self, moves: &mut Vec<CellMove>) {
        for side in CastlingSide::ALL {
            if self.castling.rook(self.side, side).is_none() {
                continue;
            }
            let (empty, safe) = match side {
                CastlingSide::King => (&[File::F, File::G][..], [File::E, File::F, File::G]),
                CastlingSide::Queen => {
                    (&[File::B, File::C, File::D][..], [File::C, File::D, File::E])
                }
            };
            let is_empty = |&file: &File| self.cells[self.back_rank(file)] == Cell::Empty;
            let is_safe = |&file: &File| !self.is_attacked(self.back_rank(file), !self.side);
            if empty.iter().all(is_empty) && safe.iter().all(is_safe) {
                let to = self.back_rank(side.king_file());
                let from = self.kings[self.side.index()];
                moves.push(CellMove { from, to, special: Special::Castle(side) });
            }
        }
    }

    /// Whether a piece of `color` attacks a cell.
    pub fn is_attacked(&self, cell: usize, color: Color) -> bool {
        let holds = |at: Option<usize>, piece: Piece| {
            at.is_some_and(|at| self.cells[at] == Cell::Piece(color, piece))
        };
        let down = -color.sign() as i8;
        let by_ray = |steps: &[(i8, i8)], piece: Piece| {
            steps.iter().any(|&step| {
                let mut at = self.step(cell, step);
                while let Some(next) = at.filter(|&at| self.cells[at] == Cell::Empty) {
                    at = self.step(next, step);
                }
                holds(at, piece) || holds(at, Piece::Queen)
            })
        };
        KNIGHT_STEPS.iter().any(|&step| holds(self.step(cell, step), Piece::Knight))
            || KING_STEPS.iter().any(|&step| holds(self.step(cell, step), Piece::King))
            || [-1, 1].iter().any(|&files| holds(self.step(cell, (files, down)), Piece::Pawn))
            || by_ray(&KING_STEPS[..4], Piece::Rook)
            || by_ray(&KING_STEPS[4..], Piece::Bishop)
    }

    /// Where the captured piece of a move stands.
    fn captured_at(&self, m: CellMove) -> usize {
        match m.special {
            Special::EnPassant => self.step(m.to, (0, -self.side.sign() as i8)).unwrap_or(m.to),
            _ => m.to,
        }
    }

    /// The cells of the rook before and after castling.
    fn rook_cells(&self, side: CastlingSide) -> (usize, usize) {
        (self.back_rank(rook_file(side)), self.back_rank(side.rook_file()))
    }

    pub fn make(&mut self, m: CellMove) -> Reversal {
        let captured_at = self.captured_at(m);
        let reversal = Reversal {
            captured: self.cells[captured_at],
            castling: self.castling,
            en_passant: self.en_passant,
        };
        let content = self.cells[m.from];
        self.cells[captured_at] = Cell::Empty;
        self.cells[m.from] = Cell::Empty;
        self.cells[m.to] = content;
        self.en_passant = None;
        match m.special {
            Special::Promotion(piece) => self.cells[m.to] = Cell::Piece(self.side, piece),
            Special::DoubleStep => self.en_passant = self.step(m.from, (0, self.side.sign() as i8)),
            Special::Castle(side) => {
                let (from, to) = self.rook_cells(side);
                self.cells.swap(from, to);
            }
            Special::None | Special::EnPassant => {}
        }
        if content == Cell::Piece(self.side, Piece::King) {
            self.kings[self.side.index()] = m.to;
        }
        self.remove_rights(m);
        self.side = !self.side;
        reversal
    }

    /// Removes the rights of a king or rook that has moved or was captured.
    fn remove_rights(&mut self, m: CellMove) {
        if self.castling.is_empty() {
            return;
        }
        for color in Color::ALL {
            let rank = color.relative_rank(Rank::First);
            let king = L::index(Square::at(File::E, rank));
            for side in CastlingSide::ALL {
                let rook = L::index(Square::at(rook_file(side), rank));
                if [m.from, m.to].iter().any(|&cell| cell == king || cell == rook) {
                    self.castling.remove(color, side);
                }
            }
        }
    }

    pub fn reverse(&mut self, m: CellMove, reversal: Reversal) {
        self.side = !self.side;
        let content = match m.special {
            Special::Promotion(_) => Cell::Piece(self.side, Piece::Pawn),
            _ => self.cells[m.to],
        };
        self.cells[m.to] = Cell::Empty;
        self.cells[m.from] = content;
        let captured_at = self.captured_at(m);
        self.cells[captured_at] = reversal.captured;
        if let Special::Castle(side) = m.special {
            let (from, to) = self.rook_cells(side);
            self.cells.swap(from, to);
        }
        if content == Cell::Piece(self.side, Piece::King) {
            self.kings[self.side.index()] = m.from;
        }
        (self.castling, self.en_passant) = (reversal.castling, reversal.en_passant);
    }

    /// Gives the turn to the other side.
    pub fn pass(&mut self) {
        self.en_passant = None;
        self.side = !self.side;
    }

    /// Whether the side that has just moved left its king attacked.
    pub fn is_illegal(&self) -> bool {
        let mover = !self.side;
        self.is_attacked(self.kings[mover.index()], self.side)
    }
}

/// The file of the rook before castling.
pub(super) fn rook_file(side: CastlingSide) -> File {
    match side {
        CastlingSide::King => File::H,
        CastlingSide::Queen => File::A,
    }
}

/// Counts the sequences of `depth` moves; `None` if `stop` was set meanwhile. A generator that
/// `FILTERS` makes each move and takes it back, and leaves out those that are not legal; without
/// that they are found when they are made to search them. A move is taken back by moving the
/// pieces back or, if the count `COPIES`, by returning to a copy of the board.
pub(super) fn count<L: CellLayout, const CELLS: usize, const FILTERS: bool, const COPIES: bool>(
    position: &Position,
    depth: u32,
    stop: &AtomicBool,
) -> Option<u64> {
    let mut board = Mailbox::<L, CELLS>::new(position);
    count_below::<L, CELLS, FILTERS, COPIES>(&mut board, depth, stop, &mut Vec::new())
}

/// `spare` has lists of moves that are not in use.
fn count_below<L: CellLayout, const CELLS: usize, const FILTERS: bool, const COPIES: bool>(
    board: &mut Mailbox<L, CELLS>,
    depth: u32,
    stop: &AtomicBool,
    spare: &mut Vec<Vec<CellMove>>,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth > 1 && stop.load(Ordering::Relaxed) {
        return None;
    }
    let mut moves = spare.pop().unwrap_or_default();
    moves.clear();
    board.generate(&mut moves);
    if FILTERS {
        moves.retain(|&m| after::<L, CELLS, COPIES, _>(board, m, |board| !board.is_illegal()));
    }
    let mut nodes = 0;
    if FILTERS && depth == 1 {
        nodes = moves.len() as u64;
    } else {
        for &m in &moves {
            nodes += after::<L, CELLS, COPIES, _>(board, m, |board| {
                match !FILTERS && board.is_illegal() {
                    true => Some(0),
                    false => {
                        count_below::<L, CELLS, FILTERS, COPIES>(board, depth - 1, stop, spare)
                    }
                }
            })?;
        }
    }
    spare.push(moves);
    Some(nodes)
}

/// Makes a move, looks at the board, and takes the move back.
fn after<L: CellLayout, const CELLS: usize, const COPIES: bool, T>(
    board: &mut Mailbox<L, CELLS>,
    m: CellMove,
    look: impl FnOnce(&mut Mailbox<L, CELLS>) -> T,
) -> T {
    if COPIES {
        let mut child = *board;
        child.make(m);
        return look(&mut child);
    }
    let reversal = board.make(m);
    let seen = look(board);
    board.reverse(m, reversal);
    seen
}
