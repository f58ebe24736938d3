//! The true values of moves, from a full search with static leaves that is not counted. They
//! show what the best and the worst order of moves would be worth.

use std::collections::HashMap;

use crate::lab::game::{GameMove, GameTree, INFINITE, at_ply};
use crate::lab::{LimitCheck, Searched, StopReason};

/// How many positions are searched between two looks at the clock.
const INTERVAL: u64 = 1024;

/// The values of all positions that were asked for, and of those below them.
#[derive(Debug, Default)]
pub struct Oracle {
    /// By key and depth, for the side to move; wins are counted from the position.
    values: HashMap<(u64, u32), i32>,
    searched: u64,
    /// Why values are no longer true.
    pub fault: Option<StopReason>,
}

impl Oracle {
    /// A hash map has about twice the places that it uses.
    const ENTRY_BYTES: usize = 2 * size_of::<((u64, u32), i32)>();

    /// The value of a move, for the side that makes it, if `depth` plies are left before it.
    /// After a fault any value.
    pub fn move_value(
        &mut self,
        game: &mut dyn GameTree,
        m: GameMove,
        depth: u32,
        limit: &mut LimitCheck<'_>,
    ) -> i32 {
        game.play(m);
        let value = -at_ply(self.value(game, depth.saturating_sub(1), limit), 1);
        game.undo();
        value
    }

    fn value(&mut self, game: &mut dyn GameTree, depth: u32, limit: &mut LimitCheck<'_>) -> i32 {
        if let Some(end) = game.end() {
            return end;
        }
        if depth == 0 {
            return game.value();
        }
        let key = (game.key(), depth);
        if let Some(&value) = self.values.get(&key) {
            return value;
        }
        if let Err(reason) = self.count(limit) {
            self.fault = Some(reason);
            return 0;
        }
        let values = game.moves().into_iter().map(|m| self.move_value(game, m, depth, limit));
        let best = values.max().unwrap_or(-INFINITE);
        self.values.insert(key, best);
        best
    }

    /// Counts a position that is searched and kept.
    fn count(&mut self, limit: &mut LimitCheck<'_>) -> Searched<()> {
        self.fault.map_or(Ok(()), Err)?;
        if self.searched.is_multiple_of(INTERVAL) {
            limit.check_time()?;
        }
        self.searched += 1;
        limit.allocate(Self::ENTRY_BYTES)
    }
}
