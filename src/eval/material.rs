//! Material: the numbers of the pieces, their imbalance and the phase.
//!
//! The values of the pieces are summed up by [`Accumulator`](crate::eval::Accumulator); the
//! terms here depend on the other pawns and pieces: the bishop pair, and knights, rooks and
//! queens (L. Kaufman, "The evaluation of material imbalances", 1999). A search meets few
//! combinations of material, so that [`Material`] is cached.

use bytemuck::Zeroable;

use crate::chess::{Color, Piece, State};
use crate::eval::tapered::{FULL_PHASE, Tapered};
use crate::eval::trace::{TermSum, Tracer, add};

/// The number of own pawns without an adjustment.
const USUAL_PAWNS: i32 = 5;

/// The phase of each piece (Chess Programming Wiki, "Tapered Eval").
const PHASE: [i32; Piece::COUNT] = [0, 1, 1, 2, 4, 0];

/// The kinds of pieces that are counted.
const KINDS: usize = Piece::COUNT - 1;

/// How many pawns, knights, bishops, rooks and queens each side has, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Zeroable)]
pub(super) struct PieceCounts(u64);

impl PieceCounts {
    /// The bits of a number.
    const BITS: usize = 6;

    /// One piece more.
    #[inline(always)]
    pub(super) fn add(&mut self, color: Color, piece: Piece) {
        self.0 += ONE[color.index()][piece.index()];
    }

    /// One piece less.
    #[inline(always)]
    pub(super) fn remove(&mut self, color: Color, piece: Piece) {
        self.0 -= ONE[color.index()][piece.index()];
    }

    /// The number of a side's pieces of one kind other than the king.
    fn of(self, color: Color, piece: Piece) -> i32 {
        (self.0 >> Self::shift(color.index(), piece.index())) as i32 & ((1 << Self::BITS) - 1)
    }

    /// From 0, with kings and pawns only, to [`FULL_PHASE`]: promotions may exceed the full
    /// set.
    pub(super) fn phase(self) -> i32 {
        let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        let side = |color| pieces.map(|piece| PHASE[piece.index()] * self.of(color, piece));
        Color::ALL.into_iter().flat_map(side).sum::<i32>().min(FULL_PHASE)
    }

    const fn shift(color: usize, piece: usize) -> usize {
        Self::BITS * (piece + KINDS * color)
    }
}

/// One piece, by colour and kind; kings are not counted.
static ONE: [[u64; Piece::COUNT]; 2] = {
    let mut one = [[0; Piece::COUNT]; 2];
    let mut piece = 0;
    while piece < Piece::King as usize {
        one[0][piece] = 1 << PieceCounts::shift(0, piece);
        one[1][piece] = 1 << PieceCounts::shift(1, piece);
        piece += 1;
    }
    one
};

/// What the evaluation takes from the numbers of the pieces.
#[derive(Clone, Copy, Debug, Default, Zeroable)]
pub(super) struct Material {
    /// From White's side, with no pawns blocked.
    imbalance: Tapered,
    /// What each pawn that an enemy pawn blocks adds.
    blocked_pawn: Tapered,
    /// See [`PieceCounts::phase`].
    pub(super) phase: i32,
}

impl Material {
    pub(super) fn new(counts: PieceCounts) -> Self {
        let [open, closed] = [0, 1].map(|blocked| imbalance(counts, blocked, &mut ()));
        Self { imbalance: open, blocked_pawn: closed - open, phase: counts.phase() }
    }

    /// The terms of both sides, from White's side.
    #[inline(always)]
    pub(super) fn score(&self, state: &State) -> Tapered {
        self.imbalance + self.blocked_pawn * blocked_pawns(state)
    }
}

/// The pawns of a side that enemy pawns block, as many as the other side has.
#[inline(always)]
pub(super) fn blocked_pawns(state: &State) -> i32 {
    let [white, black] = Color::each(|color| state.colored(color, Piece::Pawn));
    (white & black.backward(Color::White)).len() as i32
}

/// All terms of both sides, from White's side.
pub(super) fn imbalance<T: Tracer>(counts: PieceCounts, blocked: i32, tracer: &mut T) -> Tapered {
    let mut score = Tapered::ZERO;
    for us in Color::ALL {
        let mut sum = TermSum::new(us, tracer);
        side(counts, blocked, &mut sum);
        score += sum.score * us.sign();
    }
    score
}

fn side<T: Tracer>(counts: PieceCounts, blocked: i32, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let own = |piece| counts.of(us, piece);
    let enemy = |piece| counts.of(!us, piece);
    let (pawns, knights, bishops) = (own(Piece::Pawn), own(Piece::Knight), own(Piece::Bishop));
    let (rooks, queens) = (own(Piece::Rook), own(Piece::Queen));
    let enemy_minors = enemy(Piece::Knight) + enemy(Piece::Bishop);

    let pair = i32::from(bishops >= 2);
    add!(sum, bishop_pair * pair);
    add!(sum, bishop_pair_pawns * pair * (pawns + enemy(Piece::Pawn) - 2 * USUAL_PAWNS));
    add!(sum, knight_pawns * knights * (pawns - USUAL_PAWNS));
    add!(sum, rook_pawns * rooks * (pawns - USUAL_PAWNS));
    for (piece, number) in [knights, bishops, rooks].into_iter().enumerate() {
        add!(sum, closed_position[piece] * number * blocked);
    }
    add!(sum, rook_pair * i32::from(rooks >= 2));
    add!(sum, rook_beside_queen * rooks * queens);
    add!(sum, minor_beside_queen * (knights + bishops) * queens);
    add!(sum, queen_against_rooks * queens * enemy(Piece::Rook));
    add!(sum, queen_against_minors * queens * enemy_minors);
    add!(sum, rook_against_minors * rooks * enemy_minors);
}

/// Entries; a prime, so that the number of every kind of piece changes the place.
const ENTRIES: usize = 1021;

/// A table of [`Material`] by the numbers of the pieces (Chess Programming Wiki, "Material
/// Hash Table"). A newer entry takes the place of an older one.
#[derive(Zeroable)]
pub(super) struct MaterialTable {
    entries: [MaterialEntry; ENTRIES],
}

/// No pieces have no imbalance: an empty entry is valid.
#[derive(Clone, Copy, Zeroable)]
struct MaterialEntry {
    counts: PieceCounts,
    material: Material,
}

impl MaterialTable {
    #[inline(always)]
    pub(super) fn get(&mut self, counts: PieceCounts) -> &Material {
        let entry = &mut self.entries[(counts.0 % ENTRIES as u64) as usize];
        if entry.counts != counts {
            *entry = MaterialEntry { counts, material: Material::new(counts) };
        }
        &entry.material
    }
}
