//! Experience with quiet moves, seen in three ways at once.
//!
//! *Butterfly*: by origin and destination, apart for squares that the enemy
//! attacks, since flight and danger make another move of it. *Pawns*: by the
//! piece, its destination and the pawn structure. *Continuation*: by the piece,
//! its destination and the same of a move some plies before, which knows
//! refutations (one ply) and plans (two and four).

use crate::chess::{Bitboard, Color, Move, State};
use crate::search::history::{Context, HistoryScore, MAX_HISTORY, Played};
use crate::search::params::{
    order_butterfly, order_continuation_1, order_continuation_2, order_continuation_4, order_pawn,
};
use crate::util::memory::{MemoryError, zeroed};

type Score = HistoryScore<MAX_HISTORY>;

/// Pawn structures that are told apart.
const PAWN_SLOTS: usize = 1024;

pub(in crate::search) struct QuietHistory {
    /// By colour and whether origin and destination are attacked, then by both.
    butterfly: Vec<[Score; 4096]>,
    pawn: Vec<[Score; Played::COUNT]>,
    continuation: Vec<[Score; Played::COUNT]>,
}

impl QuietHistory {
    pub fn new() -> Result<Self, MemoryError> {
        Ok(Self {
            butterfly: zeroed(8)?,
            pawn: zeroed(PAWN_SLOTS)?,
            continuation: zeroed(Played::COUNT + 1)?,
        })
    }

    pub fn clear(&mut self) {
        self.butterfly.as_flattened_mut().fill(Score::default());
        self.pawn.as_flattened_mut().fill(Score::default());
        self.continuation.as_flattened_mut().fill(Score::default());
    }

    /// What is known of a quiet move, all views together.
    #[inline]
    pub fn score(&self, state: &State, context: &Context, m: Move) -> i32 {
        let played = Played::of(state, m).index();
        let [one, two, four] = context.before.map(|played| &self.continuation[played.index()]);
        let butterfly =
            self.butterfly[view(state.side_to_move(), context.threats.all, m)][m.from_to()].get();
        let pawn = self.pawn[pawn_slot(state)][played].get();
        (butterfly * order_butterfly()
            + pawn * order_pawn()
            + one[played].get() * order_continuation_1()
            + two[played].get() * order_continuation_2()
            + four[played].get() * order_continuation_4())
            / 100
    }

    /// What the move is worth as an answer to the last moves alone.
    #[inline]
    pub fn continuation(&self, state: &State, context: &Context, m: Move) -> i32 {
        let played = Played::of(state, m).index();
        let [one, two, _] = context.before;
        self.continuation[one.index()][played].get() + self.continuation[two.index()][played].get()
    }

    /// Moves every view of a quiet move by `bonus`.
    pub fn update(&mut self, state: &State, context: &Context, m: Move, bonus: i32) {
        let played = Played::of(state, m);
        self.update_butterfly(state.side_to_move(), context.threats.all, m, bonus);
        self.pawn[pawn_slot(state)][played.index()].update(bonus);
        self.update_continuation(context.before, played, bonus);
    }

    /// Moves what is known of a move of `us` by its squares, of which the enemy
    /// attacks some.
    pub fn update_butterfly(&mut self, us: Color, attacked: Bitboard, m: Move, bonus: i32) {
        self.butterfly[view(us, attacked, m)][m.from_to()].update(bonus);
    }

    /// Moves what is known of a move as an answer to those before it.
    pub fn update_continuation(&mut self, before: [Played; 3], played: Played, bonus: i32) {
        for earlier in before {
            if earlier != Played::NOTHING {
                self.continuation[earlier.index()][played.index()].update(bonus);
            }
        }
    }
}

/// The part of the butterfly table that a move belongs to.
#[inline]
fn view(us: Color, attacked: Bitboard, m: Move) -> usize {
    let from = usize::from(attacked.contains(m.from()));
    let to = usize::from(attacked.contains(m.to()));
    4 * us.index() + 2 * from + to
}

#[inline]
fn pawn_slot(state: &State) -> usize {
    state.pawn_key() as usize % PAWN_SLOTS
}
