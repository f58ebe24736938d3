//! A piece is lured to a square where it can be attacked.

use crate::chess::{Piece, Square};
use crate::insight::exchange::attacks_from;
use crate::insight::line::Line;

/// The king, queen or a rook takes on a square, and the next move attacks it there: the king
/// is checked, another piece is taken with the move after that.
pub fn find(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let moves = line.moves();
    let lure = moves[ply].to();
    let (state, next) = line.next_attack(ply)?;
    if moves[ply + 1].to() != lure || next.to() == lure {
        return None;
    }
    let attacked = attacks_from(&line.states()[ply + 3], next.to()).contains(lure);
    let collects = match state.piece_on(lure)? {
        Piece::King => true,
        Piece::Queen | Piece::Rook => moves.get(ply + 4).is_some_and(|m| m.to() == lure),
        _ => false,
    };
    (attacked && collects).then(|| (next.to(), vec![lure]))
}
