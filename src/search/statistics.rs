//! What happens at the nodes of a search, by remaining depth and number of pieces.
//!
//! Only a build with the cargo feature `statistics` counts, and `lovec bench` shows the
//! counts. In an ordinary build [`SearchStatistics`] is empty and counting compiles to nothing.

use bytemuck::Zeroable;
use serde::Serialize;

use crate::search::tt::entry::Bound;

/// Whether this build counts.
pub const COUNTS: bool = cfg!(feature = "statistics");

/// The depths with counts of their own; deeper nodes count as nodes of the last one.
pub const DEPTHS: usize = 32;

/// A class of positions, by the number of pieces, kings and pawns included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceClass {
    pub name: &'static str,
    /// The fewest pieces of the class.
    least: u32,
}

/// The classes, from the most pieces to the fewest.
pub const CLASSES: [PieceClass; 3] = [
    PieceClass { name: "more than 20 pieces", least: 21 },
    PieceClass { name: "12 to 20 pieces", least: 12 },
    PieceClass { name: "fewer than 12 pieces", least: 0 },
];

/// How a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeEnd {
    /// By an entry of the transposition table.
    TableCutoff,
    ReverseFutility,
    Razoring,
    NullMove,
    ProbCut,
    /// By a singular search in which several moves fail high.
    MultiCut,
    /// By the first or a later move, which failed high.
    FailHigh {
        first: bool,
    },
    /// After this many moves, none of which raised alpha.
    FailLow {
        moves: usize,
    },
    Exact,
}

impl NodeEnd {
    /// The end of a node whose moves were searched: `last` is the number of the last move,
    /// and `refuted` moves did not fail high.
    #[inline]
    pub fn after_moves(bound: Bound, last: usize, refuted: usize) -> Self {
        match bound {
            Bound::Lower => Self::FailHigh { first: last == 1 },
            Bound::Upper => Self::FailLow { moves: refuted },
            Bound::Exact => Self::Exact,
        }
    }
}

/// The counts of the nodes of one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Zeroable)]
pub struct NodeCounts {
    pub table_cutoffs: u64,
    pub reverse_futility: u64,
    pub razoring: u64,
    pub null_moves: u64,
    pub probcuts: u64,
    pub multi_cuts: u64,
    pub fail_highs: u64,
    /// Nodes whose first move failed high.
    pub first_moves: u64,
    pub fail_lows: u64,
    /// The moves that were searched in nodes that failed low.
    pub moves: u64,
    pub exact: u64,
    /// First searches of late moves, which are reduced by some plies or none.
    pub late_moves: u64,
    /// The sum of their reductions in plies.
    pub plies: u64,
    /// The ones that raised alpha.
    pub raised: u64,
    pub singular_searches: u64,
    /// Singular searches that extended a move.
    pub extended: u64,
}

impl NodeCounts {
    /// The nodes.
    pub fn nodes(&self) -> u64 {
        self.table_cutoffs
            + self.reverse_futility
            + self.razoring
            + self.null_moves
            + self.probcuts
            + self.multi_cuts
            + self.fail_highs
            + self.fail_lows
            + self.exact
    }

    /// Counts a node.
    pub fn add_node(&mut self, end: NodeEnd) {
        let count = match end {
            NodeEnd::TableCutoff => &mut self.table_cutoffs,
            NodeEnd::ReverseFutility => &mut self.reverse_futility,
            NodeEnd::Razoring => &mut self.razoring,
            NodeEnd::NullMove => &mut self.null_moves,
            NodeEnd::ProbCut => &mut self.probcuts,
            NodeEnd::MultiCut => &mut self.multi_cuts,
            NodeEnd::FailHigh { first } => {
                self.first_moves += u64::from(first);
                &mut self.fail_highs
            }
            NodeEnd::FailLow { moves } => {
                self.moves += moves as u64;
                &mut self.fail_lows
            }
            NodeEnd::Exact => &mut self.exact,
        };
        *count += 1;
    }

    /// Counts the first search of a late move, reduced by `plies`. It is counted after the move
    /// was made, so that a capture counts with one piece less.
    pub fn add_late_move(&mut self, plies: i32, raised: bool) {
        self.late_moves += 1;
        self.plies += plies.max(0) as u64;
        self.raised += u64::from(raised);
    }

    /// Counts a singular search.
    pub fn add_singular(&mut self, extended: bool) {
        self.singular_searches += 1;
        self.extended += u64::from(extended);
    }
}

/// The counts by class and depth.
#[derive(Clone, Debug, Default, Zeroable)]
pub struct SearchStatistics {
    counts: [[NodeCounts; DEPTHS]; if COUNTS { CLASSES.len() } else { 0 }],
}

impl SearchStatistics {
    /// The counts of nodes with a remaining depth and a number of pieces. Only in a build
    /// that counts.
    #[inline]
    pub fn at(&mut self, depth: i32, pieces: u32) -> &mut NodeCounts {
        let class = CLASSES.iter().position(|class| pieces >= class.least).unwrap_or(0);
        &mut self.counts[class][depth.clamp(0, DEPTHS as i32 - 1) as usize]
    }

    /// Each class with the depths and counts of its nodes, in order.
    pub fn rows(&self) -> impl Iterator<Item = (PieceClass, usize, &NodeCounts)> {
        let classes = CLASSES.into_iter().zip(&self.counts);
        classes.flat_map(|(class, counts)| {
            let depths = counts.iter().enumerate();
            let used = depths.filter(|(_, counts)| **counts != NodeCounts::default());
            used.map(move |(depth, counts)| (class, depth, counts))
        })
    }
}

#[cfg(test)]
#[cfg(feature = "statistics")]
mod tests {
    use super::{CLASSES, DEPTHS, NodeEnd, SearchStatistics};

    #[test]
    fn every_end_counts_as_one_node() {
        let mut statistics = SearchStatistics::default();
        let ends = [
            NodeEnd::TableCutoff,
            NodeEnd::ReverseFutility,
            NodeEnd::Razoring,
            NodeEnd::NullMove,
            NodeEnd::ProbCut,
            NodeEnd::MultiCut,
            NodeEnd::FailHigh { first: true },
            NodeEnd::FailHigh { first: false },
            NodeEnd::FailLow { moves: 7 },
            NodeEnd::Exact,
        ];
        for (index, &end) in ends.iter().enumerate() {
            statistics.at(5, 20).add_node(end);
            assert_eq!(statistics.at(5, 20).nodes(), index as u64 + 1);
        }
        let counts = *statistics.at(5, 20);
        assert_eq!((counts.fail_highs, counts.first_moves, counts.moves), (2, 1, 7));
    }

    #[test]
    fn nodes_are_counted_by_pieces_and_depth() {
        let mut statistics = SearchStatistics::default();
        for (depth, pieces) in [(1, 32), (1, 21), (1, 20), (2, 12), (3, 11), (3, 2), (99, 2)] {
            statistics.at(depth, pieces).add_node(NodeEnd::Exact);
        }
        let rows: Vec<_> = statistics
            .rows()
            .map(|(class, depth, counts)| (class, depth, counts.nodes()))
            .collect();
        let [many, some, few] = CLASSES;
        assert_eq!(
            rows,
            [(many, 1, 2), (some, 1, 1), (some, 2, 1), (few, 3, 2), (few, DEPTHS - 1, 1)]
        );
    }
}
