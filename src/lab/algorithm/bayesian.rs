//! Bayesian search (Baum and Smith, "A Bayesian approach to relevance in game playing",
//! Artificial Intelligence 97, 1997).
//!
//! The value of a leaf is not known but has a distribution: its mean is the static value with
//! the mean error of static values, its spread what they err by. Nodes get the distribution of
//! the best of their children, as if these were independent. With all that could be learned
//! about the leaves the expected value of the best move would be `E[max]`; now a move has to be
//! chosen by its mean, which is worth `max E`. The difference U is what information is worth,
//! and the leaf that changes U most, on average over its distribution, is the most relevant
//! one. The most relevant leaves are expanded together, then all is computed again.
//!
//! Values are the chances of the side to move at the ROOT, in [`CELLS`] cells. The error of
//! static values is learned during the search: the value of a leaf by its moves, less its
//! static value. The move with the best mean is played; of equal means, as of won moves, the
//! one with the best minimax value.

use crate::lab::algorithm::best_first::exhausted_is_minimax;
use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::chance::SCALE;
use crate::lab::game::DECISIVE;
use crate::lab::grow::{GrownTree, answer, best_line, expand, grow, grow_sample};
use crate::lab::kept_tree::{KeptIndex, ROOT};
use crate::lab::{Answer, Law, LawSample, Limit, Proof, Search, Searched, SettingInfo, ensure};

/// The cells of the values from 0 to 1.
pub const CELLS: usize = 64;

/// The nodes between two looks at the clock while curves are computed.
const CHECKED_NODES: usize = 4096;

/// Greater errors of a static value count as this, in points.
const GREATEST_ERROR: i32 = 1000;

/// The error that is assumed before any is known, and how many errors it counts as.
const FIRST_ERROR: (f64, f64) = (50.0, 4.0);

/// For each cell the chance that the value is in it or in one before it.
type Curve = [f32; CELLS];

#[derive(Clone, Copy, Debug)]
pub struct Bayesian {
    scale: f64,
    /// The share of the leaves that are expanded together.
    gulp: f64,
}

const GULP: SettingInfo = SettingInfo::number(
    "gulp",
    [0, 100],
    4,
    "expand N % of the leaves together, at least one, the most relevant first",
);

/// What is kept of a node.
#[derive(Clone, Copy, Debug)]
struct Distribution(Curve);

impl Default for Distribution {
    fn default() -> Self {
        Self([0.0; CELLS])
    }
}

type DistributionTree = GrownTree<Distribution>;

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "bayesian",
    summary: "expands the leaves whose values say most about the best move",
    settings: &[SCALE, GULP],
    new: |given| {
        Box::new(Bayesian {
            scale: given.number(&SCALE) as f64,
            gulp: given.number(&GULP) as f64 / 100.0,
        })
    },
    laws: &LAWS,
};

impl Algorithm for Bayesian {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let mut errors = Errors::default();
        let mut tree = grow(s, |s, tree| self.step(s, tree, &mut errors))?;
        if !tree.get(ROOT).is_open {
            return Ok(answer(&tree));
        }
        // Without the time for it, the moves keep the curves that they had before.
        let _ = self.value_curves(&mut tree, &errors, || s.limit.check_time());
        let best = most_promising(&tree);
        let here = tree.get(best);
        let value = match here.is_open {
            true => {
                let chance = mean(&here.data.0) - 0.5 / CELLS as f64;
                let value = logit(chance, self.scale).round() as i32;
                value.clamp(1 - DECISIVE, DECISIVE - 1)
            }
            false => -here.value,
        };
        Ok(Answer { value, line: best_line(&tree, best), proof: Proof::Estimate })
    }
}

/// The move of the root to play, the first of equals.
fn most_promising(tree: &DistributionTree) -> KeptIndex {
    let rank = |child: KeptIndex| (mean(&tree.get(child).data.0), -tree.get(child).value);
    let better = |a: KeptIndex, b: KeptIndex| if rank(b) > rank(a) { b } else { a };
    tree.children(ROOT).reduce(better).unwrap_or(ROOT)
}

/// The points of which a chance is the logistic function.
fn logit(chance: f64, scale: f64) -> f64 {
    scale * (chance / (1.0 - chance)).ln()
}

/// By how much static values err, for the side to move, in points.
#[derive(Clone, Copy, Debug)]
struct Errors {
    count: f64,
    sum: f64,
    /// The sum of their sizes.
    sizes: f64,
}

impl Default for Errors {
    fn default() -> Self {
        let (size, count) = FIRST_ERROR;
        Self { count, sum: 0.0, sizes: size * count }
    }
}

