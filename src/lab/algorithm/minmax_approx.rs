//! Min/max approximation (Rivest, "Game tree searching by min/max approximation",
//! Artificial Intelligence 34, 1987).
//!
//! The leaf to expand is the one on which the value of the root depends most. A maximum has
//! no useful derivative, but the generalised mean `M_p = (mean of aᵖ)^(1/p)` has, and it
//! approaches the maximum for large p and the minimum for large negative p. Values are
//! MAX's chances, and an edge has the penalty `-ln ∂M/∂a`, which is least for the best
//! children. The sum of the penalties on the way to a leaf is `-ln` of the derivative of the
//! root by the leaf; the leaf with the least sum is expanded next.

use crate::lab::algorithm::best_first::exhausted_is_minimax;
use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::chance::{SCALE, chance};
use crate::lab::grow::{GrownTree, answer, expand, grow, grow_sample};
use crate::lab::kept_tree::{KeptIndex, ROOT, descend};
use crate::lab::{Answer, Law, LawSample, Limit, Search, Searched, SettingInfo, ensure};

/// Chances stay above this: a mean with a negative exponent needs positive numbers.
const LEAST_CHANCE: f64 = 1e-6;

#[derive(Clone, Copy, Debug)]
pub struct MinMaxApproximation {
    /// The exponent of MAX's means; MIN has its negative.
    exponent: f64,
    scale: f64,
}

const EXPONENT: SettingInfo = SettingInfo::number(
    "p",
    [1, 40],
    10,
    "the exponent of the means; the greater, the closer they are to minimax",
);

/// What is kept of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Approximation {
    /// The mean of the children; 0 for a leaf.
    mean: f64,
    /// The least sum of penalties on the way from here to an open leaf; 0 for a leaf.
    penalty: f64,
}

type ApproximatedTree = GrownTree<Approximation>;

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "minmax-approx",
    summary: "min/max approximation: expands the leaf on which the root depends most",
    settings: &[EXPONENT, SCALE],
    new: |given| {
        Box::new(MinMaxApproximation {
            exponent: given.number(&EXPONENT) as f64,
            scale: given.number(&SCALE) as f64,
        })
    },
    laws: &LAWS,
};

impl Algorithm for MinMaxApproximation {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let tree = grow(s, |s, tree| self.step(s, tree))?;
        Ok(answer(&tree))
    }
}

impl MinMaxApproximation {
    /// Expands the leaf with the least sum of penalties.
    fn step(&self, s: &mut Search<'_>, tree: &mut ApproximatedTree) -> Searched<()> {
        let next = |node| self.best_child(tree, node).map(|(child, _)| child);
        let leaf = descend(ROOT, next);
        expand(s, tree, leaf, |tree, node| self.update(tree, node)).map(|_| ())
    }

    /// Computes the mean and the penalty of a node from its children.
    fn update(&self, tree: &mut ApproximatedTree, node: KeptIndex) {
        let exponent = self.exponent_of(tree, node);
        let children = tree.children(node);
        let chances: Vec<f64> = children.map(|child| self.chance(tree, child)).collect();
        tree.get_mut(node).data.mean = generalised_mean(&chances, exponent);
        let penalty = self.best_child(tree, node).map_or(0.0, |(_, penalty)| penalty);
        tree.get_mut(node).data.penalty = penalty;
    }

    /// The child on the way to the open leaf with the least sum of penalties, and that sum;
    /// the first of equals.
    fn best_child(&self, tree: &ApproximatedTree, node: KeptIndex) -> Option<(KeptIndex, f64)> {
        let open = tree.children(node).filter(|&child| tree.get(child).is_open);
        let sums = open.map(|child| {
            (child, self.edge_penalty(tree, node, child) + tree.get(child).data.penalty)
        });
        sums.reduce(|best, next| if next.1 < best.1 { next } else { best })
    }

    /// `-ln` of the derivative of a node's mean by the chance of a child.
    fn edge_penalty(&self, tree: &ApproximatedTree, node: KeptIndex, child: KeptIndex) -> f64 {
        let exponent = self.exponent_of(tree, node);
        let ratio = self.chance(tree, child).ln() - tree.get(node).data.mean.ln();
        (tree.children(node).len() as f64).ln() - (exponent - 1.0) * ratio
    }

    fn exponent_of(&self, tree: &ApproximatedTree, node: KeptIndex) -> f64 {
        if tree.get(node).max_to_move { self.exponent } else { -self.exponent }
    }

