//! Countermoves: the quiet move that last refuted a move (J. Uiterwijk, "The countermove
//! heuristic", 1992).

use bytemuck::Zeroable;

use crate::chess::Move;
use crate::search::ordering::history::context::PieceTo;

#[derive(Zeroable)]
pub struct CounterMoves {
    /// The bits of the refutation by the refuted move; 0 for none.
    moves: [u16; PieceTo::COUNT],
}

impl CounterMoves {
    /// The quiet move that last refuted `before`. It may be illegal now.
    #[inline]
    pub fn get(&self, before: PieceTo) -> Option<Move> {
        self.moves.get(before.index()).and_then(|&bits| Move::from_bits(bits))
    }

    /// Notes that a quiet move has refuted `before`.
    pub fn set(&mut self, before: PieceTo, m: Move) {
        if let Some(bits) = self.moves.get_mut(before.index()) {
            *bits = m.bits();
        }
    }
}
