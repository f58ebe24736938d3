//! Histories of quiet moves; their weighted sum orders the moves.
//!
//! *Butterfly*: by origin and destination (D. Hartmann, "Butterfly boards", 1988).
//! *Continuation*: by piece and destination, given the move one, two, four or six plies
//! before; it extends the countermove heuristic to whole tables, as Stockfish does.

use bytemuck::Zeroable;

use crate::chess::{Color, Move, Piece};
use crate::search::ordering::history::context::{ContinuationRow, ContinuationRows, PieceTo};
use crate::search::ordering::history::score::HistoryScore;
use crate::search::params as p;

// The bounds are those of Stockfish 16.
type Butterfly = HistoryScore<7_183>;
type Continuation = HistoryScore<29_952>;

#[derive(Zeroable)]
pub struct QuietHistory {
    butterfly: [[Butterfly; 4096]; 2],
    continuation: [[Continuation; PieceTo::COUNT]; ContinuationRow::COUNT],
}

/// The rows of the tables that the quiet moves of one position share.
#[derive(Clone, Copy)]
pub struct QuietRows<'h> {
    us: Color,
    butterfly: &'h [Butterfly; 4096],
    /// After the moves one, two, four and six plies before.
    continuation: [&'h [Continuation; PieceTo::COUNT]; 4],
}

impl QuietRows<'_> {
    /// The weighted sum of all histories of a move of this piece.
    #[inline(always)]
    pub fn score(&self, piece: Piece, m: Move) -> i32 {
        let piece_to = PieceTo::new(self.us, piece, m.to()).index();
        let [one, two, four, six] = self.continuation;
        // A shift, which the compiler merges with the one by which the picker makes room for an
        // index.
        (self.butterfly[m.from_to()].get() * p::order_butterfly()
            + one[piece_to].get() * p::order_continuation_1()
            + two[piece_to].get() * p::order_continuation_2()
            + four[piece_to].get() * p::order_continuation_4()
            + six[piece_to].get() * p::order_continuation_6())
            >> 7
    }

    /// The weighted sum of the histories of an evasion of a check.
    #[inline(always)]
    pub fn evasion_score(&self, piece: Piece, m: Move) -> i32 {
        let piece_to = PieceTo::new(self.us, piece, m.to()).index();
        self.butterfly[m.from_to()].get() + self.continuation[0][piece_to].get()
    }
}

impl QuietHistory {
    /// The rows for the moves of a position.
    #[inline(always)]
    pub fn rows(&self, us: Color, previous: &ContinuationRows) -> QuietRows<'_> {
        let [one, two, four, six] = *previous;
        let continuation = [self.row(one), self.row(two), self.row(four), self.row(six)];
        QuietRows { us, butterfly: &self.butterfly[us.index()], continuation }
    }

    #[inline(always)]
    fn row(&self, before: ContinuationRow) -> &[Continuation; PieceTo::COUNT] {
        &self.continuation[before.index()]
    }

    /// The butterfly history of a move.
    #[inline]
    pub fn butterfly(&self, us: Color, m: Move) -> i32 {
        self.butterfly[us.index()][m.from_to()].get()
    }

    /// The continuation histories one, two and four plies back.
    #[inline]
    pub fn continuation(&self, previous: &ContinuationRows, piece_to: PieceTo) -> [i32; 3] {
        let score = |before| self.row(before)[piece_to.index()].get();
        let [one, two, four, _] = *previous;
        [score(one), score(two), score(four)]
    }

    /// Updates the butterfly history of a move of `us`.
    pub fn update_butterfly(&mut self, us: Color, m: Move, bonus: i32) {
        self.butterfly[us.index()][m.from_to()].update(bonus);
    }

    /// Updates the continuation histories of a move after the previous ones, in check only
    /// the first two.
    pub fn update_continuation(
        &mut self,
        previous: ContinuationRows,
        in_check: bool,
        piece_to: PieceTo,
        bonus: i32,
    ) {
        let count = if in_check { 2 } else { 4 };
        for &earlier in &previous[..count] {
            if earlier != ContinuationRow::NONE {
                self.continuation[earlier.index()][piece_to.index()].update(bonus);
            }
        }
    }
}