    /// MAX's chance: the mean of the children, or the chance with the static value.
    fn chance(&self, tree: &ApproximatedTree, node: KeptIndex) -> f64 {
        let here = tree.get(node);
        if tree.is_expanded(node) {
            return here.data.mean;
        }
        let value = if here.max_to_move { here.value } else { -here.value };
        chance(value, self.scale).max(LEAST_CHANCE)
    }
}

/// The generalised mean of positive numbers.
fn generalised_mean(numbers: &[f64], exponent: f64) -> f64 {
    let sum: f64 = numbers.iter().map(|number| number.powf(exponent)).sum();
    (sum / numbers.len() as f64).powf(1.0 / exponent)
}

const LAWS: [Law; 2] = [
    Law {
        name: "minmax-approx-is-minimax",
        text: "min/max approximation without a limit visits each node of the tree once, and \
               has the value of minimax",
        applies: |_| true,
        check: |sample| exhausted_is_minimax(sample, "minmax-approx"),
    },
    Law {
        name: "penalties-are-derivatives",
        text: "the sum of the penalties on the way to a leaf is -ln of the derivative of the \
               root's mean by the chance of the leaf",
        applies: |sample| sample.is_synthetic(),
        check: penalties_are_derivatives,
    },
];

/// Compares penalties with the change of the root when a leaf changes a little.
fn penalties_are_derivatives(sample: &LawSample) -> Result<(), String> {
    let algorithm = MinMaxApproximation { exponent: 4.0, scale: 200.0 };
    let limit = Limit { nodes: 40, ..Limit::NONE };
    let tree = grow_sample(sample, limit, |s| grow(s, |s, tree| algorithm.step(s, tree)))?;
    let leaves = (0..tree.len()).filter(|&node| !tree.is_expanded(node)).step_by(3);
    leaves.into_iter().try_for_each(|leaf| {
        let change = 1e-5;
        let [less, more] = [-change, change].map(|by| changed_mean(&algorithm, &tree, leaf, by));
        let derivative = (more - less) / (2.0 * change);
        let edges = tree.line_up(leaf).into_iter();
        let penalty: f64 = edges
            .filter_map(|node| Some(algorithm.edge_penalty(&tree, tree.parent(node)?, node)))
            .sum();
        let error = ((-penalty).exp() - derivative).abs();
        ensure(error < 1e-6 + 1e-3 * derivative, || {
            format!("leaf {leaf}: penalty {penalty}, derivative {derivative}")
        })
    })
}

/// The mean of the root if the chance of a leaf is another one.
fn changed_mean(
    algorithm: &MinMaxApproximation,
    tree: &ApproximatedTree,
    leaf: KeptIndex,
    by: f64,
) -> f64 {
    let (mut node, mut changed) = (leaf, algorithm.chance(tree, leaf) + by);
    while let Some(parent) = tree.parent(node) {
        let chances = tree
            .children(parent)
            .map(|child| if child == node { changed } else { algorithm.chance(tree, child) });
        let chances: Vec<f64> = chances.collect();
        changed = generalised_mean(&chances, algorithm.exponent_of(tree, parent));
        node = parent;
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::generalised_mean;
    use crate::lab::test_run::found;

    #[test]
    fn means_approach_the_extremes() {
        let numbers = [0.2, 0.5, 0.8];
        assert!((generalised_mean(&numbers, 1.0) - 0.5).abs() < 1e-12);
        assert!((generalised_mean(&numbers, -1.0) - 3.0 / 8.25).abs() < 1e-12);
        let [most, least] = [40.0, -40.0].map(|exponent| generalised_mean(&numbers, exponent));
        assert!((0.77..0.8).contains(&most) && (0.2..0.21).contains(&least));
    }

    /// A good move is expanded first, and a bad one before its rival becomes very deep.
    #[test]
    fn leaves_that_matter_come_first() {
        const TREE: &str = "explicit:[100[90[80 70] 95[85 75]] 0[10[20 30] 5[15 25]]]";
        let run = |nodes| found("minmax-approx", TREE, 3, nodes);
        assert_eq!(run(5), (90, vec![0, 0], 5));
        assert_eq!(run(7), (80, vec![0, 0, 0], 7));
        assert_eq!(run(u64::MAX), (80, vec![0, 0, 0], 15));
    }
}
