//! Best-first minimax (Korf and Chickering, "Best-first minimax search", Artificial
//! Intelligence 84, 1996). The value of the root is the value of the leaf at the end of the
//! best line, so that leaf is expanded next. A line that looks better than it is gets deeper
//! until it no longer does, and then another line is the best one. It needs no more than a
//! static value, and the whole tree in memory.
//!
//! A best line that ends at a closed leaf cannot grow: then the best open move is followed.

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::grow::{GrownTree, answer, expand, grow};
use crate::lab::kept_tree::{KeptIndex, ROOT, descend};
use crate::lab::{Answer, Law, LawSample, Search, Searched, ensure};

#[derive(Clone, Copy, Debug)]
pub struct BestFirst;

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "best-first",
    summary: "best-first minimax: expands the leaf at the end of the best line",
    settings: &[],
    new: |_| Box::new(BestFirst),
    laws: &LAWS,
};

impl Algorithm for BestFirst {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let tree = grow(s, |s, tree: &mut GrownTree<()>| {
            let leaf = descend(ROOT, |node| best_open_child(tree, node));
            expand(s, tree, leaf, |_, _| ()).map(|_| ())
        })?;
        Ok(answer(&tree))
    }
}

/// The best child with an open leaf at or below it.
fn best_open_child(tree: &GrownTree<()>, node: KeptIndex) -> Option<KeptIndex> {
    let open = tree.children(node).filter(|&child| tree.get(child).is_open);
    open.min_by_key(|&child| tree.get(child).value)
}

const LAWS: [Law; 1] = [Law {
    name: "best-first-is-minimax",
    text: "best-first minimax without a limit visits each node of the tree once, and has the \
           value of minimax",
    applies: |_| true,
    check: |sample| exhausted_is_minimax(sample, "best-first"),
}];

/// Checks that an algorithm that grows a tree without a limit ends with minimax.
pub fn exhausted_is_minimax(sample: &LawSample, row: &str) -> Result<(), String> {
    let minimax = sample.minimax()?;
    let nodes = sample.expect_line(row, minimax.value)?.counts.nodes;
    let all = minimax.counts.nodes;
    ensure(nodes == all, || format!("{row}: {nodes} nodes, minimax {all}"))
}

#[cfg(test)]
mod tests {
    use crate::lab::test_run::found;

    /// The second move looks best at first; its only reply is good for the other side.
    #[test]
    fn the_best_line_is_expanded() {
        let run = |nodes| found("best-first", "explicit:[4[3 5] 9[2 8] 1[7 7]]", 2, nodes);
        // The root and its moves; then the replies to the second move; then to the first.
        assert_eq!(run(4), (9, vec![1], 4));
        assert_eq!(run(6), (4, vec![0], 6));
        assert_eq!(run(8), (3, vec![0, 0], 8));
        assert_eq!(run(10), (7, vec![2, 0], 10));
    }
}