impl Errors {
    fn learn(&mut self, error: i32) {
        let error = f64::from(error.clamp(-GREATEST_ERROR, GREATEST_ERROR));
        self.count += 1.0;
        self.sum += error;
        self.sizes += error.abs();
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// The scale of the logistic distribution with the mean size of the errors.
    fn spread(&self) -> f64 {
        (self.sizes / self.count / (2.0 * std::f64::consts::LN_2)).max(1.0)
    }
}

impl Bayesian {
    /// Expands the most relevant leaves, and learns from their values.
    fn step(
        &self,
        s: &mut Search<'_>,
        tree: &mut DistributionTree,
        errors: &mut Errors,
    ) -> Searched<()> {
        let mut leaves = vec![(ROOT, 0.0)];
        if tree.is_expanded(ROOT) {
            self.value_curves(tree, errors, || s.limit.check_time())?;
            leaves = relevances(tree);
            s.limit.check_time()?;
            leaves.sort_by(|a, b| b.1.total_cmp(&a.1));
            let gulp = (leaves.len() as f64 * self.gulp) as usize;
            leaves.truncate(gulp.max(1));
        }
        for (leaf, _) in leaves {
            let value = tree.get(leaf).value;
            expand(s, tree, leaf, |_, _| ())?;
            errors.learn(tree.get(leaf).value - value);
        }
        Ok(())
    }

    /// Computes the curves of all nodes below the root. A parent has a smaller index than its
    /// children.
    ///
    /// # Errors
    ///
    /// If `check` has one; it is called now and then.
    fn value_curves(
        &self,
        tree: &mut DistributionTree,
        errors: &Errors,
        mut check: impl FnMut() -> Searched<()>,
    ) -> Searched<()> {
        let leaves = LeafCurves::new(self.scale, errors);
        for node in (ROOT + 1..tree.len()).rev() {
            if node.is_multiple_of(CHECKED_NODES) {
                check()?;
            }
            let here = tree.get(node);
            tree.get_mut(node).data.0 = match tree.is_expanded(node) {
                true => combined(tree, node),
                false => leaves.curve(here.value, here.is_open, is_own(tree, node)),
            };
        }
        Ok(())
    }
}

/// The curves of leaves.
struct LeafCurves {
    /// The greatest value in each cell but the last, in points over the spread.
    edges: [f64; CELLS],
    shift: f64,
    spread: f64,
}

impl LeafCurves {
    fn new(scale: f64, errors: &Errors) -> Self {
        let spread = errors.spread();
        let edges = std::array::from_fn(|cell| {
            let chance = (cell + 1) as f64 / CELLS as f64;
            logit(chance, scale) / spread
        });
        Self { edges, shift: errors.mean(), spread }
    }

