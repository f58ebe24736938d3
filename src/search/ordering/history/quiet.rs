//! Histories of quiet moves; their weighted sum orders the moves.
//!
//! *Butterfly*: by origin and destination (D. Hartmann, "Butterfly boards", 1988),
//! separately for squares that the opponent attacks. *Pawn*: by pawn structure, piece and
//! destination. *Continuation*: by piece and destination, given the piece and destination
//! of the move one, two or four plies before; it extends the countermove heuristic
//! (J. Uiterwijk, "The countermove heuristic", 1992) to whole tables, as Stockfish does.

use bytemuck::Zeroable;

use crate::chess::{Bitboard, Color, Move, Piece, State};
use crate::search::ordering::history::context::{HistoryContext, PieceTo};
use crate::search::ordering::history::score::{HistoryScore, MAX_HISTORY};
use crate::search::params as p;

type Score = HistoryScore<MAX_HISTORY>;

/// The number of pawn structures, by key modulo this.
const PAWN_SLOTS: usize = 1024;

#[derive(Zeroable)]
pub struct QuietHistory {
    /// By colour and whether origin and destination are attacked; then by both squares.
    butterfly: [[Score; 4096]; 8],
    pawn: [[Score; PieceTo::COUNT]; PAWN_SLOTS],
    continuation: [[Score; PieceTo::COUNT]; PieceTo::COUNT + 1],
}

/// The rows of the tables that the quiet moves of one position share.
#[derive(Clone, Copy)]
pub struct QuietRows<'h> {
    us: Color,
    /// The squares that the opponent attacks.
    attacked: Bitboard,
    butterfly: &'h [[Score; 4096]; 8],
    pawn: &'h [Score; PieceTo::COUNT],
    /// After the moves one, two and four plies before.
    continuation: [&'h [Score; PieceTo::COUNT]; 3],
}

impl QuietRows<'_> {
    /// The weighted sum of all histories of a move of this piece.
    #[inline(always)]
    pub fn score(&self, piece: Piece, m: Move) -> i32 {
        let piece_to = PieceTo::new(self.us, piece, m.to()).index();
        let [one, two, four] = self.continuation;
        let butterfly =
            self.butterfly[butterfly_index(self.us, self.attacked, m)][m.from_to()].get();
        let pawn = self.pawn[piece_to].get();
        (butterfly * p::order_butterfly()
            + pawn * p::order_pawn()
            + one[piece_to].get() * p::order_continuation_1()
            + two[piece_to].get() * p::order_continuation_2()
            + four[piece_to].get() * p::order_continuation_4())
            / 100
    }
}

impl QuietHistory {
    /// The rows for the moves of a position.
    #[inline(always)]
    pub fn rows(&self, state: &State, context: &HistoryContext) -> QuietRows<'_> {
        let row = |before: PieceTo| &self.continuation[before.index()];
        let [one, two, four] = context.previous;
        QuietRows {
            us: state.side_to_move(),
            attacked: context.threats.all,
            butterfly: &self.butterfly,
            pawn: &self.pawn[pawn_slot(state)],
            continuation: [row(one), row(two), row(four)],
        }
    }

    /// The weighted sum of all histories of a quiet move.
    #[inline]
    pub fn score(&self, state: &State, context: &HistoryContext, m: Move) -> i32 {
        self.rows(state, context).score(state.moved_piece(m), m)
    }

    /// The continuation histories one and two plies back.
    #[inline]
    pub fn continuation(&self, state: &State, context: &HistoryContext, m: Move) -> i32 {
        let piece_to = PieceTo::of(state, m).index();
        let [one, two, _] = context.previous;
        self.continuation[one.index()][piece_to].get()
            + self.continuation[two.index()][piece_to].get()
    }

    /// Updates all histories of a quiet move.
    pub fn update(&mut self, state: &State, context: &HistoryContext, m: Move, bonus: i32) {
        let piece_to = PieceTo::of(state, m);
        self.update_butterfly(state.side_to_move(), context.threats.all, m, bonus);
        self.pawn[pawn_slot(state)][piece_to.index()].update(bonus);
        self.update_continuation(context.previous, piece_to, bonus);
    }

    /// Updates the butterfly history of a move of `us`, given the squares that the
    /// opponent attacks.
    pub fn update_butterfly(&mut self, us: Color, attacked: Bitboard, m: Move, bonus: i32) {
        self.butterfly[butterfly_index(us, attacked, m)][m.from_to()].update(bonus);
    }

    /// Updates the continuation histories of a move after the previous ones.
    pub fn update_continuation(&mut self, previous: [PieceTo; 3], piece_to: PieceTo, bonus: i32) {
        for earlier in previous {
            if earlier != PieceTo::NONE {
                self.continuation[earlier.index()][piece_to.index()].update(bonus);
            }
        }
    }
}

/// The part of the butterfly table for a move.
#[inline]
fn butterfly_index(us: Color, attacked: Bitboard, m: Move) -> usize {
    let from = usize::from(attacked.contains(m.from()));
    let to = usize::from(attacked.contains(m.to()));
    4 * us.index() + 2 * from + to
}

#[inline]
fn pawn_slot(state: &State) -> usize {
    state.pawn_key() as usize % PAWN_SLOTS
}
