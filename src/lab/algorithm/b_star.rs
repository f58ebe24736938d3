//! B* (Berliner, "The B* tree search algorithm: a best-first proof procedure", Artificial
//! Intelligence 12, 1979). Each position has an interval that holds its value: a pessimistic
//! and an optimistic bound. The search ends when the pessimistic bound of one move is at
//! least the optimistic bound of every other move: that move is best, whatever its value is.
//!
//! Until then it has two ways to get there. It proves the best: it looks for a better
//! pessimistic bound of the most optimistic move. Or it disproves the rest: it looks for a
//! worse optimistic bound of the most optimistic rival. Below the move it follows the most
//! optimistic move of each side to a leaf, and expands it.
//!
//! An interval here is the static value with a margin for each ply that is left. Where a
//! ply changes a value by more than the margin, an interval may miss the value, and the move
//! may not be the best one. The bounds of a node never become wider, as they would where
//! the intervals of the children are not inside the interval of the parent.

use std::cmp::Reverse;

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::WIN;
use crate::lab::grow::{GrownTree, answer, best_line, expand, grow_until};
use crate::lab::kept_tree::{KeptIndex, ROOT, descend};
use crate::lab::{Answer, Law, LawSample, Proof, Search, Searched, SettingInfo, ensure};

#[derive(Clone, Copy, Debug)]
pub struct BStar {
    margin: i32,
    strategy: Strategy,
}

/// Which of the two most optimistic moves is developed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strategy {
    /// The one with fewer nodes below it; Berliner's criteria compare depths.
    Smaller,
    /// The best.
    Prove,
    /// The rival.
    Disprove,
}

const MARGIN: SettingInfo = SettingInfo::number(
    "margin",
    [0, 10_000],
    50,
    "how far a ply can change a value, for the intervals of leaves; 0: without a bound",
);
const STRATEGY: SettingInfo = SettingInfo::word(
    "strategy",
    &["smaller", "prove", "disprove"],
    "prove the best move or disprove its rival: the one with the smaller tree, or always the \
     one or the other",
);

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "b-star",
    summary: "B* of 1979: intervals, until one move is better than the others",
    settings: &[MARGIN, STRATEGY],
    new: |given| {
        let strategies = [Strategy::Smaller, Strategy::Prove, Strategy::Disprove];
        let strategy = given.choice(&STRATEGY, &strategies);
        Box::new(BStar { margin: given.number(&MARGIN) as i32, strategy })
    },
    laws: &LAWS,
};

impl Algorithm for BStar {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let tree = grow_until(s, |s, tree: &mut IntervalTree| {
            if separated_move(tree).is_some() {
                return Ok(true);
            }
            let leaf = self.leaf_to_expand(tree);
            let plies = (s.depth as usize).saturating_sub(tree.path(leaf).len() + 1);
            let width = self.margin.saturating_mul(plies as i32);
            expand(s, tree, leaf, |tree, node| {
                if node == leaf {
                    tree.children(leaf).for_each(|child| bound_leaf(tree, child, width));
                }
                bound_parent(tree, node);
            })?;
            Ok(false)
        })?;
        let open_tree = answer(&tree);
        Ok(match separated_move(&tree).filter(|_| open_tree.proof != Proof::Complete) {
            Some(best) => {
                let Interval { low, high, .. } = tree.get(best).data;
                let value = -tree.get(best).value.clamp(low, high);
                Answer { value, line: best_line(&tree, best), proof: Proof::BestMove }
            }
            None => open_tree,
        })
    }
}

/// The bounds of a node, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval {
    /// The pessimistic bound.
    low: i32,
    /// The optimistic bound.
    high: i32,
    /// The nodes from here down.
    nodes: usize,
}

impl Default for Interval {
    fn default() -> Self {
        Self { low: -WIN, high: WIN, nodes: 1 }
    }
}

type IntervalTree = GrownTree<Interval>;

/// Bounds a new leaf: its value within a width, or alone if it cannot be expanded.
fn bound_leaf(tree: &mut IntervalTree, leaf: KeptIndex, width: i32) {
    let node = tree.get_mut(leaf);
    let value = node.value;
    (node.data.low, node.data.high) = match (node.is_open, width) {
        (false, _) => (value, value),
        (true, 0) => (-WIN, WIN),
        (true, _) => ((value - width).max(-WIN), (value + width).min(WIN)),
    };
}

/// Bounds a node by its children, within the bounds that it has.
fn bound_parent(tree: &mut IntervalTree, node: KeptIndex) {
    let below = tree.children(node).map(|child| tree.get(child).data);
    let (low, high, nodes) = below.fold((-WIN, -WIN, 1), |(low, high, nodes), child| {
        (low.max(-child.high), high.max(-child.low), nodes + child.nodes)
    });
    let old = tree.get(node).data;
    let [low, high] = [low, high].map(|bound| bound.clamp(old.low, old.high));
    tree.get_mut(node).data = Interval { low, high, nodes };
}

/// What a child offers the side that moves there: the optimistic bound, then the pessimistic
/// one.
fn promise(tree: &IntervalTree, child: KeptIndex) -> (i32, i32) {
    let Interval { low, high, .. } = tree.get(child).data;
    (-low, -high)
}

/// The most optimistic child, the first of equals, if there is any.
fn most_promising(
    tree: &IntervalTree,
    children: impl Iterator<Item = KeptIndex>,
) -> Option<KeptIndex> {
    children.max_by_key(|&child| (promise(tree, child), Reverse(child)))
}

