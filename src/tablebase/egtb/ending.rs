//! The rules of the game for a handful of men, forwards and backwards.
//!
//! Solving an ending asks for every move of every position, and for the moves that
//! could have led to it. [`State`](crate::chess::State) knows the former only, and much
//! else that does not matter here, so the men have rules of their own. The tests and
//! [`verify`](crate::tablebase::egtb::verify) hold them against those of the game.

use std::ops::ControlFlow::{self, Continue};

use arrayvec::ArrayVec;

use crate::chess::{Bitboard, Color, Piece, Rank, Square, attacks};
use crate::tablebase::egtb::index::{Layout, Placement};
use crate::tablebase::egtb::material::{ColoredPiece, Material};
use crate::tablebase::egtb::{Code, Collection, DRAW, MAX_NON_KINGS};

/// An ending whose conversions are solved.
pub(super) struct Ending<'a> {
    pub layout: Layout,
    /// The kings, White's first, then the others.
    men: ArrayVec<ColoredPiece, { 2 + MAX_NON_KINGS }>,
    /// What captures and promotions lead to.
    tables: &'a Collection,
}

/// A move that leads to another position of the ending.
pub(super) struct QuietMove {
    pub after: Placement,
    /// What the other side can answer to a double step, if it can capture en passant:
    /// the outcome for the side that made the step.
    pub en_passant: Option<Code>,
}

impl<'a> Ending<'a> {
    pub fn new(material: &Material, tables: &'a Collection) -> Self {
        let kings = Color::ALL.map(|color| ColoredPiece { color, piece: Piece::King });
        let men = kings.into_iter().chain(material.non_kings().iter().copied()).collect();
        Self { layout: Layout::new(material), men, tables }
    }

    /// Whether a pawn can ever be captured en passant: both sides have one.
    pub fn has_en_passant(&self) -> bool {
        let has_pawn = |color| self.men.contains(&ColoredPiece { color, piece: Piece::Pawn });
        Color::ALL.into_iter().all(has_pawn)
    }

    /// The men of a side with their squares and numbers.
    fn side(
        &self,
        placement: &Placement,
        side: Color,
    ) -> impl Iterator<Item = (usize, Piece, Square)> {
        let squares = placement.squares;
        let men = self.men.iter().zip(squares).enumerate();
        men.filter(move |(_, (man, _))| man.color == side)
            .map(|(number, (man, square))| (number, man.piece, square))
    }

    /// Where the men of White and those of Black stand.
    fn sets(&self, placement: &Placement) -> [Bitboard; 2] {
        let mut sets = [Bitboard::EMPTY; 2];
        for (man, square) in self.men.iter().zip(placement.squares) {
            sets[man.color.index()] |= square.bitboard();
        }
        sets
    }

    /// Whether the king of a side is attacked, a captured man aside.
    fn is_checked(&self, placement: &Placement, side: Color, captured: Option<usize>) -> bool {
        let king = placement.squares[side.index()];
        let mut occupied = Bitboard::EMPTY;
        for (man, square) in placement.squares[..self.men.len()].iter().enumerate() {
            if Some(man) != captured {
                occupied |= square.bitboard();
            }
        }
        self.side(placement, !side).any(|(man, piece, square)| {
            Some(man) != captured && reaches(piece, !side, square, king, occupied)
        })
    }

    /// Whether a placement is a position: the men have squares of their own, and the
    /// side to move cannot take the king.
    pub fn is_legal(&self, placement: &Placement) -> bool {
        let [white, black] = self.sets(placement);
        (white | black).len() as usize == self.men.len()
            && !self.is_checked(placement, !placement.side, None)
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self, placement: &Placement) -> bool {
        self.is_checked(placement, placement.side, None)
    }

    /// Shows for every legal capture and promotion its outcome for the other side.
    pub fn conversions(&self, placement: &Placement, mut visit: impl FnMut(Code)) {
        let side = placement.side;
        let sets = self.sets(placement);
        let (enemies, occupied) = (sets[(!side).index()], sets[0] | sets[1]);
        for (man, piece, from) in self.side(placement, side) {
            let mut targets = attacks_of(piece, side, from, occupied) & enemies;
            let last = side.relative_rank(Rank::Eighth).bitboard();
            if piece == Piece::Pawn {
                targets |= from.bitboard().forward(side).without(occupied) & last;
            }
            for to in targets {
                let after = moved(placement, man, to);
                let captured = self.side(placement, !side).find(|&(.., square)| square == to);
                let captured = captured.map(|(man, ..)| man);
                if self.is_checked(&after, side, captured) {
                    continue;
                }
                if piece == Piece::Pawn && last.contains(to) {
                    for promotion in Piece::PROMOTIONS {
                        visit(self.converted(&after, captured, Some((man, promotion))));
                    }
                } else {
                    visit(self.converted(&after, captured, None));
                }
            }
        }
    }

