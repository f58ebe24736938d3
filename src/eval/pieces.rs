//! Knights, bishops, rooks and queens: mobility and good and bad places.

use crate::chess::{Bitboard, Color, Piece, Square, attacks};
use crate::eval::attack_map::alone_between;
use crate::eval::context::{Context, own_rank};
use crate::eval::trace::{Tally, Tracer, add};

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
const CENTRE_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);

#[inline(always)]
pub(super) fn score<T: Tracer>(context: &Context, tally: &mut Tally<'_, T>) {
    let us = tally.color;
    let state = context.state;
    let minors = state.colored(us, Piece::Knight) | state.colored(us, Piece::Bishop);
    let shields = state.pieces(Piece::Pawn).backward(us);
    add!(tally, minor_behind_pawn * (minors & shields).len());

    knights(context, tally);
    bishops(context, tally);
    rooks(context, tally);
    queens(context, tally);
}

/// Squares of the enemy's half that a pawn of `us` defends and no enemy pawn can
/// attack, now or later.
#[inline(always)]
fn outposts(context: &Context, us: Color) -> Bitboard {
    let ranks = own_rank(us, 3) | own_rank(us, 4) | own_rank(us, 5);
    (ranks & context.attacks.by(us, Piece::Pawn)).without(context.pawn_span(!us))
}

/// The number of squares that the piece on `square` may safely go to.
#[inline(always)]
fn mobility(context: &Context, us: Color, square: Square) -> usize {
    (context.attacks.from(square) & context.mobility_area(us)).len() as usize
}

#[inline(always)]
fn knights<T: Tracer>(context: &Context, tally: &mut Tally<'_, T>) {
    let us = tally.color;
    let outposts = outposts(context, us);
    for square in context.state.colored(us, Piece::Knight) {
        add!(tally, knight_mobility[mobility(context, us, square)]);
        add!(tally, minor_king_distance[king_distance(context, us, square)]);
        if outposts.contains(square) {
            add!(tally, knight_outpost);
        } else if (context.attacks.from(square) & outposts.without(context.state.color(us))).any() {
            add!(tally, knight_outpost_reach);
        }
    }
}

#[inline(always)]
fn bishops<T: Tracer>(context: &Context, tally: &mut Tally<'_, T>) {
    let us = tally.color;
    let state = context.state;
    let bishops = state.colored(us, Piece::Bishop);
    add!(tally, bishop_pair * i32::from(bishops.many()));

    let outposts = outposts(context, us);
    let pawns = state.colored(us, Piece::Pawn);
    let blocked = pawns & state.occupied().backward(us) & CENTRE_FILES;
    for square in bishops {
        add!(tally, bishop_mobility[mobility(context, us, square)]);
        add!(tally, minor_king_distance[king_distance(context, us, square)]);
        if outposts.contains(square) {
            add!(tally, bishop_outpost);
        }
        let shade = if Bitboard::LIGHT_SQUARES.contains(square) {
            Bitboard::LIGHT_SQUARES
        } else {
            Bitboard::DARK_SQUARES
        };
        add!(tally, bishop_own_pawns * (pawns & shade).len() * (1 + blocked.len()));
        add!(tally, bishop_enemy_pawns * (state.colored(!us, Piece::Pawn) & shade).len());
        let view = attacks::bishop(square, state.pieces(Piece::Pawn)).with(square);
        add!(tally, bishop_long_diagonal * i32::from((view & CENTRE).many()));
    }
}

#[inline(always)]
fn rooks<T: Tracer>(context: &Context, tally: &mut Tally<'_, T>) {
    let us = tally.color;
    let state = context.state;
    let pawns = state.pieces(Piece::Pawn);
    for square in state.colored(us, Piece::Rook) {
        let count = mobility(context, us, square);
        add!(tally, rook_mobility[count]);
        let file = square.file().bitboard();
        if !file.intersects(pawns) {
            add!(tally, rook_open_file);
        } else if !file.intersects(pawns & state.color(us)) {
            add!(tally, rook_half_open_file);
        } else if count <= 3 && shut_in(square, state.king(us)) {
            add!(tally, rook_shut_in[usize::from(state.castling().any(us))]);
        }
        if file.intersects(state.colored(!us, Piece::Queen)) {
            add!(tally, rook_on_queen_file);
        }
    }
}

#[inline(always)]
fn queens<T: Tracer>(context: &Context, tally: &mut Tally<'_, T>) {
    let us = tally.color;
    for square in context.state.colored(us, Piece::Queen) {
        add!(tally, queen_mobility[mobility(context, us, square)]);
        if alone_between(context.state, square, us).any() {
            add!(tally, queen_exposed);
        }
    }
}

#[inline(always)]
fn king_distance(context: &Context, us: Color, square: Square) -> usize {
    context.state.king(us).distance(square) as usize & 7
}

/// Whether the king stands between the rook and the middle of the board.
#[inline(always)]
fn shut_in(rook: Square, king: Square) -> bool {
    let (rook, king) = (rook.file().index(), king.file().index());
    if king < 4 { rook < king } else { rook > king }
}
