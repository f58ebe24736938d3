//! King safety.
//!
//! Two views are added up. The pawns: for the king's file and its neighbours,
//! how far the shelter has gone and how near the enemy's storm has come. The
//! pieces: everything that points at the king is given a number of *units*, and
//! the sum indexes the table `king_danger`, because an attack is worth far more
//! than its parts (the idea of attack units is Glaurung's and Stockfish's; here
//! the table is free, and so can be fitted like any other weight).

use crate::chess::{Bitboard, Color, File, Piece, Rank, Square, attacks};
use crate::eval::context::{Context, king_zone, own_rank};
use crate::eval::trace::{Tally, Tracer, add};

/// Units that make one step of the table `king_danger`.
const STEP: i32 = 100;
/// Units of a knight, bishop, rook, queen near the king; multiplied by the number
/// of such pieces.
const ATTACKER: [i32; 4] = [80, 52, 44, 14];
/// Units of a safe check by a knight, bishop, rook, queen.
const SAFE_CHECK: [i32; 4] = [780, 620, 1050, 760];
const UNSAFE_CHECK: i32 = 140;
/// Units of each attack on a square beside the king.
const ADJACENT_ATTACK: i32 = 68;
/// Units of each square near the king that is attacked and badly defended.
const WEAK_SQUARE: i32 = 180;
const PINNED_DEFENDER: i32 = 95;
/// Units taken off for a knight or bishop that defends the king's zone.
const DEFENDER: [i32; 2] = [100, 40];
/// Units taken off when the enemy has no queen.
const NO_QUEEN: i32 = 860;

#[inline(always)]
pub(super) fn score<T: Tracer>(context: &Context, tally: &mut Tally<'_, T>) {
    shelter(context, tally);
    wing(context, tally);
    let units = danger(context, tally.color);
    let step = (units / STEP).clamp(0, 31) as usize;
    add!(tally, king_danger[step]);
}

/// Shelter and storm on the three files around the king.
#[inline(always)]
fn shelter<T: Tracer>(context: &Context, tally: &mut Tally<'_, T>) {
    let us = tally.color;
    let them = !us;
    let state = context.state;
    let king = state.king(us);
    let behind = king.rank().bitboard().forward_fill(them);
    let own_pawns =
        state.colored(us, Piece::Pawn).without(behind | context.attacks.by(them, Piece::Pawn));
    let enemy_pawns = state.colored(them, Piece::Pawn).without(behind);

    let centre = king.file().index().clamp(1, 6);
    for index in centre - 1..=centre + 1 {
        let file = File::new(index).bitboard();
        let folded = index.min(7 - index) & 3;
        let own = nearest_rank(us, own_pawns & file);
        let enemy = nearest_rank(us, enemy_pawns & file);
        add!(tally, king_shelter[folded][own]);
        if own != 0 && own + 1 == enemy {
            add!(tally, king_storm_blocked[enemy]);
        } else {
            add!(tally, king_storm[folded][enemy]);
        }
    }
}

/// The rank, seen from `us`, of the pawn of a file nearest to our first rank; 0 if
/// there is none.
#[inline(always)]
fn nearest_rank(us: Color, pawns: Bitboard) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    us.relative_rank(pawns.most_advanced(!us).rank()).index()
}

/// The balance of attack and defence on the king's wing, on our side of the board.
#[inline(always)]
fn wing<T: Tracer>(context: &Context, tally: &mut Tally<'_, T>) {
    let us = tally.color;
    let wing = king_wing(context.state.king(us).file());
    let camp = wing.without(own_rank(us, 5) | own_rank(us, 6) | own_rank(us, 7));
    let attacked = context.attacks.all(!us) & camp;
    let twice = context.attacks.twice(!us) & camp;
    add!(tally, king_wing_attacked * (attacked.len() + twice.len()));
    add!(tally, king_wing_defended * (context.attacks.all(us) & camp).len());
    add!(tally, king_wing_bare * i32::from(!wing.intersects(context.state.pieces(Piece::Pawn))));
}

