//! King safety (after Stockfish 11).
//!
//! Attacks near the king and possible checks add up to *units* of danger, whose square is
//! the penalty in the middlegame (see [`nonlinear`](crate::eval::nonlinear)). The pawns around
//! the king are its [`Shelter`].

use bytemuck::Zeroable;

use crate::chess::{Bitboard, CastlingSide, Color, File, Piece, Rank, State, attacks};
use crate::eval::context::{EvalContext, KingPressure};
use crate::eval::tapered::Tapered;
use crate::eval::trace::{TermSum, Tracer, add, count};

#[inline(always)]
pub(super) fn score<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let shelter = context.shelter(sum.color);
    sum.score += shelter.score;
    sum.units += shelter.danger;
    castling(context, sum);
    flank(context, sum);
    danger(context, sum);
}

/// Castling rights, and the best pawn shelter after castling.
#[inline(always)]
fn castling<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let rights = context.state.castling();
    if !rights.any(us) {
        return;
    }
    let near = us.relative_ranks([Rank::Second, Rank::Third]);
    let pawns = context.state.colored(us, Piece::Pawn) & near;
    let (mut sides, mut best) = (0, 0);
    for (side, shelter) in
        CastlingSide::ALL.into_iter().zip([Bitboard::KING_FLANK, Bitboard::QUEEN_FLANK])
    {
        if rights.rook(us, side).is_some() {
            sides += 1;
            best = best.max((pawns & shelter).len());
        }
    }
    add!(sum, king_may_castle[usize::from(sides == 2)]);
    add!(sum, castling_shelter * best);
}

/// Attacks and defences on the king's flank, on our first five ranks.
#[inline(always)]
fn flank<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let flank = king_flank(context.state.king(us).file());
    let camp = flank.without(us.relative_ranks([Rank::Sixth, Rank::Seventh, Rank::Eighth]));
    let attacked = context.attacks.all(!us) & camp;
    let twice = context.attacks.twice(!us) & camp;
    let defended = context.attacks.all(us) & camp;
    add!(sum, king_flank_attacked * (attacked.len() + twice.len()));
    add!(sum, king_flank_defended * defended.len());
    count!(sum, danger_flank_attacked * (attacked.len() + twice.len()));
    count!(sum, danger_flank_defended * defended.len());
    add!(
        sum,
        king_flank_pawnless * i32::from(!flank.intersects(context.state.pieces(Piece::Pawn)))
    );
}

/// The flank of a king on `file`: three or four files.
#[inline(always)]
fn king_flank(file: File) -> Bitboard {
    const QUEEN_SIDE: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);
    const KING_SIDE: Bitboard = Bitboard(0xF0F0_F0F0_F0F0_F0F0);
    const FLANKS: [Bitboard; 8] = [
        Bitboard::QUEEN_FLANK,
        QUEEN_SIDE,
        QUEEN_SIDE,
        Bitboard::CENTRE_FILES,
        Bitboard::CENTRE_FILES,
        KING_SIDE,
        KING_SIDE,
        Bitboard::KING_FLANK,
    ];
    FLANKS[file.index()]
}

/// The units of danger to the king.
#[inline(always)]
fn danger<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let them = !us;
    let (state, map) = (context.state, &context.attacks);
    let king = state.king(us);
    let KingPressure { ring, attackers, nearness, adjacent } = context.pressure[us.index()];
    for (piece, nearness) in nearness.into_iter().enumerate() {
        count!(sum, danger_near[piece] * nearness);
    }
    let by_pawns = (ring & map.by(them, Piece::Pawn)).len() as i32;
    let total = by_pawns + attackers.iter().sum::<i32>();
    for (piece, number) in attackers.into_iter().enumerate() {
        count!(sum, danger_attacker[piece] * total * number);
    }
    count!(sum, danger_adjacent * adjacent);

    let last_line = map.by(us, Piece::King) | map.by(us, Piece::Queen);
    let weak = map.all(them).without(map.twice(us)) & (!map.all(us) | last_line);
    count!(sum, danger_weak_square * (ring & weak).len());
    count!(sum, danger_pinned * map.pinned(us).len());
    for (index, piece) in [Piece::Knight, Piece::Bishop].into_iter().enumerate() {
        count!(sum, danger_defender[index] * i32::from(map.by(us, piece).intersects(ring)));
    }
    count!(sum, danger_no_queen * i32::from(state.colored(them, Piece::Queen).is_empty()));
    let escapes = attacks::king(king).without(map.all(them) | state.color(us));
    count!(sum, danger_escape * escapes.len());
    count!(sum, danger_to_move * i32::from(state.side_to_move() == them));
    count!(sum, danger_base * 1);
    checks(context, sum, weak);
}

/// The checks that the enemy could give next. `weak` are the poorly defended squares.
#[inline(always)]
fn checks<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>, weak: Bitboard) {
    let us = sum.color;
    let them = !us;
    let (state, map) = (context.state, &context.attacks);
    let king = state.king(us);
    let without_queen = state.occupied().without(state.colored(us, Piece::Queen));
    let lines = attacks::rook(king, without_queen);
    let diagonals = attacks::bishop(king, without_queen);
    let free = !state.color(them);
    let safe = (!map.all(us) | weak & map.twice(them)) & free;

    let knight = attacks::knight(king) & map.by(them, Piece::Knight);
    let bishop = diagonals & map.by(them, Piece::Bishop);
    let rook = lines & map.by(them, Piece::Rook);
    // A queen check on a square that our queen defends does not count.
    let queen =
        ((lines | diagonals) & map.by(them, Piece::Queen) & safe).without(map.by(us, Piece::Queen));

    let mut unsafe_checks = Bitboard::EMPTY;
    let mut squares = queen.len();
    for (piece, checks) in [knight, bishop, rook].into_iter().enumerate() {
        squares += (checks & safe).len();
        if checks.intersects(safe) {
            let several = usize::from((checks & safe).more_than_one());
            count!(sum, danger_safe_check[piece][several] * 1);
        } else {
            unsafe_checks |= checks;
        }
    }
    if queen.any() {
        count!(sum, danger_safe_check[3][usize::from(queen.more_than_one())] * 1);
    }
    count!(sum, danger_check_squares * squares);
    count!(sum, danger_unsafe_check * (unsafe_checks & free).len());
}

/// The score of the pawns around a king (after Stockfish 11): for the king's file and its
/// neighbours the ranks of the nearest own pawn (the shelter) and enemy pawn (the storm), and
/// the distance to the nearest pawn. It depends on the pawns and the king's square alone, so
/// that the [`PawnStructure`](crate::eval::pawns::PawnStructure) keeps it.
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
    let king = state.king(us);
    // The board as our side sees it.
    let not_behind = Bitboard(u64::MAX << (8 * us.relative_rank(king.rank()).index()));
    let enemy_pawns = state.colored(!us, Piece::Pawn).seen_by(us);
    let attacked = enemy_pawns.pawn_attacks(Color::Black);
    let own_pawns = (state.colored(us, Piece::Pawn).seen_by(us) & not_behind).without(attacked);
    let enemy_pawns = enemy_pawns & not_behind;

    let centre = king.file().index().clamp(1, 6);
    for index in centre - 1..=centre + 1 {
        let folded = File::new(index).edge_distance();
        let file = File::new(index).bitboard();
        let own = lowest_rank(own_pawns & file);
        let enemy = lowest_rank(enemy_pawns & file);
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

/// The rank of the lowest pawn; 0 without pawns.
#[inline(always)]
fn lowest_rank(pawns: Bitboard) -> usize {
    pawns.lowest().rank().index()
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
