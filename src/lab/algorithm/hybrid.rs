//! A depth for all lines, and a probability for those with few moves: where the depth ends, a
//! node with at most `few` moves is searched on, as in
//! [probability-limited search](crate::lab::algorithm::probability), until it has more moves
//! or its line is improbable. Checks and other forced lines become deeper; the rest is
//! alpha-beta to a depth.

use crate::lab::algorithm::probability::{Frontier, MAX_PLIES, searches_whole_tree};
use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::{Answer, Law, Search, Searched, SettingInfo};

#[derive(Clone, Copy, Debug)]
pub struct Hybrid {
    few: usize,
    /// One over the probability at which lines end.
    limit: f64,
    max_plies: u32,
}

const FEW: SettingInfo =
    SettingInfo::number("few", [0, 1000], 5, "nodes with at most N moves are searched on");
const EXPONENT: SettingInfo =
    SettingInfo::number("exponent", [1, 30], 8, "end these at a probability of 10^-N");

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "hybrid",
    summary: "alpha-beta to a depth, and on to a probability where there are few moves",
    settings: &[FEW, EXPONENT, MAX_PLIES],
    new: |given| {
        Box::new(Hybrid {
            few: given.number(&FEW) as usize,
            limit: 10_f64.powi(given.number(&EXPONENT) as i32),
            max_plies: given.number(&MAX_PLIES) as u32,
        })
    },
    laws: &LAWS,
};

impl Algorithm for Hybrid {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let &Self { few, limit, max_plies } = self;
        Frontier { limit, max_plies, depth: s.depth, few: Some(few) }.search(s)
    }
}

const LAWS: [Law; 2] = [
    Law {
        name: "hybrid-is-minimax",
        text: "hybrid search has the value of minimax over the lines up to its limits, and \
               visits no other leaves",
        applies: |sample| sample.depth <= 4,
        check: |sample| {
            let depth = sample.depth.saturating_sub(2);
            let few = if sample.is_chess() { 5 } else { 3 };
            let row = format!("hybrid:few={few}:exponent=3:plies=12");
            searches_whole_tree(&sample.at_depth(depth), &row, &|end, moves| {
                let is_improbable = end.lines >= 1e3 || end.plies >= 12;
                end.plies >= depth && (is_improbable || moves > few)
            })
        },
    },
    Law {
        name: "no-few-moves-is-a-depth",
        text: "if no number of moves is few, hybrid search visits the leaves of alpha-beta",
        applies: |_| true,
        check: |sample| sample.expect_same_leaves("hybrid:few=0", &sample.run("ab")?),
    },
];
