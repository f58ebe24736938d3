//! Scout (Pearl, "SCOUT: a simple game-searching algorithm with proven optimal properties",
//! 1980): a move after the first is only tested, whether it is better; one that is better is
//! searched again, without a window. NegaScout (Reinefeld, "An improvement to the scout
//! tree-search algorithm", 1983) searches it again within a window, from the value that the test
//! found. Principal variation search (Marsland and Campbell, "Parallel search of strongly ordered
//! game trees", 1982) searches it again, as programs do since then, with the window that it had to
//! beat. The form that Marsland printed later ("A review of game-tree pruning", 1986) is
//! NegaScout.

use crate::lab::algorithm::AlgorithmInfo;
use crate::lab::algorithm::alpha_beta::{is_alpha_beta, proves_bounds};
use crate::lab::game::INFINITE;
use crate::lab::search::node::{NodeSearch, enter_node, search_move};
use crate::lab::{Law, Search, Searched, ensure};

pub const SCOUT: AlgorithmInfo = AlgorithmInfo {
    name: "scout",
    summary: "null windows after the first move; a better move again, without a window",
    settings: &[],
    new: |_| Box::new(NullWindows { again: Again::WithoutWindow }),
    laws: &SCOUT_LAWS,
};

pub const NEGASCOUT: AlgorithmInfo = AlgorithmInfo {
    name: "negascout",
    summary: "null windows after the first move; a better move again, from its bound",
    settings: &[],
    new: |_| Box::new(NullWindows { again: Again::FromBound }),
    laws: &LAWS,
};

pub const PVS: AlgorithmInfo = AlgorithmInfo {
    name: "pvs",
    summary: "null windows after the first move; a better move again, with the window",
    settings: &[],
    new: |_| Box::new(NullWindows { again: Again::WholeWindow }),
    laws: &[],
};

/// Scout, NegaScout or principal variation search.
#[derive(Clone, Copy, Debug)]
struct NullWindows {
    again: Again,
}

/// How a move that is better than the ones before it is searched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    /// From the bound that its null window has found, unless that is the exact value.
    FromBound,
    /// With the window that it had to beat.
    WholeWindow,
    /// With the window of the node, which is no null window: such a move fails high there.
    WithoutWindow,
}

impl NodeSearch for NullWindows {
    /// The first move has the whole window, the others have null windows.
    fn node(&self, s: &mut Search<'_>, depth: u32, alpha: i32, beta: i32) -> Searched<i32> {
        if let Some(value) = enter_node(self, s, depth, alpha, beta)? {
            return Ok(value);
        }
        // With two plies left a child that fails low has searched all its leaves: its value is
        // exact, and the line ends at the child.
        let is_exact = self.again == Again::FromBound && depth <= 2 && s.leaves_are_exact();
        let mut best = -INFINITE;
        for (index, m) in s.moves().into_iter().enumerate() {
            let low = alpha.max(best);
            let high = if index == 0 { beta } else { low + 1 };
            let mut value = search_move(self, s, m, depth, low, high)?;
            if index > 0 && low < value && value < beta && !is_exact {
                let low = match self.again {
                    Again::FromBound => value,
                    Again::WholeWindow => low,
                    Again::WithoutWindow => alpha,
                };
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
        s.store(depth, alpha, beta, best);
        Ok(best)
    }
}

const LAWS: [Law; 1] = [Law {
    name: "scouts-are-alpha-beta",
    text: "NegaScout and principal variation search have the value of minimax, prove the bounds \
           that alpha-beta proves, and visit no other leaves",
    applies: |_| true,
    check: |sample| {
        ["negascout", "pvs"].into_iter().try_for_each(|row| is_alpha_beta(sample, row).map(drop))
    },
}];

const SCOUT_LAWS: [Law; 1] = [Law {
    name: "scout",
    text: "Scout has the value of minimax, proves the bounds that alpha-beta proves, and visits \
           in an ordered tree as many leaves",
    applies: |_| true,
    check: |sample| {
        proves_bounds(sample, "scout")?;
        let [scout, ab] = [sample.run("scout")?, sample.run("ab")?].map(|run| run.counts.leaves);
        let is_ordered = sample.known_value().is_some();
        ensure(!is_ordered || scout == ab, || format!("{scout} leaves, alpha-beta {ab}"))
    },
}];
