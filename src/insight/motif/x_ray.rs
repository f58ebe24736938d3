//! A slider attacks or defends through a piece of the other side.

use crate::chess::{Square, attacks};
use crate::insight::line::Line;

/// Three captures on one square, where the last captor stood behind the piece that made the
/// second.
pub fn find(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let first = ply.checked_sub(2)?;
    let [lure, answer, m] = [0, 1, 2].map(|index| line.moves()[first + index]);
    let same_square = lure.to() == m.to() && answer.to() == m.to();
    let through = attacks::between(m.from(), m.to()).contains(answer.from());
    (same_square && through).then(|| (m.to(), vec![answer.from()]))
}
