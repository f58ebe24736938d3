//! Knights, bishops, rooks and queens: mobility, outposts, open files, pins and other
//! features of their squares (mostly after Stockfish 11).
//!
//! One pass over the pieces scores them and completes the attack map: every loop over a few
//! pieces ends with a branch that the processor rarely predicts.

use crate::chess::{Bitboard, Color, Piece, Rank, Square, State, attacks};
use crate::eval::context::EvalContext;
use crate::eval::tapered::Tapered;
use crate::eval::trace::{TermSum, Tracer, add};

/// The a and the h file.
const ROOK_FILES: Bitboard = Bitboard(0x8181_8181_8181_8181);

/// The pass over the knights, bishops, rooks and queens of `us`, which completes the attacks
/// of the side and the pressure on the enemy king. Not inlined, so that both colours share the
/// code.
#[inline(never)]
pub(super) fn score<T: Tracer>(context: &mut EvalContext, us: Color, tracer: &mut T) -> Tapered {
    let mut sum = TermSum::new(us, tracer);
    let kings = Kings::new(context.state, us);
    knights(context, &kings, &mut sum);
    bishops(context, &kings, &mut sum);
    rooks(context, &kings, &mut sum);
    queens(context, &kings, &mut sum);
    sum.score
}

/// The kings as the pieces of one side see them, looked up once: the compiler does not know
/// that the pass leaves the position alone.
struct Kings {
    /// King moves from the own king and from the enemy king to each square.
    own_distances: &'static [u8; Square::COUNT],
    enemy_distances: &'static [u8; Square::COUNT],
    /// The enemy king's square and the squares around it.
    enemy_zone: Bitboard,
    /// The squares around it alone.
    enemy_adjacent: Bitboard,
}

impl Kings {
    #[inline(always)]
    fn new(state: &State, us: Color) -> Self {
        let (own, enemy) = (state.king(us), state.king(!us));
        let enemy_adjacent = attacks::king(enemy);
        Self {
            own_distances: own.distances(),
            enemy_distances: enemy.distances(),
            enemy_zone: enemy_adjacent.with(enemy),
            enemy_adjacent,
        }
    }

    /// At most 7.
    #[inline(always)]
    fn own_distance(&self, square: Square) -> usize {
        usize::from(self.own_distances[square.index()] & 7)
    }

    /// At most 7.
    #[inline(always)]
    fn enemy_distance(&self, square: Square) -> usize {
        usize::from(self.enemy_distances[square.index()] & 7)
    }
}

/// Terms that need the attacks of all pieces.
#[inline(always)]
pub(super) fn defence<T: Tracer>(context: &EvalContext, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let state = context.state;
    let minors = state.colored(us, Piece::Knight) | state.colored(us, Piece::Bishop);
    let shields = state.pieces(Piece::Pawn).backward(us);
    add!(sum, minor_behind_pawn * (minors & shields).len());
    for square in context.attacks.pinned(us) {
        add!(sum, pinned[state.piece_on_occupied(square).index()]);
    }
    for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        let own = state.colored(us, piece) & context.attacks.all(us);
        add!(sum, defended[piece.index()] * own.len());
    }
    let corners = ROOK_FILES & us.relative_ranks([Rank::Sixth, Rank::Seventh]);
    for square in state.colored(us, Piece::Bishop) & corners {
        add!(sum, bishop_trapped * i32::from(is_trapped_bishop(context, us, square)));
    }
}

/// The attacks of a piece of `sum`'s side, after they are added to the map and to the
/// pressure on the enemy king.
#[inline(always)]
fn add_attacks<T: Tracer>(
    context: &mut EvalContext,
    kings: &Kings,
    sum: &mut TermSum<'_, T>,
    piece: Piece,
    square: Square,
) -> Bitboard {
    let us = sum.color;
    let them = !us;
    let attacks = context.attacks.add_piece(context.state, us, piece, square);
    let index = piece.index() - Piece::Knight.index();
    let distance = kings.enemy_distance(square);
    add!(sum, them: king_tropism[index][distance]);
    let pressure = &mut context.pressure[them.index()];
    pressure.nearness[index] += 7 - distance as i32;
    if attacks.intersects(pressure.ring) {
        pressure.attackers[index] += 1;
        pressure.adjacent += (attacks & kings.enemy_adjacent).len() as i32;
    }
    attacks
}

/// Squares of the fourth to sixth rank that a pawn of `us` defends and no enemy pawn can
/// attack, now or later.
#[inline(always)]
fn outposts(context: &EvalContext, us: Color) -> Bitboard {
    let ranks = us.relative_ranks([Rank::Fourth, Rank::Fifth, Rank::Sixth]);
    (ranks & context.attacks.by(us, Piece::Pawn)).without(context.pawn_span(!us))
}

/// The number of attacked squares that a piece of `us` may safely go to.
#[inline(always)]
fn mobility(context: &EvalContext, us: Color, attacks: Bitboard) -> usize {
    (attacks & context.mobility_area(us)).len() as usize
}

#[inline(always)]
fn knights<T: Tracer>(context: &mut EvalContext, kings: &Kings, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let outposts = outposts(context, us);
    let free_outposts = outposts.without(context.state.color(us));
    for square in context.state.colored(us, Piece::Knight) {
        let attacks = add_attacks(context, kings, sum, Piece::Knight, square);
        add!(sum, knight_mobility[mobility(context, us, attacks)]);
        add!(sum, minor_king_distance[kings.own_distance(square)]);
        if outposts.contains(square) {
            add!(sum, knight_outpost);
        } else if attacks.intersects(free_outposts) {
            add!(sum, knight_outpost_reach);
        }
    }
}

