//! Principal variation search (Marsland and Campbell, "Parallel search of strongly ordered
//! game trees", 1982): as NegaScout, but a better move is searched again with the window
//! that it had to beat.

use crate::lab::algorithm::{Algorithm, AlgorithmInfo, Drivers, negascout};
use crate::lab::answer::Answer;
use crate::lab::game::{GameTree, INFINITE};
use crate::lab::law::Law;
use crate::lab::limit::StopReason;
use crate::lab::node::{enter_node, search_move};
use crate::lab::node_search::NodeSearch;
use crate::lab::search::Search;
use crate::lab::settings::GivenSettings;

#[derive(Clone, Copy, Debug)]
pub struct Pvs;

impl Algorithm for Pvs {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "pvs",
        summary: "null windows after the first move; a better move again, with the window",
        settings: &[],
        drivers: Drivers::Window,
    };

    fn new(_: &GivenSettings) -> Self {
        Self
    }

    fn search<G: GameTree>(&self, s: &mut Search<'_, G>) -> Result<Answer<G::Move>, StopReason> {
        let (alpha, beta) = s.window;
        let value = self.node(s, s.depth, alpha, beta)?;
        Ok(s.complete(value))
    }
}

impl NodeSearch for Pvs {
    fn node<G: GameTree>(
        &self,
        s: &mut Search<'_, G>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, StopReason> {
        if let Some(value) = enter_node(self, s, depth, alpha, beta)? {
            return Ok(value);
        }
        let mut best = -INFINITE;
        let moves = s.moves();
        for (index, &m) in moves.iter().enumerate() {
            let low = alpha.max(best);
            let high = if index == 0 { beta } else { low + 1 };
            let mut value = search_move(self, s, m, depth, low, high)?;
            if index > 0 && low < value && value < beta {
                value = search_move(self, s, m, depth, low, beta)?;
            }
            if value > best {
                best = value;
                if value > alpha {
                    s.improve(m);
                }
            }
            if best >= beta {
                s.cutoff(index, m, depth);
                break;
            }
        }
        s.recycle(moves);
        s.store(depth, alpha, beta, best);
        Ok(best)
    }
}

pub const LAWS: [Law; 1] = [Law {
    name: "pvs-is-alpha-beta",
    text: "principal variation search has the value of minimax, proves the bounds that \
           alpha-beta proves, and visits no other leaves",
    applies: |_| true,
    check: |sample| negascout::is_alpha_beta(sample, "pvs"),
}];
