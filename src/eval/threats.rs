//! Threats: attacks on pieces now and on the next move (mostly after Stockfish 11).

use crate::chess::{Bitboard, Color, Piece, Rank, Square, attacks};
use crate::eval::context::EvalContext;
use crate::eval::trace::{TermSum, Tracer, add};

#[inline(always)]
pub(super) fn score<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let them = !us;
    let (state, map) = (context.state, &context.attacks);
    let enemy_pieces = context.non_pawns(them);
    let guarded = map.strongly_protected(them);
    let weak = (state.color(them) & map.all(us)).without(guarded);

    let victims = state.color(them).without(state.pieces(Piece::King));
    for victim in map.by(us, Piece::Knight) & victims {
        let (defended, piece) = victim_indices(context, victim, guarded);
        add!(sum, threat_by_knight[defended][piece]);
    }
    for victim in map.by(us, Piece::Bishop) & victims {
        let (defended, piece) = victim_indices(context, victim, guarded);
        add!(sum, threat_by_bishop[defended][piece]);
    }
    for victim in map.by(us, Piece::Rook) & victims {
        let (defended, piece) = victim_indices(context, victim, guarded);
        add!(sum, threat_by_rook[defended][piece]);
    }
    for victim in map.by(us, Piece::Queen) & victims {
        let (defended, piece) = victim_indices(context, victim, guarded);
        add!(sum, threat_by_queen[defended][piece]);
    }
    for victim in map.by(us, Piece::King) & victims & weak {
        let (_, piece) = victim_indices(context, victim, guarded);
        add!(sum, threat_by_king[piece]);
    }

    let loose = !map.all(them) | enemy_pieces & map.twice(us);
    add!(sum, threat_hanging * (weak & loose).len());
    add!(sum, weak_queen_protection * (weak & map.by(them, Piece::Queen)).len());
    add!(sum, restricted * (map.all(us) & map.all(them)).without(guarded).len());

    pawn_threats(context, sum, enemy_pieces);
    knight_forks(context, sum, enemy_pieces & !guarded);
    queen_threats(context, sum, guarded);
    trapped_pieces(context, sum);
}

/// The indices of an attacked piece other than a king: whether it is well defended, and what
/// it is.
#[inline(always)]
fn victim_indices(context: &EvalContext, victim: Square, guarded: Bitboard) -> (usize, usize) {
    let piece = context.state.piece_on_occupied(victim).index();
    (usize::from(guarded.contains(victim)), piece.min(4))
}

/// Attacks by safe pawns, now and after a push.
#[inline(always)]
fn pawn_threats<T: Tracer>(
    context: &EvalContext,
    sum: &mut TermSum<'_, T>,
    enemy_pieces: Bitboard,
) {
    let us = sum.color;
    let them = !us;
    let (state, map) = (context.state, &context.attacks);
    let safe = !map.all(them) | map.all(us);
    let pawns = state.colored(us, Piece::Pawn);

    for victim in (pawns & safe).pawn_attacks(us) & state.color(them) {
        let piece = state.piece_on_occupied(victim);
        if piece != Piece::King {
            add!(sum, threat_by_pawn[piece.index()]);
        }
    }
    let both_sides = enemy_pieces.backward(us).east() & enemy_pieces.backward(us).west();
    add!(sum, threat_pawn_fork * (pawns & safe & both_sides).len());

    let free = !state.occupied();
    let single = pawns.forward(us) & free;
    let double = (single & us.relative_ranks([Rank::Third])).forward(us) & free;
    let pushes = (single | double).without(map.by(them, Piece::Pawn)) & safe;
    add!(sum, threat_by_push * (pushes.pawn_attacks(us) & enemy_pieces).len());
}

/// Squares to which a knight could safely go and attack two pieces at once, each more
/// valuable than a knight or poorly defended.
#[inline(always)]
fn knight_forks<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>, loose: Bitboard) {
    let us = sum.color;
    let (state, map) = (context.state, &context.attacks);
    let knights = map.by(us, Piece::Knight);
    if knights.is_empty() {
        return;
    }
    let heavy = state.pieces(Piece::Rook) | state.pieces(Piece::Queen) | state.pieces(Piece::King);
    let targets = heavy & state.color(!us) | loose;
    let safe = !(map.all(!us) | state.color(us));
    let forks = (knights & safe)
        .iter()
        .filter(|&square| (attacks::knight(square) & targets).more_than_one());
    add!(sum, threat_knight_fork * forks.count());
}

/// Safe squares from which the enemy's only queen would be attacked.
#[inline(always)]
fn queen_threats<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>, guarded: Bitboard) {
    let us: Color = sum.color;
    let (state, map) = (context.state, &context.attacks);
    let queens = state.colored(!us, Piece::Queen);
    if queens.is_empty() || queens.more_than_one() {
        return;
    }
    let queen = queens.lowest();
    let safe = context.mobility_area(us).without(guarded);
    let knights = attacks::knight(queen) & map.by(us, Piece::Knight);
    add!(sum, threat_knight_on_queen * (knights & safe).len());

    let occupied = state.occupied();
    let sliders = attacks::bishop(queen, occupied) & map.by(us, Piece::Bishop)
        | attacks::rook(queen, occupied) & map.by(us, Piece::Rook);
    add!(sum, threat_slider_on_queen * (sliders & safe & map.twice(us)).len());
    let exchange = attacks::queen(queen, occupied) & map.by(us, Piece::Queen);
    add!(sum, threat_queen_exchange * i32::from((exchange & safe & map.twice(us)).any()));
}

/// Own pieces that are attacked by a less valuable piece, or attacked and not defended, and
/// have no safe square.
#[inline(always)]
fn trapped_pieces<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let (state, map) = (context.state, &context.attacks);
    let hanging = map.all(!us).without(map.all(us));
    let attacked = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .into_iter()
        .map(|piece| state.colored(us, piece) & (hanging | map.by_less_valuable(!us, piece)))
        .fold(Bitboard::EMPTY, |set, pieces| set | pieces);
    // Most positions have none.
    if attacked.is_empty() {
        return;
    }
    let to_move = usize::from(state.side_to_move() == us);
    for square in without_safe_square(context, us, attacked) {
        add!(sum, trapped_piece[to_move][state.piece_on_occupied(square).index() - 1]);
    }
}

/// The pieces among `attacked` that have no safe square. A function of its own, as it is
/// rarely needed.
#[inline(never)]
fn without_safe_square(context: &EvalContext, us: Color, attacked: Bitboard) -> Bitboard {
    let them = !us;
    let (state, map) = (context.state, &context.attacks);
    // The piece itself is one of the two attackers of a square.
    let defended = !map.all(them) | map.twice(us);
    let mut trapped = Bitboard::EMPTY;
    for square in attacked {
        let piece = state.piece_on_occupied(square);
        let as_valuable = match piece {
            Piece::Rook => state.colored(them, Piece::Rook) | state.colored(them, Piece::Queen),
            Piece::Queen => state.colored(them, Piece::Queen),
            _ => context.non_pawns(them),
        };
        let safe = defended.without(map.by_less_valuable(them, piece)) | as_valuable;
        let moves = map.attacks_of(state, us, piece, square).without(state.color(us));
        if !moves.intersects(safe) {
            trapped |= square.bitboard();
        }
    }
    trapped
}
