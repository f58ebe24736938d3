//! Distances that decide endings.

use crate::chess::{Bitboard, Color, File, Piece, Rank, Square, State};

/// The distance of a king from the edges, the nearer one counted twice: 0 in a corner, up to
/// 9 in the centre.
pub(super) fn edge_distance(king: Square) -> i32 {
    let [file, rank] = inwards(king);
    file + rank + file.min(rank)
}

/// Steps from the nearer edge, along the rank and along the file.
pub(super) fn inwards(king: Square) -> [i32; 2] {
    [king.file().edge_distance(), king.rank().edge_distance()].map(|steps| steps as i32)
}

/// The promotion square of pawns that are all on one rook file.
fn pawns_corner(pawns: Bitboard, strong: Color) -> Option<Square> {
    let file = [File::A, File::H].into_iter().find(|file| pawns.is_subset(file.bitboard()))?;
    Some(Square::at(file, strong.relative_rank(Rank::Eighth)))
}

/// The promotion square of pawns that are all on one rook file, if no other piece of their
/// side but the king can attack it: there are none, or only bishops of the other colour of
/// squares.
#[inline]
pub(in crate::eval) fn unattacked_corner(state: &State, strong: Color) -> Option<Square> {
    let pawns = state.colored(strong, Piece::Pawn);
    let bishops = state.colored(strong, Piece::Bishop);
    let corner = pawns_corner(pawns, strong)?;
    let helpers = state.color(strong).without(pawns | state.colored(strong, Piece::King));
    let attacks_it = bishops.intersects(Bitboard::same_colour_squares(corner));
    (helpers == bishops && !attacks_it).then_some(corner)
}

/// King moves between two squares.
pub(in crate::eval) fn steps(from: Square, to: Square) -> i32 {
    i32::from(from.distance(to))
}
