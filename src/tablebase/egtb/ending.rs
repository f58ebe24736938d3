//! Move generation for a handful of pieces, forwards and backwards.
//!
//! Solving an ending needs the moves of every position and the moves that lead to it.
//! [`State`](crate::chess::State) has only the former, with more than is needed here. The
//! tests and [`verify`](mod@crate::tablebase::egtb::verify) compare the moves of this module
//! with the rules of chess.

use std::ops::ControlFlow::{self, Continue};

use crate::chess::{Bitboard, Color, Piece, Rank, Square, attacks};
use crate::tablebase::egtb::collection::Collection;
use crate::tablebase::egtb::dtm::{Code, DRAW};
use crate::tablebase::egtb::index::{Layout, Placement};
use crate::tablebase::egtb::material::{ColoredPiece, MAX_NON_KINGS, Material};
use crate::util::array_list::ArrayList;

/// The moves of an ending, whose conversions must be solved.
pub(super) struct Ending<'a> {
    pub layout: Layout,
    /// The kings, White's first, then the others.
    pieces: ArrayList<ColoredPiece, { 2 + MAX_NON_KINGS }>,
    /// The endings after captures and promotions.
    tables: &'a Collection,
}

/// A move that neither captures nor promotes, and so stays in the ending.
pub(super) struct QuietMove {
    pub after: Placement,
    /// The code for the mover after the other side's en-passant capture, if the move is
    /// a double step that allows one.
    pub en_passant: Option<Code>,
}

impl<'a> Ending<'a> {
    pub fn new(material: &Material, tables: &'a Collection) -> Self {
        let kings = Color::ALL.map(|color| ColoredPiece { color, piece: Piece::King });
        let pieces = kings.into_iter().chain(material.non_kings().iter().copied()).collect();
        Self { layout: Layout::new(material), pieces, tables }
    }

    /// Whether both sides have a pawn, so that en-passant captures are possible.
    pub fn has_en_passant(&self) -> bool {
        let has_pawn = |color| self.pieces.contains(&ColoredPiece { color, piece: Piece::Pawn });
        Color::ALL.into_iter().all(has_pawn)
    }

    /// The pieces of a side: number, kind and square.
    fn side(
        &self,
        placement: &Placement,
        side: Color,
    ) -> impl Iterator<Item = (usize, Piece, Square)> {
        let squares = placement.squares;
        let pieces = self.pieces.iter().zip(squares).enumerate();
        pieces
            .filter(move |(_, (piece, _))| piece.color == side)
            .map(|(number, (piece, square))| (number, piece.piece, square))
    }

    /// The squares of White's and of Black's pieces.
    fn sets(&self, placement: &Placement) -> [Bitboard; 2] {
        let mut sets = [Bitboard::EMPTY; 2];
        for (piece, square) in self.pieces.iter().zip(placement.squares) {
            sets[piece.color.index()] |= square.bitboard();
        }
        sets
    }

    /// Whether the king of a side is attacked when a piece has been captured.
    fn is_checked(&self, placement: &Placement, side: Color, captured: Option<usize>) -> bool {
        let king = placement.squares[side.index()];
        let mut occupied = Bitboard::EMPTY;
        for (number, square) in placement.squares[..self.pieces.len()].iter().enumerate() {
            if Some(number) != captured {
                occupied |= square.bitboard();
            }
        }
        self.side(placement, !side).any(|(number, piece, square)| {
            Some(number) != captured && reaches(piece, !side, square, king, occupied)
        })
    }

    /// Whether a placement is a legal position: no two pieces share a square, and the side
    /// not to move is not in check.
    pub fn is_legal(&self, placement: &Placement) -> bool {
        let [white, black] = self.sets(placement);
        (white | black).len() as usize == self.pieces.len()
            && !self.is_checked(placement, !placement.side, None)
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self, placement: &Placement) -> bool {
        self.is_checked(placement, placement.side, None)
    }

    /// Visits the code of every legal capture and promotion, for the other side.
    pub fn conversions(&self, placement: &Placement, mut visit: impl FnMut(Code)) {
        let side = placement.side;
        let sets = self.sets(placement);
        let (enemies, occupied) = (sets[(!side).index()], sets[0] | sets[1]);
        for (number, piece, from) in self.side(placement, side) {
            let mut targets = attacks_of(piece, side, from, occupied) & enemies;
            let last = side.relative_rank(Rank::Eighth).bitboard();
            if piece == Piece::Pawn {
                targets |= from.bitboard().forward(side).without(occupied) & last;
            }
            for to in targets {
                let after = moved(placement, number, to);
                let captured = self.side(placement, !side).find(|&(.., square)| square == to);
                let captured = captured.map(|(number, ..)| number);
                if self.is_checked(&after, side, captured) {
                    continue;
                }
                if piece == Piece::Pawn && last.contains(to) {
                    for promotion in Piece::PROMOTIONS {
                        visit(self.converted(&after, captured, Some((number, promotion))));
                    }
                } else {
                    visit(self.converted(&after, captured, None));
                }
            }
        }
    }