#[inline(always)]
fn bishops<T: Tracer>(context: &mut EvalContext, kings: &Kings, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let state = context.state;
    let bishops = state.colored(us, Piece::Bishop);
    if bishops.is_empty() {
        return;
    }
    let outposts = outposts(context, us);
    let pawns = state.colored(us, Piece::Pawn);
    let enemy_pawns = state.colored(!us, Piece::Pawn);
    let all_pawns = state.pieces(Piece::Pawn);
    let blocked = pawns & state.occupied().backward(us) & Bitboard::CENTRE_FILES;
    for square in bishops {
        let attacks = add_attacks(context, kings, sum, Piece::Bishop, square);
        add!(sum, bishop_mobility[mobility(context, us, attacks)]);
        add!(sum, minor_king_distance[kings.own_distance(square)]);
        if outposts.contains(square) {
            add!(sum, bishop_outpost);
        }
        let shade = Bitboard::same_colour_squares(square);
        add!(sum, bishop_own_pawns * (pawns & shade).len() * (1 + blocked.len()));
        add!(sum, bishop_enemy_pawns * (enemy_pawns & shade).len());
        add!(sum, bishop_xray_pawns * (attacks::bishop_rays(square) & enemy_pawns).len());
        let view = attacks::bishop(square, all_pawns).with(square);
        if view.intersects(kings.enemy_zone) && !attacks.intersects(kings.enemy_zone) {
            add!(sum, bishop_at_king);
        }
        add!(sum, bishop_long_diagonal * i32::from((view & Bitboard::CENTRE).more_than_one()));
    }
}

#[inline(always)]
fn rooks<T: Tracer>(context: &mut EvalContext, kings: &Kings, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let state = context.state;
    let own_rooks = state.colored(us, Piece::Rook);
    if own_rooks.is_empty() {
        return;
    }
    let pawns = state.pieces(Piece::Pawn);
    let own_pawns = pawns & state.color(us);
    let enemy_queens = state.colored(!us, Piece::Queen);
    for square in own_rooks {
        let file = square.file().bitboard();
        let attacks = add_attacks(context, kings, sum, Piece::Rook, square);
        let reach = attacks & context.mobility_area(us);
        let count = reach.len() as usize;
        add!(sum, rook_mobility[count]);
        add!(sum, rook_vertical_mobility * (reach & file).len());
        if !file.intersects(pawns) {
            add!(sum, rook_open_file);
        } else if !file.intersects(own_pawns) {
            add!(sum, rook_half_open_file);
        } else if count <= 3 && is_trapped_rook(square, state.king(us)) {
            add!(sum, rook_trapped[usize::from(state.castling().any(us))]);
        }
        if file.intersects(enemy_queens) {
            add!(sum, rook_on_queen_file);
        }
        if file.intersects(kings.enemy_zone) && !attacks.intersects(kings.enemy_zone) {
            add!(sum, rook_at_king);
        }
        if file.intersects(own_rooks.without(square.bitboard())) {
            add!(sum, rook_doubled);
        }
    }
    let seventh = us.relative_ranks([Rank::Seventh]);
    let targets = state.colored(!us, Piece::King) & us.relative_ranks([Rank::Eighth])
        | state.colored(!us, Piece::Pawn) & seventh;
    if targets.any() {
        add!(sum, rook_seventh * (own_rooks & seventh).len());
    }
}

#[inline(always)]
fn queens<T: Tracer>(context: &mut EvalContext, kings: &Kings, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let state = context.state;
    let queens = state.colored(us, Piece::Queen);
    if queens.is_empty() {
        return;
    }
    let home = us.relative_ranks([Rank::First, Rank::Second]);
    let enemy_half = us.relative_ranks([Rank::Fifth, Rank::Sixth, Rank::Seventh, Rank::Eighth]);
    let minors = state.colored(us, Piece::Knight) | state.colored(us, Piece::Bishop);
    for square in queens {
        let attacks = add_attacks(context, kings, sum, Piece::Queen, square);
        add!(sum, queen_mobility[mobility(context, us, attacks)]);
        let snipers = state.snipers(square, !us).without(state.pieces(Piece::Queen));
        let shields = state.shields(square, snipers);
        if shields.any() {
            add!(sum, queen_exposed);
            for shield in shields & state.color(us) {
                let piece = state.piece_on_occupied(shield);
                if piece != Piece::King {
                    add!(sum, pinned_to_queen[piece.index()]);
                }
            }
        }
        if enemy_half.without(context.pawn_span(!us)).contains(square) {
            add!(sum, queen_infiltration);
        }
        if !home.contains(square) {
            add!(sum, queen_early * (minors & us.relative_ranks([Rank::First])).len());
        }
    }
}

/// Whether a bishop on the sixth or seventh rank of a rook file is trapped by an enemy pawn
/// (Chess Programming Wiki, "Trapped Pieces").
#[inline(always)]
fn is_trapped_bishop(context: &EvalContext, us: Color, bishop: Square) -> bool {
    let behind = bishop.bitboard().backward(us);
    let way_back = behind.beside();
    let pawns = context.state.colored(!us, Piece::Pawn);
    way_back.is_subset(pawns) && way_back.is_subset(context.attacks.all(!us))
}

/// Whether the king is between the rook and the centre.
#[inline(always)]
fn is_trapped_rook(rook: Square, king: Square) -> bool {
    let (rook, king) = (rook.file().index(), king.file().index());
    if king < 4 { rook < king } else { rook > king }
}
