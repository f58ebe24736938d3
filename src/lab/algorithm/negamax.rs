//! Negamax: minimax with one case, since a position is worth as much to one side as it costs
//! the other (Knuth and Moore, "An analysis of alpha-beta pruning", 1975).

use crate::lab::algorithm::AlgorithmInfo;
use crate::lab::game::INFINITE;
use crate::lab::search::leaf::leaf;
use crate::lab::search::node::{NodeSearch, search_move};
use crate::lab::{Law, Search, Searched};

#[derive(Clone, Copy, Debug)]
pub struct Negamax;

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "negamax",
    summary: "minimax with one case for both sides",
    settings: &[],
    new: |_| Box::new(Negamax),
    laws: &LAWS,
};

impl NodeSearch for Negamax {
    /// The window stays open.
    fn node(&self, s: &mut Search<'_>, depth: u32, alpha: i32, beta: i32) -> Searched<i32> {
        s.enter()?;
        if let Some(value) = leaf(s, depth, alpha, beta)? {
            return Ok(value);
        }
        if let Some(value) = s.probe(depth, alpha, beta) {
            return Ok(value);
        }
        let mut best = -INFINITE;
        for m in s.moves() {
            let value = search_move(self, s, m, depth, alpha, beta)?;
            if value > best {
                best = value;
                s.improve(m);
            }
        }
        s.store(depth, alpha, beta, best);
        Ok(best)
    }
}

const LAWS: [Law; 1] = [Law {
    name: "negamax-is-minimax",
    text: "negamax has the value of minimax and visits the same leaves in the same order",
    applies: |_| true,
    check: |sample| sample.expect_same_leaves("negamax", &sample.minimax()?),
}];