    /// The code after a capture, a promotion, or both.
    fn converted(
        &self,
        after: &Placement,
        captured: Option<usize>,
        promoted: Option<(usize, Piece)>,
    ) -> Code {
        let mut pieces = ArrayList::new();
        let placed = self.pieces.iter().zip(after.squares).enumerate().skip(2);
        for (number, (&old, square)) in placed {
            if Some(number) != captured {
                let promotion = promoted.filter(|&(pawn, _)| pawn == number);
                let piece = promotion.map_or(old.piece, |(_, piece)| piece);
                pieces.push((ColoredPiece { piece, ..old }, square));
            }
        }
        let [white, black, ..] = after.squares;
        // Conversions without a table have insufficient material.
        self.tables.code([white, black], &pieces, after.side).unwrap_or(DRAW)
    }

    /// Visits every legal quiet move until `visit` breaks.
    pub fn quiet_moves(
        &self,
        placement: &Placement,
        mut visit: impl FnMut(QuietMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let side = placement.side;
        let [white, black] = self.sets(placement);
        let occupied = white | black;
        for (number, piece, from) in self.side(placement, side) {
            let targets = if piece == Piece::Pawn {
                let last = side.relative_rank(Rank::Eighth).bitboard();
                steps(from, side, occupied, Rank::Second).without(last)
            } else {
                attacks_of(piece, side, from, occupied).without(occupied)
            };
            for to in targets {
                let after = moved(placement, number, to);
                if !self.is_checked(&after, side, None) {
                    let double = piece == Piece::Pawn && from.distance(to) == 2;
                    let en_passant = if double { self.en_passant(&after, number) } else { None };
                    visit(QuietMove { after, en_passant })?;
                }
            }
        }
        Continue(())
    }

    /// The code for the side whose pawn has just made a double step after the en-passant
    /// capture of that pawn; `None` if there is no such capture. With four pieces there is
    /// at most one.
    fn en_passant(&self, placement: &Placement, pawn: usize) -> Option<Code> {
        let side = placement.side;
        let to = placement.squares[pawn].forward(side);
        let (number, ..) = self.side(placement, side).find(|&(_, piece, from)| {
            piece == Piece::Pawn && attacks::pawn(side, from).contains(to)
        })?;
        let after = moved(placement, number, to);
        let legal = !self.is_checked(&after, side, Some(pawn));
        legal.then(|| self.converted(&after, Some(pawn), None))
    }

    /// Visits the numbers of the positions from which a quiet move leads to this one. Some
    /// of them may be illegal. Double steps that allow an en-passant capture are left out,
    /// since positions with one are not in the table.
    pub fn predecessors(&self, placement: &Placement, mut visit: impl FnMut(usize)) {
        let mover = !placement.side;
        let [white, black] = self.sets(placement);
        let occupied = white | black;
        for (number, piece, to) in self.side(placement, mover) {
            let origins = if piece == Piece::Pawn {
                let first = mover.relative_rank(Rank::First).bitboard();
                steps(to, !mover, occupied, Rank::Fifth).without(first)
            } else {
                attacks_of(piece, mover, to, occupied).without(occupied)
            };
            for from in origins {
                let double = piece == Piece::Pawn && from.distance(to) == 2;
                if double && self.en_passant(placement, number).is_some() {
                    continue;
                }
                let mut before = moved(placement, number, from);
                before.side = mover;
                if let Some(index) = self.layout.index(&before) {
                    visit(index);
                }
            }
        }
    }
}

/// Whether a piece attacks a square; faster than generating all its attacks.
#[inline]
fn reaches(piece: Piece, color: Color, from: Square, to: Square, occupied: Bitboard) -> bool {
    let on_rays = match piece {
        Piece::Pawn => return attacks::pawn(color, from).contains(to),
        Piece::Knight => return attacks::knight(from).contains(to),
        Piece::King => return attacks::king(from).contains(to),
        Piece::Bishop => attacks::bishop_rays(from).contains(to),
        Piece::Rook => attacks::rook_rays(from).contains(to),
        Piece::Queen => attacks::queen_rays(from).contains(to),
    };
    on_rays && !attacks::between(from, to).intersects(occupied)
}

#[inline]
fn attacks_of(piece: Piece, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match piece {
        Piece::Pawn => attacks::pawn(color, square),
        _ => attacks::piece(piece, square, occupied),
    }
}

/// A pawn's single step and, from `side`'s relative rank `double_from`, its double step.
/// A backward step is a step of the other side, with double steps from its fifth rank.
fn steps(from: Square, side: Color, occupied: Bitboard, double_from: Rank) -> Bitboard {
    let single = from.bitboard().forward(side).without(occupied);
    if from.rank() == side.relative_rank(double_from) {
        single | single.forward(side).without(occupied)
    } else {
        single
    }
}

/// The placement after a piece has moved, with the other side to move.
fn moved(placement: &Placement, number: usize, to: Square) -> Placement {
    let mut after = *placement;
    after.squares[number] = to;
    after.side = !placement.side;
    after
}
