//! PN², proof-number search of two levels (Allis, "Searching for solutions in games and
//! artificial intelligence", 1994; Breuker, Uiterwijk and van den Herik, "The PN²-search
//! algorithm", 2001). A search of the second level develops each leaf of the tree. When it
//! ends, it leaves the children of the leaf with their numbers, and the rest of its tree is
//! forgotten. So two trees of a million nodes do the work of one of many millions, and pay
//! with nodes that are visited again.
//!
//! The tree of the second level grows to the size of the first one, as Allis proposed. When
//! memory runs out earlier, it ends there.
//!
//! What is forgotten of the line of a proof is searched once more at the end; these nodes are
//! not counted.

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::GameMove;
use crate::lab::kept_tree::ROOT;
use crate::lab::proof::{
    AT_LEAST, GOAL, MOBILITY, ProofNode, ProofRules, ProofTree, answer, complete_line, grow_proof,
};
use crate::lab::{Answer, Law, Proof, Search, Searched, SettingInfo, StopReason, ensure};

const SECOND: SettingInfo = SettingInfo::number(
    "second",
    [1, 10_000],
    100,
    "the size of the second tree in percent of the first one",
);

#[derive(Clone, Copy, Debug)]
pub struct Pn2 {
    rules: ProofRules,
    /// In percent of the first tree.
    second: usize,
}

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "pn2",
    summary: "PN²: proof-number search that develops each leaf by another such search",
    settings: &[GOAL, AT_LEAST, MOBILITY, SECOND],
    new: |given| {
        Box::new(Pn2 { rules: ProofRules::new(given), second: given.number(&SECOND) as usize })
    },
    laws: &LAWS,
};

impl Algorithm for Pn2 {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        s.keep(1, ProofTree::NODE_BYTES)?;
        let mut tree = ProofTree::new(self.rules.visit(s)?);
        let grown = grow_proof(s, &mut tree, usize::MAX, |s, tree, path| {
            self.second_level(s, tree.len(), path)
        });
        if !tree.is_expanded(ROOT) {
            grown?;
        }
        let mut answer = answer(s, &tree);
        if answer.proof != Proof::Open {
            answer.line = s.uncounted(|s| complete_line(s, self.rules, answer.line));
        }
        Ok(answer)
    }
}

impl Pn2 {
    /// The children of a leaf of the first tree, which has `size` nodes, after a search of
    /// the second level.
    fn second_level(
        &self,
        s: &mut Search<'_>,
        size: usize,
        leaf: &[GameMove],
    ) -> Searched<Vec<(GameMove, ProofNode)>> {
        // Any limit above 1 lets the root have its children.
        let max_nodes = (size.saturating_mul(self.second) / 100).max(2);
        let mut tree = ProofTree::new(ProofNode::UNKNOWN);
        let grown = grow_proof(s, &mut tree, max_nodes, |s, _, path| {
            self.rules.children(s, &[leaf, path].concat())
        });
        let children = tree.children(ROOT);
        s.drop_kept(tree.len() - 1 - children.len(), ProofTree::NODE_BYTES);
        if grown != Err(StopReason::Memory) || !tree.is_expanded(ROOT) {
            grown?;
        }
        Ok(children.filter_map(|child| Some((tree.last_move(child)?, *tree.get(child)))).collect())
    }
}

const LAWS: [Law; 1] = [Law {
    name: "pn2-of-single-steps-is-pn",
    text: "PN² whose second trees have one step each visits the leaves of proof-number search \
           in the same order, and as many nodes",
    // Below 300 nodes a second tree of 1 % ends with the children of its root.
    applies: |sample| sample.size() < 300,
    check: |sample| {
        let truth = sample.minimax()?.value;
        [truth, truth + 1].into_iter().try_for_each(|goal| {
            let row = format!("pn2:second=1:at-least={goal}");
            let [pn, pn2] = [sample.run(&format!("pn:at-least={goal}"))?, sample.run(&row)?];
            let nodes = [&pn, &pn2].map(|run| run.counts.nodes);
            ensure(nodes[0] == nodes[1], || format!("{row}: nodes of PN and PN² {nodes:?}"))?;
            sample.expect_same_leaves(&row, &pn)
        })
    },
}];

#[cfg(test)]
mod tests {
    use crate::lab::Proof;
    use crate::lab::test_run::solve;

    /// PN² keeps fewer nodes than PN and visits more.
    #[test]
    fn memory_for_nodes() {
        let run = |row: &str| {
            let (answer, counts) = solve(&format!("{row}:goal=not-lose"), "connect4:4x4", 16);
            assert_eq!((answer.proof, answer.value), (Proof::Proved, 0));
            assert_eq!(answer.line.len(), 16);
            counts
        };
        let (pn, pn2) = (run("pn"), run("pn2"));
        assert!(pn2.peak < pn.peak / 2, "{} of {}", pn2.peak, pn.peak);
        assert!(pn2.nodes > pn.nodes, "{} and {}", pn2.nodes, pn.nodes);
    }
}
