//! Distances that decide endings.

use crate::chess::{Bitboard, Color, File, Rank, Square};

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
pub(in crate::eval) fn pawns_corner(pawns: Bitboard, strong: Color) -> Option<Square> {
    let file = [File::A, File::H].into_iter().find(|file| pawns.is_subset(file.bitboard()))?;
    Some(Square::at(file, strong.relative_rank(Rank::Eighth)))
}

/// King moves between two squares.
pub(in crate::eval) fn steps(from: Square, to: Square) -> i32 {
    i32::from(from.distance(to))
}