    /// The curve of a leaf from its value for the side to move, who is the side at the root
    /// or the other one. The last cell has no end.
    fn curve(&self, value: i32, is_open: bool, is_own: bool) -> Curve {
        let shift = if is_open { self.shift } else { 0.0 };
        let value = (f64::from(value) + shift) / self.spread;
        let value = if is_own { value } else { -value };
        self.edges.map(|edge| match is_open {
            true => (1.0 / (1.0 + (value - edge).exp())) as f32,
            false => f32::from(value <= edge),
        })
    }
}

/// Whether the side at the root is to move.
fn is_own(tree: &DistributionTree, node: KeptIndex) -> bool {
    tree.get(node).max_to_move == tree.get(ROOT).max_to_move
}

/// The curve of the best of the children for the side to move.
fn combined(tree: &DistributionTree, node: KeptIndex) -> Curve {
    let is_own = is_own(tree, node);
    let mut product = [1.0; CELLS];
    for child in tree.children(node) {
        multiply(&mut product, &tree.get(child).data.0, is_own);
    }
    product.map(|it: f64| if is_own { it as f32 } else { (1.0 - it) as f32 })
}

/// Multiplies a product by a curve, or by its complement.
fn multiply(product: &mut [f64; CELLS], curve: &Curve, is_own: bool) {
    for (product, &part) in product.iter_mut().zip(curve) {
        *product *= f64::from(if is_own { part } else { 1.0 - part });
    }
}

/// The mean of the distribution of a curve, with each cell at its end.
fn mean(curve: &Curve) -> f64 {
    let below: f64 = curve[..CELLS - 1].iter().copied().map(f64::from).sum();
    1.0 - below / CELLS as f64
}

/// The relevance of each open leaf.
fn relevances(tree: &DistributionTree) -> Vec<(KeptIndex, f64)> {
    let mut found = Vec::new();
    let moves = tree.children(ROOT);
    let means: Vec<f64> = moves.clone().map(|it| mean(&tree.get(it).data.0)).collect();
    let others = products_of_others(tree, ROOT);
    for (index, child) in moves.enumerate() {
        let rival = means.iter().enumerate().filter(|&(it, _)| it != index);
        let rival = rival.map(|(_, &mean)| mean).fold(0.0, f64::max);
        let choice = Choice { others: others[index], mean: means[index], rival };
        collect(tree, child, &[1.0; CELLS], &choice, &mut found);
    }
    found
}

/// A move of the root among the others.
struct Choice {
    /// For each cell the chance that no other move has a value beyond it.
    others: [f64; CELLS],
    mean: f64,
    /// The best mean of another move.
    rival: f64,
}

/// For each child the product of the curves of the others, or of their complements.
fn products_of_others(tree: &DistributionTree, node: KeptIndex) -> Vec<[f64; CELLS]> {
    let is_own = is_own(tree, node);
    let mut products = vec![[1.0; CELLS]; tree.children(node).len()];
    let mut before = [1.0; CELLS];
    for (product, child) in products.iter_mut().zip(tree.children(node)) {
        *product = before;
        multiply(&mut before, &tree.get(child).data.0, is_own);
    }
    let mut behind = [1.0; CELLS];
    for (product, child) in products.iter_mut().zip(tree.children(node)).rev() {
        product.iter_mut().zip(&behind).for_each(|(product, behind)| *product *= behind);
        multiply(&mut behind, &tree.get(child).data.0, is_own);
    }
    products
}

/// Collects the relevances of the open leaves at and below a node. `influence` is, for each
/// cell, the derivative of the curve of the root's move by the curve of the node.
fn collect(
    tree: &DistributionTree,
    node: KeptIndex,
    influence: &[f64; CELLS],
    choice: &Choice,
    found: &mut Vec<(KeptIndex, f64)>,
) {
    if !tree.get(node).is_open {
        return;
    }
    if !tree.is_expanded(node) {
        let changes = changes(&tree.get(node).data.0, influence, choice);
        let mut before = 0.0;
        let relevance = changes.iter().zip(&tree.get(node).data.0).map(|(change, &part)| {
            let chance = f64::from(part) - before;
            before = part.into();
            chance * change.abs()
        });
        return found.push((node, relevance.sum()));
    }
    let others = products_of_others(tree, node);
    for (child, mut product) in tree.children(node).zip(others) {
        product.iter_mut().zip(influence).for_each(|(product, influence)| *product *= influence);
        collect(tree, child, &product, choice, found);
    }
}

/// For each cell the change of U if the value of a leaf is known to be in it.
fn changes(curve: &Curve, influence: &[f64; CELLS], choice: &Choice) -> [f64; CELLS] {
    let chosen = |mean: f64| mean.max(choice.rival);
    let mut changes = [0.0; CELLS];
    // If the leaf is in a cell, its curve is 1 from there on, and 0 before.
    let (mut best, mut mean) = (0.0, 0.0);
    for cell in 0..CELLS - 1 {
        let part = influence[cell] * f64::from(curve[cell]);
        best += part * choice.others[cell];
        mean += part;
    }
    for cell in (0..CELLS).rev() {
        if cell < CELLS - 1 {
            best -= influence[cell] * choice.others[cell];
            mean -= influence[cell];
        }
        let [best, mean] = [best, mean].map(|sum| sum / CELLS as f64);
        changes[cell] = best - chosen(choice.mean + mean) + chosen(choice.mean);
    }
    changes
}

const LAWS: [Law; 3] = [
    Law {
        name: "bayesian-is-minimax",
        text: "Bayesian search without a limit visits each node of the tree once, and has the \
               value of minimax",
        applies: |sample| sample.minimax().is_ok_and(|run| run.counts.nodes < 500),
        check: |sample| exhausted_is_minimax(sample, "bayesian"),
    },
    Law {
        name: "choice-is-worth-something",
        text: "in Bayesian search the mean of a node is at least the best mean of its children \
               for the side to move",
        applies: |sample| sample.is_synthetic(),
        check: |sample| {
            let tree = with_curves(sample)?;
            (1..tree.len()).try_for_each(|node| best_mean(&tree, node))
        },
    },
    Law {
        name: "influence-is-exact",
        text: "what a known leaf changes in Bayesian search is what computing all curves again \
               gives",
        applies: |sample| sample.is_synthetic(),
        check: |sample| influence_is_exact(&with_curves(sample)?),
    },
];

/// A part of the tree of a sample, with its curves.
fn with_curves(sample: &LawSample) -> Result<DistributionTree, String> {
    let algorithm = Bayesian { scale: 200.0, gulp: 0.0 };
    let mut errors = Errors::default();
    let limit = Limit { nodes: 30, ..Limit::NONE };
    let mut tree =
        grow_sample(sample, limit, |s| grow(s, |s, tree| algorithm.step(s, tree, &mut errors)))?;
    let curves = algorithm.value_curves(&mut tree, &errors, || Ok(()));
    curves.map_err(|reason| reason.to_string())?;
    Ok(tree)
}

/// Checks that choice is worth at least what the best child is.
fn best_mean(tree: &DistributionTree, node: KeptIndex) -> Result<(), String> {
    let side = if is_own(tree, node) { 1.0 } else { -1.0 };
    let own = side * mean(&tree.get(node).data.0);
    tree.children(node).try_for_each(|child| {
        let other = side * mean(&tree.get(child).data.0);
        ensure(own > other - 1e-5, || format!("node {node}: {own}, its child {child}: {other}"))
    })
}

/// Checks the relevance of each leaf.
fn influence_is_exact(tree: &DistributionTree) -> Result<(), String> {
    let worth = worth_of_information(tree);
    relevances(tree).into_iter().try_for_each(|(leaf, relevance)| {
        let (mut sum, mut before) = (0.0, 0.0);
        for cell in 0..CELLS {
            let chance = f64::from(tree.get(leaf).data.0[cell]) - before;
            before += chance;
            let mut tree = tree.clone();
            tree.get_mut(leaf).data.0 = std::array::from_fn(|it| f32::from(it >= cell));
            for node in tree.line_up(leaf).into_iter().skip(1).filter(|&node| node != ROOT) {
                tree.get_mut(node).data.0 = combined(&tree, node);
            }
            sum += chance * (worth_of_information(&tree) - worth).abs();
        }
        ensure((sum - relevance).abs() < 1e-5, || format!("leaf {leaf}: {relevance}, not {sum}"))
    })
}

/// The expected value of the best move if all were known, less the value of the best one now.
fn worth_of_information(tree: &DistributionTree) -> f64 {
    let means = tree.children(ROOT).map(|child| mean(&tree.get(child).data.0));
    mean(&combined(tree, ROOT)) - means.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::{CELLS, Errors, LeafCurves, mean};
    use crate::lab::Limit;
    use crate::lab::game::{Evaluation, WIN};
    use crate::lab::test_run::{chess, found, run};

    #[test]
    fn curves_of_leaves() {
        let leaves = LeafCurves::new(200.0, &Errors::default());
        let even = leaves.curve(0, true, true);
        assert!(even.is_sorted() && even[CELLS - 1] == 1.0);
        assert!((mean(&even) - 0.5).abs() < 1.0 / CELLS as f64);
        let [good, bad] = [true, false].map(|is_own| mean(&leaves.curve(200, true, is_own)));
        assert!((0.7..0.78).contains(&good) && (0.25..0.33).contains(&bad), "{good} {bad}");
        let known = leaves.curve(200, false, true);
        assert!(known.iter().all(|&part| part == 0.0 || part == 1.0));
    }

    #[test]
    fn errors_are_learnt() {
        let mut errors = Errors::default();
        let before = errors.spread();
        (0..100).for_each(|it| errors.learn(if it % 2 == 0 { 400 } else { -400 }));
        assert!(errors.spread() > 5.0 * before && errors.mean().abs() < 1e-9);
    }

    /// The first two moves are close, the third is hopeless: their replies come first.
    #[test]
    fn relevant_leaves_come_first() {
        const TREE: &str = "explicit:[50[60 40] 45[55 35] -900[-800 -990]]";
        let run = |nodes| found("bayesian", TREE, 2, nodes);
        assert_eq!((run(8).1, run(8).2), (vec![0, 1], 8));
        assert_eq!(run(u64::MAX), (40, vec![0, 1], 10));
    }

    /// Many moves win for certain, and one of them wins at once.
    #[test]
    fn a_win_at_once_is_played() {
        for fen in ["7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "k7/8/1K6/8/8/8/8/3QQ2R w - - 0 1"] {
            let limit = Limit { nodes: 2000, ..Limit::NONE };
            let (outcome, _) = run("bayesian", &mut chess(fen, Evaluation::Lovec), 20, limit);
            let answer = outcome.answer.unwrap();
            assert_eq!((answer.value, answer.line.len()), (WIN - 1, 1), "{fen}");
        }
    }
}