/// The move of the root whose pessimistic bound is at least the optimistic bound of every
/// other one.
fn separated_move(tree: &IntervalTree) -> Option<KeptIndex> {
    let children = tree.children(ROOT);
    let best = most_promising(tree, children.clone())?;
    let (_, pessimistic) = promise(tree, best);
    let mut others = children.filter(|&child| child != best);
    others.all(|child| promise(tree, child).0 <= pessimistic).then_some(best)
}

impl BStar {
    /// The leaf to expand while no move of the root is separated.
    fn leaf_to_expand(&self, tree: &IntervalTree) -> KeptIndex {
        let top = self.move_to_develop(tree).unwrap_or(ROOT);
        descend(top, |node| most_promising(tree, tree.children(node)))
    }

    /// The move of the root to develop. A rival is worth it only if its optimistic bound can
    /// fall, and if no other move has a better pessimistic bound than the best.
    fn move_to_develop(&self, tree: &IntervalTree) -> Option<KeptIndex> {
        let children = tree.children(ROOT);
        let best = most_promising(tree, children.clone())?;
        let (_, pessimistic) = promise(tree, best);
        let is_safest = children.clone().all(|child| promise(tree, child).1 <= pessimistic);
        let rival = most_promising(tree, children.filter(|&child| child != best))
            .filter(|&rival| is_safest && tree.get(rival).data.low < tree.get(rival).data.high);
        let nodes = |child| tree.get(child).data.nodes;
        match (rival, self.strategy) {
            (None, _) | (_, Strategy::Prove) => Some(best),
            (Some(_), Strategy::Disprove) => rival,
            (Some(rival), Strategy::Smaller) if nodes(rival) < nodes(best) => Some(rival),
            (Some(_), Strategy::Smaller) => Some(best),
        }
    }
}

const LAWS: [Law; 2] = [
    Law {
        name: "b-star-plays-a-best-move",
        text: "B* without bounds for leaves plays a move with the value of minimax, and visits \
               no node twice, whatever its strategy",
        applies: |_| true,
        check: |sample| {
            [
                "b-star:margin=0",
                "b-star:margin=0:strategy=prove",
                "b-star:margin=0:strategy=disprove",
            ]
            .into_iter()
            .try_for_each(|row| plays_a_best_move(sample, row))
        },
    },
    Law {
        name: "b-star-with-true-intervals",
        text: "where each ply changes a value by no more than the margin, B* plays a move with \
               the value of minimax",
        applies: LawSample::is_synthetic,
        check: |sample| {
            let range = sample.shape().map_or(0, |shape| shape.range);
            plays_a_best_move(sample, &format!("b-star:margin={}", 2 * range))
        },
    },
];

fn plays_a_best_move(sample: &LawSample, row: &str) -> Result<(), String> {
    let (minimax, run) = (sample.minimax()?, sample.run(row)?);
    sample.expect_best_move(row, &run)?;
    let is_right = run.proof == Proof::BestMove || run.value == minimax.value;
    ensure(is_right, || format!("{row}: value {}, not {}", run.value, minimax.value))?;
    let nodes = [run.counts.nodes, minimax.counts.nodes];
    ensure(nodes[0] <= nodes[1], || format!("{row}: {} nodes, minimax {}", nodes[0], nodes[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::test_run::solve;

    fn run(row: &str, tree: &str) -> (Answer, u64) {
        let (answer, counts) = solve(row, &format!("explicit:{tree}"), 2);
        (answer, counts.leaves)
    }

    /// The first move is worth 20 to 40, the others 0 to 20 at most: nothing is expanded but
    /// the root.
    #[test]
    fn intervals_that_do_not_overlap() {
        let (answer, leaves) = run("b-star:margin=10", "[30[29 31] 10[9 11] 5[4 6]]");
        assert_eq!((answer.value, answer.line, leaves), (30, vec![0], 4));
        assert_eq!(answer.proof, Proof::BestMove);
    }

    /// The best move is worth 20 to 40, its rival 15 to 35. Replies prove the one, at 26, or
    /// disprove the other, at 18; both are needed, so that the ways meet at the end.
    #[test]
    fn strategies() {
        let tree = "[30[26 33] 25[24 18] 5[4 6]]";
        let nodes = ["prove", "disprove", "smaller"].map(|strategy| {
            let (answer, leaves) = run(&format!("b-star:margin=10:strategy={strategy}"), tree);
            assert_eq!((answer.line[0], answer.proof), (0, Proof::BestMove));
            leaves
        });
        // The root and its moves; then the replies to one move or to both.
        assert_eq!(nodes, [8, 6, 8]);
    }

    /// The bounds of a node hold its value, and become no wider, as a tree grows.
    #[test]
    fn bounds_become_no_wider() {
        let mut tree = IntervalTree::new(crate::lab::grow::GrownNode {
            value: 0,
            is_open: true,
            max_to_move: true,
            data: Interval { low: -10, high: 10, nodes: 1 },
        });
        let leaf = |value, is_open| crate::lab::grow::GrownNode {
            value,
            is_open,
            max_to_move: false,
            data: Interval::default(),
        };
        tree.expand(ROOT, [(0, leaf(-4, true)), (1, leaf(3, false))]);
        bound_leaf(&mut tree, 1, 8);
        bound_leaf(&mut tree, 2, 8);
        bound_parent(&mut tree, ROOT);
        let root = tree.get(ROOT).data;
        assert_eq!(root, Interval { low: -3, high: 10, nodes: 3 });
    }
}
