//! The pawns around a king (after Stockfish 11): for the king's file and its neighbours the
//! ranks of the nearest own pawn (the shelter) and enemy pawn (the storm), and the distance
//! to the nearest pawn.
//!
//! They depend on the pawns and the king's square alone, so that
//! [`PawnStructure`](crate::eval::pawns::PawnStructure) keeps them.

use bytemuck::Zeroable;

use crate::chess::{Bitboard, Color, File, Piece, State};
use crate::eval::tapered::Tapered;
use crate::eval::trace::{TermSum, Tracer, add, count};

/// The score of the pawns around a king.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Zeroable)]
pub(super) struct Shelter {
    /// For the king's side.
    pub(super) score: Tapered,
    /// The units of danger to the king.
    pub(super) danger: Tapered,
}

impl Shelter {
    #[inline(never)]
    pub(super) fn new<T: Tracer>(state: &State, us: Color, tracer: &mut T) -> Self {
        let mut sum = TermSum::new(us, tracer);
        files(state, &mut sum);
        add!(sum, king_pawn_distance[pawn_distance(state, us)]);
        Self { score: sum.score, danger: sum.units }
    }
}

/// The pawn shelter and storm on the three files around the king.
fn files<T: Tracer>(state: &State, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let them = !us;
    let king = state.king(us);
    let behind = king.rank().bitboard().forward_fill(them);
    let enemy_pawns = state.colored(them, Piece::Pawn);
    let own_pawns = state.colored(us, Piece::Pawn).without(behind | enemy_pawns.pawn_attacks(them));
    let enemy_pawns = enemy_pawns.without(behind);

    let centre = king.file().index().clamp(1, 6);
    for index in centre - 1..=centre + 1 {
        let folded = File::new(index).edge_distance();
        let file = File::new(index).bitboard();
        let own = nearest_rank(us, own_pawns & file);
        let enemy = nearest_rank(us, enemy_pawns & file);
        add!(sum, king_shelter[folded][own]);
        count!(sum, danger_shelter[own] * 1);
        let is_blocked = own != 0 && own + 1 == enemy;
        count!(sum, danger_storm[usize::from(is_blocked)][enemy] * 1);
        if is_blocked {
            add!(sum, blocked_storm[enemy]);
        } else {
            add!(sum, king_storm[folded][enemy]);
        }
    }
}

/// The relative rank of the pawn nearest to our first rank; 0 without pawns.
fn nearest_rank(us: Color, pawns: Bitboard) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    us.relative_rank(pawns.most_advanced(!us).rank()).index()
}

/// King moves from our king to the nearest pawn; 0 without pawns.
fn pawn_distance(state: &State, us: Color) -> usize {
    let pawns = state.pieces(Piece::Pawn);
    let mut reached = state.king(us).bitboard();
    for distance in 1..8 {
        reached |= reached.neighbours();
        if reached.intersects(pawns) {
            return distance;
        }
    }
    0
}
