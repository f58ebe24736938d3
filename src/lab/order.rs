//! The order of the moves at a node.

use std::cmp::Reverse;
use std::marker::PhantomData;

use crate::lab::game::{GameTree, at_ply};
use crate::lab::settings::{GivenSettings, SettingInfo};

/// The setting of the rows.
pub const ORDER: SettingInfo = SettingInfo::words(
    "order",
    &["tt", "mvv", "killers", "history", "value"],
    "move first: tt, the move of the table; mvv, captures by victim and attacker; killers, \
     moves that cut elsewhere at this ply; history, moves that cut often; value, by the \
     static value of the child",
);

/// Which moves come first. Without any, moves are in the order of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct OrderFlags {
    tt: bool,
    mvv: bool,
    killers: bool,
    history: bool,
    value: bool,
}

impl OrderFlags {
    pub fn new(given: &GivenSettings) -> Self {
        let has = |word| given.has_word(&ORDER, word);
        Self {
            tt: has("tt"),
            mvv: has("mvv"),
            killers: has("killers"),
            history: has("history"),
            value: has("value"),
        }
    }
}

/// The classes of moves, best first; within a class moves are in order of a number.
const TT: i64 = 1 << 60;
const NOISY: i64 = 1 << 50;
const KILLER: i64 = 1 << 40;
/// History counts stay below the class of killers.
const MAX_HISTORY: i64 = 1 << 39;

/// Sorts moves, and learns from cutoffs.
#[derive(Debug)]
pub struct MoveOrder<G: GameTree> {
    flags: OrderFlags,
    /// The last two moves that caused a cutoff, by ply.
    killers: Vec<[Option<G::Move>; 2]>,
    /// By side and number of the move: the squares of the depths at which it caused
    /// cutoffs, added up (Schaeffer, "The history heuristic", 1983).
    history: [Vec<i64>; 2],
    scored: Vec<(i64, G::Move)>,
    game: PhantomData<G>,
}

impl<G: GameTree> MoveOrder<G> {
    pub fn new(flags: OrderFlags) -> Self {
        let counts = if flags.history { vec![0; G::MOVE_NUMBERS] } else { Vec::new() };
        let history = [counts.clone(), counts];
        Self { flags, killers: Vec::new(), history, scored: Vec::new(), game: PhantomData }
    }

    /// Sorts the moves of a node; moves of equal rank keep their order.
    #[inline]
    pub fn sort(
        &mut self,
        game: &mut G,
        moves: &mut [G::Move],
        tt_move: Option<G::Move>,
        ply: usize,
    ) {
        if self.flags == OrderFlags::default() {
            return;
        }
        let side = usize::from(game.max_to_move());
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        self.scored.clear();
        for &m in &*moves {
            let rank = if self.flags.tt && tt_move == Some(m) {
                TT
            } else if self.flags.mvv && game.is_noisy(m) {
                NOISY + i64::from(game.guess(m))
            } else if killers[0] == Some(m) {
                KILLER + 1
            } else if killers[1] == Some(m) {
                KILLER
            } else {
                let history = if self.flags.history { self.history[side][G::number(m)] } else { 0 };
                history + if self.flags.value { child_value(game, m) } else { 0 }
            };
            self.scored.push((rank, m));
        }
        self.scored.sort_by_key(|&(rank, _)| Reverse(rank));
        for (place, &(_, m)) in moves.iter_mut().zip(&self.scored) {
            *place = m;
        }
    }

    /// Learns that a move caused a cutoff.
    #[inline]
    pub fn cutoff(&mut self, game: &G, m: G::Move, ply: usize, depth: u32) {
        if self.flags.mvv && game.is_noisy(m) {
            return;
        }
        if self.flags.killers {
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [None; 2]);
            }
            let killers = &mut self.killers[ply];
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
        }
        if self.flags.history {
            let count = &mut self.history[usize::from(game.max_to_move())][G::number(m)];
            *count = (*count + i64::from(depth * depth)).min(MAX_HISTORY);
        }
    }
}

/// Sorts moves by the static values of the children, the best first.
pub fn sort_by_child_value<G: GameTree>(game: &mut G, moves: &mut [G::Move]) {
    moves.sort_by_cached_key(|&m| Reverse(child_value(game, m)));
}

/// The static value of a child, for the side that makes the move.
pub fn child_value<G: GameTree>(game: &mut G, m: G::Move) -> i64 {
    game.play(m);
    let value = game.end().map_or_else(|| game.value(), |end| at_ply(end, 1));
    game.undo();
    -i64::from(value)
}