    /// The outcome without a captured man and with another in the place of a pawn.
    fn converted(
        &self,
        after: &Placement,
        captured: Option<usize>,
        promoted: Option<(usize, Piece)>,
    ) -> Code {
        let mut men = ArrayVec::new();
        for (number, (&man, square)) in self.men.iter().zip(after.squares).enumerate().skip(2) {
            if Some(number) != captured {
                let promotion = promoted.filter(|&(pawn, _)| pawn == number);
                let piece = promotion.map_or(man.piece, |(_, piece)| piece);
                men.push((ColoredPiece { piece, ..man }, square));
            }
        }
        let [white, black, ..] = after.squares;
        // The conversions have tables, or else nobody can mate.
        self.tables.code([white, black], &men, after.side).unwrap_or(DRAW)
    }

    /// Shows every legal move that neither captures nor promotes, until told to stop.
    pub fn quiet_moves(
        &self,
        placement: &Placement,
        mut visit: impl FnMut(QuietMove) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let side = placement.side;
        let [white, black] = self.sets(placement);
        let occupied = white | black;
        for (man, piece, from) in self.side(placement, side) {
            let targets = if piece == Piece::Pawn {
                let last = side.relative_rank(Rank::Eighth).bitboard();
                steps(from, side, occupied, Rank::Second).without(last)
            } else {
                attacks_of(piece, side, from, occupied).without(occupied)
            };
            for to in targets {
                let after = moved(placement, man, to);
                if !self.is_checked(&after, side, None) {
                    let double = piece == Piece::Pawn && from.distance(to) == 2;
                    let en_passant = if double { self.en_passant(&after, man) } else { None };
                    visit(QuietMove { after, en_passant })?;
                }
            }
        }
        Continue(())
    }

    /// The outcome for the side whose pawn has just made a double step, if the pawn is
    /// captured en passant; `None` if it cannot be. With four men there is at most one
    /// that can.
    fn en_passant(&self, placement: &Placement, pawn: usize) -> Option<Code> {
        let side = placement.side;
        let to = placement.squares[pawn].forward(side);
        let (man, ..) = self.side(placement, side).find(|&(_, piece, from)| {
            piece == Piece::Pawn && attacks::pawn(side, from).contains(to)
        })?;
        let after = moved(placement, man, to);
        let legal = !self.is_checked(&after, side, Some(pawn));
        legal.then(|| self.converted(&after, Some(pawn), None))
    }

    /// Shows the positions from which a move that neither captures nor promotes leads
    /// to this one, by number. Some of them may be illegal. Double steps after which
    /// the pawn can be captured en passant are left out, because they do not lead to
    /// the position as it stands.
    pub fn predecessors(&self, placement: &Placement, mut visit: impl FnMut(usize)) {
        let mover = !placement.side;
        let [white, black] = self.sets(placement);
        let occupied = white | black;
        for (man, piece, to) in self.side(placement, mover) {
            let origins = if piece == Piece::Pawn {
                let first = mover.relative_rank(Rank::First).bitboard();
                steps(to, !mover, occupied, Rank::Fifth).without(first)
            } else {
                attacks_of(piece, mover, to, occupied).without(occupied)
            };
            for from in origins {
                let double = piece == Piece::Pawn && from.distance(to) == 2;
                if double && self.en_passant(placement, man).is_some() {
                    continue;
                }
                let mut before = moved(placement, man, from);
                before.side = mover;
                if let Some(number) = self.layout.index(&before) {
                    visit(number);
                }
            }
        }
    }
}

/// Whether a man attacks a square; quicker than looking up all that it attacks.
#[inline]
fn reaches(piece: Piece, color: Color, from: Square, to: Square, occupied: Bitboard) -> bool {
    let on_rays = match piece {
        Piece::Pawn => return attacks::pawn(color, from).contains(to),
        Piece::Knight => return attacks::knight(from).contains(to),
        Piece::King => return attacks::king(from).contains(to),
        Piece::Bishop => attacks::bishop_rays(from).contains(to),
        Piece::Rook => attacks::rook_rays(from).contains(to),
        Piece::Queen => (attacks::bishop_rays(from) | attacks::rook_rays(from)).contains(to),
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

/// A pawn's single step and, from `double_from` as `side` sees it, its double step. A
/// step back from the fourth rank is one of the other side from its fifth.
fn steps(from: Square, side: Color, occupied: Bitboard, double_from: Rank) -> Bitboard {
    let single = from.bitboard().forward(side).without(occupied);
    if from.rank() == side.relative_rank(double_from) {
        single | single.forward(side).without(occupied)
    } else {
        single
    }
}

/// A man moved, and the other side to move.
fn moved(placement: &Placement, man: usize, to: Square) -> Placement {
    let mut after = *placement;
    after.squares[man] = to;
    after.side = !placement.side;
    after
}
