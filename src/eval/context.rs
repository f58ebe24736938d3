//! Facts of a position that several terms need, computed once.

use crate::chess::{Bitboard, Color, File, Piece, Rank, Square, State};
use crate::eval::attack_map::AttackMap;
use crate::eval::king::Shelter;
use crate::eval::pawns::PawnStructure;

/// A position and the facts about it that terms share.
#[derive(Debug)]
pub(super) struct EvalContext<'s> {
    pub(super) state: &'s State,
    /// Complete after the [pass over the pieces](crate::eval::pieces) of both sides.
    pub(super) attacks: AttackMap,
    /// The pieces near the king of each side, by the same pass.
    pub(super) pressure: [KingPressure; 2],
    structure: &'s PawnStructure,
    pawn_spans: [Bitboard; 2],
    mobility_area: [Bitboard; 2],
}

/// The enemy pieces near a king; indices are knight, bishop, rook, queen.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingPressure {
    /// The squares around the king: nine, shifted away from the edge of the board, except
    /// the squares that two own pawns defend.
    pub(super) ring: Bitboard,
    /// How many attack the ring around the king.
    pub(super) attackers: [i32; 4],
    /// The sum of seven less the distance to the king.
    pub(super) nearness: [i32; 4],
    /// The attacks of the attackers on the squares next to the king.
    pub(super) adjacent: i32,
}

impl KingPressure {
    /// No pieces near the king of `us`.
    #[inline]
    fn new(state: &State, us: Color) -> Self {
        let defended = state.colored(us, Piece::Pawn).pawn_double_attacks(us);
        let ring = RINGS[state.king(us).index()].without(defended);
        Self { ring, attackers: [0; 4], nearness: [0; 4], adjacent: 0 }
    }
}

impl<'s> EvalContext<'s> {
    #[inline(always)]
    pub(super) fn new(state: &'s State, structure: &'s PawnStructure) -> Self {
        let [white, black] = Color::ALL;
        Self {
            state,
            attacks: AttackMap::new(state),
            pressure: [KingPressure::new(state, white), KingPressure::new(state, black)],
            structure,
            pawn_spans: [pawn_span(state, white), pawn_span(state, black)],
            mobility_area: [mobility_area(state, white), mobility_area(state, black)],
        }
    }

    /// The passed pawns of both sides.
    #[inline]
    pub(super) fn all_passed(&self) -> Bitboard {
        self.structure.passed
    }

    /// A side's passed pawns.
    #[inline]
    pub(super) fn passed(&self, color: Color) -> Bitboard {
        self.structure.passed & self.state.color(color)
    }

    /// See [`mobility_area`].
    #[inline]
    pub(super) fn mobility_area(&self, color: Color) -> Bitboard {
        self.mobility_area[color.index()]
    }

    /// See [`pawn_span`].
    #[inline]
    pub(super) fn pawn_span(&self, color: Color) -> Bitboard {
        self.pawn_spans[color.index()]
    }

    /// The pawns around a side's king.
    #[inline]
    pub(super) fn shelter(&self, color: Color) -> Shelter {
        self.structure.shelter(color)
    }

    /// The squares of a side's pieces other than pawns.
    #[inline]
    pub(super) fn non_pawns(&self, color: Color) -> Bitboard {
        self.state.color(color).without(self.state.pieces(Piece::Pawn))
    }
}

/// Every square that a side's pawns attack or could attack further on.
#[inline]
fn pawn_span(state: &State, us: Color) -> Bitboard {
    let pawns = state.colored(us, Piece::Pawn);
    (pawns | pawns.forward_fill(us)).pawn_attacks(us)
}

/// The squares that count for mobility: not attacked by an enemy pawn, and not occupied by
/// the own king, queen, or a pawn that is blocked or on its second or third rank (after
/// Stockfish 11, which leaves out the pieces that shield the king too).
#[inline]
fn mobility_area(state: &State, us: Color) -> Bitboard {
    let pawns = state.colored(us, Piece::Pawn);
    let low_ranks = us.relative_ranks([Rank::Second, Rank::Third]);
    let stuck = pawns & (low_ranks | state.occupied().backward(us));
    let settled = state.colored(us, Piece::King) | state.colored(us, Piece::Queen);
    let held = state.colored(!us, Piece::Pawn).pawn_attacks(!us);
    !(stuck | settled | held)
}

/// The nine squares around each square, shifted away from the edge of the board.
static RINGS: [Bitboard; Square::COUNT] = {
    let mut rings = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let (file, rank) = (off_edge(index % 8), off_edge(index / 8));
        let centre = Square::at(File::new(file), Rank::new(rank)).bitboard();
        rings[index] = Bitboard(centre.0 | centre.neighbours().0);
        index += 1;
    }
    rings
};

/// The index of a file or rank, or of its neighbour if it is an outer one.
const fn off_edge(index: usize) -> usize {
    match index {
        0 => 1,
        7 => 6,
        _ => index,
    }
}