/// The four files that matter to a king on `file`.
#[inline(always)]
fn king_wing(file: File) -> Bitboard {
    const WINGS: [Bitboard; 8] = [
        Bitboard(0x0707_0707_0707_0707),
        Bitboard(0x0F0F_0F0F_0F0F_0F0F),
        Bitboard(0x0F0F_0F0F_0F0F_0F0F),
        Bitboard(0x3C3C_3C3C_3C3C_3C3C),
        Bitboard(0x3C3C_3C3C_3C3C_3C3C),
        Bitboard(0xF0F0_F0F0_F0F0_F0F0),
        Bitboard(0xF0F0_F0F0_F0F0_F0F0),
        Bitboard(0xE0E0_E0E0_E0E0_E0E0),
    ];
    WINGS[file.index()]
}

/// The king's square and those around it, moved off the edge so that a king in
/// the corner has as large a zone as any other.
#[inline(always)]
fn ring(king: Square) -> Bitboard {
    let file = File::new(king.file().index().clamp(1, 6));
    let rank = Rank::new(king.rank().index().clamp(1, 6));
    king_zone(Square::at(file, rank))
}

/// How dangerous the enemy's pieces are to the king of `us`, in units.
#[inline(always)]
fn danger(context: &Context, us: Color) -> i32 {
    let them = !us;
    let (state, map) = (context.state, &context.attacks);
    let king = state.king(us);
    let defended_by_pawns = state.colored(us, Piece::Pawn).pawn_double_attacks(us);
    let ring = ring(king).without(defended_by_pawns);

    let (mut attackers, mut weight, mut adjacent) = (0, 0, 0);
    for square in context.non_pawns(them).without(state.colored(them, Piece::King)) {
        let attacks = map.from(square);
        if let Some(piece) = state.piece_on(square)
            && attacks.intersects(ring)
        {
            attackers += 1;
            weight += ATTACKER[(piece.index() - Piece::Knight.index()) & 3];
            adjacent += (attacks & attacks::king(king)).len() as i32;
        }
    }
    let ring_by_pawns = (ring & map.by(them, Piece::Pawn)).len() as i32;
    attackers += ring_by_pawns;

    let last_line = map.by(us, Piece::King) | map.by(us, Piece::Queen);
    let weak = map.all(them).without(map.twice(us)) & (!map.all(us) | last_line);
    let mut units = attackers * weight + ADJACENT_ATTACK * adjacent;
    units += WEAK_SQUARE * (ring & weak).len() as i32;
    units += PINNED_DEFENDER * map.pinned(us).len() as i32;
    units += checks(context, us, weak);
    units -= DEFENDER[0] * i32::from(map.by(us, Piece::Knight).intersects(ring));
    units -= DEFENDER[1] * i32::from(map.by(us, Piece::Bishop).intersects(ring));
    if state.colored(them, Piece::Queen).is_empty() {
        units -= NO_QUEEN;
    }
    units
}

/// Units of the checks that the enemy of `us` could give next.
#[inline(always)]
fn checks(context: &Context, us: Color, weak: Bitboard) -> i32 {
    let them = !us;
    let (state, map) = (context.state, &context.attacks);
    let king = state.king(us);
    let without_queen = state.occupied().without(state.colored(us, Piece::Queen));
    let lines = attacks::rook(king, without_queen);
    let diagonals = attacks::bishop(king, without_queen);
    let safe = (!map.all(us) | weak & map.twice(them)).without(state.color(them));

    let knight = attacks::knight(king) & map.by(them, Piece::Knight);
    let bishop = diagonals & map.by(them, Piece::Bishop);
    let rook = lines & map.by(them, Piece::Rook);
    // A queen that could be met by our own queen gives no useful check.
    let queen =
        ((lines | diagonals) & map.by(them, Piece::Queen) & safe).without(map.by(us, Piece::Queen));

    let mut units = 0;
    let mut unsafe_checks = Bitboard::EMPTY;
    for (checks, value) in [knight, bishop, rook].into_iter().zip(SAFE_CHECK) {
        if checks.intersects(safe) {
            units += value;
        } else {
            unsafe_checks |= checks;
        }
    }
    if queen.any() {
        units += SAFE_CHECK[3];
    }
    units + UNSAFE_CHECK * unsafe_checks.without(state.color(them)).len() as i32
}
