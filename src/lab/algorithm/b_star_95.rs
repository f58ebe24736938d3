//! B* of 1995 (Berliner and McConnell, "B* probability based search", Artificial
//! Intelligence 86, 1996). Its intervals come from shallow searches: the realistic value R
//! of a node from an ordinary one, the optimistic value O from one in which MAX, the side
//! to move at the root, moves twice, and the pessimistic value P from one in which MIN does.
//! A target T lies in the interval, and the share of the interval beyond it stands for the
//! probability that a deeper search gets there.
//!
//! | phase | target | a leaf gets there with | at MAX, at MIN | goes down by | ends when |
//! |---|---|---|---|---|---|
//! | select | halfway from the best R to the best O of the others | (O - T) / (O - R) | the greatest, the product | probability at MAX, the least R at MIN | no rival gets there with more than the threshold, or the best R is at least the best O of the others |
//! | verify | the R of the second best move, less one | (T - P) / (R - P) | the product, the greatest | probability at MIN, the greatest R at MAX | the best move gets there with no more than the threshold: it is played. Or another move has a better R: back to select |
//!
//! The intervals of chess are not inside one another: the O and P of a node never become
//! wider, and never cross R.

use std::cmp::Reverse;

use crate::lab::algorithm::alpha_beta::AlphaBeta;
use crate::lab::algorithm::{Algorithm, AlgorithmInfo, Drivers};
use crate::lab::answer::{Answer, Proof};
use crate::lab::game::{GameTree, INFINITE};
use crate::lab::kept_tree::{KeptIndex, KeptTree};
use crate::lab::law::{Law, ensure};
use crate::lab::leaf::leaf;
use crate::lab::limit::StopReason;
use crate::lab::line_node::LineNode;
use crate::lab::node_search::NodeSearch;
use crate::lab::search::Search;
use crate::lab::settings::{GivenSettings, SettingInfo};
use crate::lab::watch::Watch;

#[derive(Clone, Copy, Debug)]
pub struct BStar95 {
    plies: u32,
    threshold: f64,
    margin: i32,
}

const PLIES: SettingInfo = SettingInfo::number("plies", [1, 20], 1, "the plies of its searches");
const THRESHOLD: SettingInfo =
    SettingInfo::number("threshold", [0, 99], 15, "the percentage below which a move is let go");
const MARGIN: SettingInfo = SettingInfo::number(
    "margin",
    [0, 10_000],
    50,
    "the distance from R to O and P where the game does not allow to move twice",
);

impl Algorithm for BStar95 {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "b-star-95",
        summary: "B* of 1995: until no move is likely to be better than the best one",
        settings: &[PLIES, THRESHOLD, MARGIN],
        drivers: Drivers::None,
    };

    fn new(given: &GivenSettings) -> Self {
        Self {
            plies: given.number(&PLIES) as u32,
            threshold: given.number(&THRESHOLD) as f64 / 100.0,
            margin: given.number(&MARGIN) as i32,
        }
    }

    fn search<G: GameTree, W: Watch>(
        &self,
        s: &mut Search<'_, G, W>,
    ) -> Result<Answer<G::Move>, StopReason> {
        s.enter()?;
        if let Some(value) = leaf(s, s.depth, -INFINITE, INFINITE)? {
            return Ok(s.complete(value));
        }
        s.keep(1, JudgedTree::<G::Move>::NODE_BYTES)?;
        let mut tree = JudgedTree::new(Judged::OPEN_ROOT);
        self.expand(s, &mut tree, ROOT)?;
        let mut goal = Goal::select(&tree);
        goal.estimate_all(&mut tree);
        let is_decided = loop {
            match goal.next(&tree, self.threshold) {
                Next::Expand(leaf) => {
                    if self.expand(s, &mut tree, leaf).is_err() {
                        break false;
                    }
                    goal.estimate_above(&mut tree, leaf);
                }
                Next::Change(other) => {
                    goal = other;
                    goal.estimate_all(&mut tree);
                }
                Next::Play => break true,
            }
        };
        let best = Contest::of(&tree).best;
        let is_open = tree.get(ROOT).is_open;
        Ok(Answer {
            value: tree.get(best).real,
            line: best_line(&tree),
            proof: match (is_open, is_decided) {
                (false, _) => Proof::Complete,
                (true, true) => Proof::BestMove,
                (true, false) => Proof::Estimate,
            },
        })
    }
}

/// The values of a node, for MAX.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Judged {
    /// R.
    real: i32,
    /// O.
    optimistic: i32,
    /// P.
    pessimistic: i32,
    /// The probability to get to the target of the phase.
    chance: f64,
    /// Whether it can be expanded, or a node below it.
    is_open: bool,
    max_to_move: bool,
}

type JudgedTree<M> = KeptTree<M, Judged>;

const ROOT: KeptIndex = JudgedTree::<()>::ROOT;

impl Judged {
    /// The root before it is expanded.
    const OPEN_ROOT: Self = Self {
        real: -INFINITE,
        optimistic: INFINITE,
        pessimistic: -INFINITE,
        chance: 0.0,
        is_open: true,
        max_to_move: true,
    };

    /// The values of a parent. They are the values of its best child, within the interval of the
    /// parent.
    fn above(self, children: impl Iterator<Item = Self> + Clone) -> Self {
        let best = |of: fn(Self) -> i32| {
            let values = children.clone().map(of);
            let best = if self.max_to_move { values.max() } else { values.min() };
            best.unwrap_or(self.real)
        };
        let real = best(|child| child.real);
        let (highest, lowest) = (self.optimistic.max(real), self.pessimistic.min(real));
        Self {
            real,
            optimistic: best(|child| child.optimistic).clamp(real, highest),
            pessimistic: best(|child| child.pessimistic).clamp(lowest, real),
            is_open: children.clone().any(|child| child.is_open),
            ..self
        }
    }
}

impl BStar95 {
    /// Adds the children of a leaf, and updates the values of the nodes above.
    fn expand<G: GameTree, W: Watch>(
        &self,
        s: &mut Search<'_, G, W>,
        tree: &mut JudgedTree<G::Move>,
        leaf: KeptIndex,
    ) -> Result<(), StopReason> {
        s.go_to(&tree.path(leaf));
        let moves = s.moves();
        s.keep(moves.len(), JudgedTree::<G::Move>::NODE_BYTES)?;
        let mut children = Vec::with_capacity(moves.len());
        for &m in &moves {
            s.play(m);
            children.push((m, self.judge(s, !tree.get(leaf).max_to_move)?));
            s.undo();
        }
        s.recycle(moves);
        tree.expand(leaf, children);
        for node in line_up(tree, leaf) {
            let below = tree.children(node).map(|child| *tree.get(child));
            *tree.get_mut(node) = tree.get(node).above(below);
        }
        Ok(())
    }

    /// The values of this node. A node that the ordinary search settles needs no others.
    fn judge<G: GameTree, W: Watch>(
        &self,
        s: &mut Search<'_, G, W>,
        max_to_move: bool,
    ) -> Result<Judged, StopReason> {
        let left = s.depth - s.ply() as u32;
        let real = shallow(s, self.plies.min(left), -INFINITE)?;
        let is_open = left > self.plies && s.game.end().is_none();
        let (high, low) = if is_open {
            (self.moving_twice(s, real)?.max(real), self.passing(s, real)?.min(real))
        } else {
            (real, real)
        };
        let (real, optimistic, pessimistic) =
            if max_to_move { (real, high, low) } else { (-real, -low, -high) };
        Ok(Judged { real, optimistic, pessimistic, chance: 0.0, is_open, max_to_move })
    }

    /// The value if the other side moves twice, for the side to move.
    fn passing<G: GameTree, W: Watch>(
        &self,
        s: &mut Search<'_, G, W>,
        real: i32,
    ) -> Result<i32, StopReason> {
        if !s.pass() {
            return Ok(real - self.margin);
        }
        let value = -shallow(s, self.plies, -INFINITE)?;
        s.undo();
        Ok(value)
    }

    /// The value if the side to move moves twice.
    fn moving_twice<G: GameTree, W: Watch>(
        &self,
        s: &mut Search<'_, G, W>,
        real: i32,
    ) -> Result<i32, StopReason> {
        let mut best = -INFINITE;
        let mut has_passed = false;
        let moves = s.moves();
        for &m in &moves {
            s.play(m);
            if s.game.end().is_none() && s.pass() {
                has_passed = true;
                best = best.max(shallow(s, self.plies, best)?);
                s.undo();
            }
            s.undo();
        }
        s.recycle(moves);
        Ok(if has_passed { best } else { real + self.margin })
    }
}

/// The value of an ordinary search from here, if it is above alpha.
fn shallow<G: GameTree, W: Watch>(
    s: &mut Search<'_, G, W>,
    plies: u32,
    alpha: i32,
) -> Result<i32, StopReason> {
    *s.line_node() = LineNode::default();
    AlphaBeta::SOFT.node(s, plies, alpha, INFINITE)
}

/// A node and the nodes above it.
fn line_up<M: Copy>(tree: &JudgedTree<M>, node: KeptIndex) -> Vec<KeptIndex> {
    std::iter::successors(Some(node), |&node| tree.parent(node)).collect()
}

/// The best realistic line from the root.
fn best_line<M: Copy>(tree: &JudgedTree<M>) -> Vec<M> {
    let best = |&node: &KeptIndex| {
        let sign = if tree.get(node).max_to_move { 1 } else { -1 };
        tree.children(node).max_by_key(|&child| (sign * tree.get(child).real, Reverse(child)))
    };
    std::iter::successors(Some(ROOT), best).last().map_or_else(Vec::new, |leaf| tree.path(leaf))
}

/// The moves of the root against each other.
#[derive(Clone, Copy, Debug)]
struct Contest {
    /// The move with the best R, the first of equals.
    best: KeptIndex,
    best_real: i32,
    /// The best R and O of the other moves; `None` if there are none.
    others: Option<(i32, i32)>,
}

impl Contest {
    fn of<M: Copy>(tree: &JudgedTree<M>) -> Self {
        let moves = tree.children(ROOT);
        let real = |&child: &KeptIndex| (tree.get(child).real, Reverse(child));
        let best = moves.clone().max_by_key(real).unwrap_or(ROOT);
        let others = moves.filter(|&child| child != best).map(|child| tree.get(child));
        let others = others.map(|it| (it.real, it.optimistic));
        Self {
            best,
            best_real: tree.get(best).real,
            others: others.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Which move is best?
    Select,
    /// Does it have a refutation?
    Verify,
}

/// A phase with its target.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Goal {
    phase: Phase,
    target: f64,
    /// Where the way down begins: the root, or the move to verify.
    top: KeptIndex,
}

/// What to do next.
enum Next {
    Expand(KeptIndex),
    /// The phase ends, or its target moves.
    Change(Goal),
    Play,
}

impl Goal {
    fn select<M: Copy>(tree: &JudgedTree<M>) -> Self {
        let Contest { best_real, others, .. } = Contest::of(tree);
        let (_, optimistic) = others.unwrap_or((best_real, best_real));
        let target = f64::from(best_real + optimistic) / 2.0;
        Self { phase: Phase::Select, target, top: ROOT }
    }

    fn verify<M: Copy>(tree: &JudgedTree<M>) -> Self {
        let Contest { best, best_real, others } = Contest::of(tree);
        let (second, _) = others.unwrap_or((best_real, best_real));
        Self { phase: Phase::Verify, target: f64::from(second - 1), top: best }
    }

    fn next<M: Copy>(&self, tree: &JudgedTree<M>, threshold: f64) -> Next {
        let Contest { best, best_real, others } = Contest::of(tree);
        let Some((_, optimistic)) = others else { return Next::Play };
        let is_unlikely = |node: KeptIndex| tree.get(node).chance <= threshold;
        let goal = match self.phase {
            Phase::Select => {
                let mut rivals = tree.children(ROOT).filter(|&child| child != best);
                let is_selected = best_real >= optimistic || rivals.all(is_unlikely);
                if is_selected { Self::verify(tree) } else { Self::select(tree) }
            }
            Phase::Verify if best != self.top => Self::select(tree),
            Phase::Verify => Self::verify(tree),
        };
        if goal != *self {
            Next::Change(goal)
        } else if self.phase == Phase::Verify && is_unlikely(best) {
            Next::Play
        } else {
            Next::Expand(self.leaf_below(tree))
        }
    }

    /// The open leaf to expand.
    fn leaf_below<M: Copy>(&self, tree: &JudgedTree<M>) -> KeptIndex {
        let mut node = self.top;
        loop {
            let by_chance = (self.phase == Phase::Select) == tree.get(node).max_to_move;
            let rank = |child: KeptIndex| match (by_chance, self.phase) {
                (true, _) => tree.get(child).chance,
                (false, Phase::Select) => -f64::from(tree.get(child).real),
                (false, Phase::Verify) => f64::from(tree.get(child).real),
            };
            let open = tree.children(node).filter(|&child| tree.get(child).is_open);
            let best = open.max_by(|&a, &b| rank(a).total_cmp(&rank(b)).then(b.cmp(&a)));
            match best {
                Some(child) => node = child,
                None => return node,
            }
        }
    }

    /// The probability that a leaf gets to the target.
    fn chance_of_leaf(&self, leaf: &Judged) -> f64 {
        let [real, optimistic, pessimistic] =
            [leaf.real, leaf.optimistic, leaf.pessimistic].map(f64::from);
        let share =
            |part: f64, whole: f64| if part >= whole { 1.0 } else { (part / whole).max(0.0) };
        match self.phase {
            Phase::Select => share(optimistic - self.target, optimistic - real),
            Phase::Verify => share(self.target - pessimistic, real - pessimistic),
        }
    }

    fn chance<M: Copy>(&self, tree: &JudgedTree<M>, node: KeptIndex) -> f64 {
        if !tree.is_expanded(node) {
            return self.chance_of_leaf(tree.get(node));
        }
        let chances = tree.children(node).map(|child| tree.get(child).chance);
        if (self.phase == Phase::Select) == tree.get(node).max_to_move {
            chances.fold(0.0, f64::max)
        } else {
            chances.product()
        }
    }

    /// Updates the probability of each node, the children first.
    fn estimate_all<M: Copy>(&self, tree: &mut JudgedTree<M>) {
        (0..tree.len()).rev().for_each(|node| tree.get_mut(node).chance = self.chance(tree, node));
    }

    /// Updates the probabilities after a leaf was expanded.
    fn estimate_above<M: Copy>(&self, tree: &mut JudgedTree<M>, leaf: KeptIndex) {
        for node in tree.children(leaf).chain(line_up(tree, leaf)) {
            tree.get_mut(node).chance = self.chance(tree, node);
        }
    }
}

pub const LAWS: [Law; 2] = [
    Law {
        name: "b-star-95-in-a-settled-tree",
        text: "where its searches reach the leaves, B* of 1995 has the value of minimax and \
               plays a best move",
        applies: |sample| sample.depth <= 4,
        check: |sample| {
            let row = format!("b-star-95:plies={}", sample.depth);
            let run = sample.run(&row)?;
            ensure(run.proof == Proof::Complete, || format!("{row}: {:?}", run.proof))?;
            sample.expect_best_move(&row, &run)?;
            sample.expect_value(&row, sample.minimax()?.value)
        },
    },
    Law {
        name: "b-star-95-is-an-opinion",
        text: "B* of 1995 ends with a legal move, and with the value of minimax if its tree is \
               complete",
        applies: |sample| sample.depth <= 4,
        check: |sample| {
            ["b-star-95", "b-star-95:threshold=0:margin=5"].into_iter().try_for_each(|row| {
                let (truth, run) = (sample.minimax()?.value, sample.run(row)?);
                if let Some(best) = &run.best {
                    sample.move_value(best)?;
                }
                let is_right = run.proof != Proof::Complete || run.value == truth;
                ensure(is_right, || format!("{row}: value {}, not {truth}", run.value))
            })
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A node of the worked example.
    fn judged(max_to_move: bool, [real, optimistic, pessimistic]: [i32; 3]) -> Judged {
        Judged { real, optimistic, pessimistic, chance: 0.0, is_open: true, max_to_move }
    }

    /// Expands a node by hand.
    fn expand(tree: &mut JudgedTree<char>, node: KeptIndex, children: &[(char, [i32; 3])]) {
        let max_to_move = !tree.get(node).max_to_move;
        tree.expand(node, children.iter().map(|&(m, values)| (m, judged(max_to_move, values))));
        for node in line_up(tree, node) {
            let below = tree.children(node).map(|child| *tree.get(child));
            *tree.get_mut(node) = tree.get(node).above(below);
        }
    }

    fn find(tree: &JudgedTree<char>, path: &str) -> KeptIndex {
        path.chars().fold(ROOT, |node, m| {
            tree.children(node).find(|&child| tree.last_move(child) == Some(m)).unwrap()
        })
    }

    /// The probabilities at nodes, rounded.
    fn chances<const N: usize>(tree: &mut JudgedTree<char>, goal: Goal, at: [&str; N]) -> [f64; N] {
        goal.estimate_all(tree);
        at.map(|path| (1000.0 * tree.get(find(tree, path)).chance).round() / 1000.0)
    }

    /// An example of both phases: R, O and P of the nodes, and the probabilities.
    #[test]
    fn a_worked_example() {
        let mut tree = JudgedTree::new(Judged::OPEN_ROOT);
        expand(
            &mut tree,
            ROOT,
            &[('A', [20, 100, -90]), ('B', [18, 40, -90]), ('C', [10, 25, -90])],
        );
        let goal = Goal::select(&tree);
        assert_eq!(goal.target, 30.0);
        assert_eq!(chances(&mut tree, goal, ["A", "B", "C"]), [0.875, 0.455, 0.0]);
        assert!(matches!(goal.next(&tree, 0.15), Next::Expand(leaf) if leaf == find(&tree, "A")));

        let replies = [('D', [20, 99, 0]), ('E', [60, 99, 40]), ('F', [80, 99, -80])];
        let a = find(&tree, "A");
        expand(&mut tree, a, &replies);
        let d = find(&tree, "AD");
        expand(&mut tree, d, &[('G', [34, 76, 0]), ('H', [12, 36, 0]), ('I', [16, 32, 0])]);
        let goal = Goal::select(&tree);
        assert_eq!((goal.target, tree.get(a).real), (37.0, 34));
        assert_eq!(chances(&mut tree, goal, ["AD", "AE", "A", "B"]), [0.929, 1.0, 0.929, 0.136]);
        let Next::Change(goal) = goal.next(&tree, 0.15) else { panic!("selected") };
        assert_eq!(goal, Goal { phase: Phase::Verify, target: 17.0, top: a });

        let leaf = |values| (1000.0 * goal.chance_of_leaf(&judged(true, values))).round();
        assert_eq!([[34, 99, 0], [60, 99, 40], [80, 99, -80]].map(leaf), [500.0, 0.0, 606.0]);
        let f = find(&tree, "AF");
        expand(&mut tree, f, &[('J', [40, 99, 4]), ('K', [60, 99, -80]), ('L', [50, 99, -80])]);
        let j = find(&tree, "AFJ");
        expand(&mut tree, j, &[('Q', [82, 99, 4]), ('R', [70, 99, 11]), ('S', [40, 99, 16])]);
        let g = find(&tree, "ADG");
        expand(&mut tree, g, &[('M', [55, 99, 10]), ('N', [30, 99, 15]), ('P', [34, 99, 20])]);
        let m = find(&tree, "ADGM");
        expand(&mut tree, m, &[('T', [55, 99, 10]), ('U', [32, 99, 10]), ('V', [20, 99, 10])]);
        assert_eq!(chances(&mut tree, goal, ["AFJ", "AFK", "AFL"]), [0.167, 0.693, 0.746]);
        assert_eq!(chances(&mut tree, goal, ["ADGM", "ADGN", "ADGP"]), [0.035, 0.133, 0.0]);
        assert_eq!(chances(&mut tree, goal, ["AD", "AE", "AF", "A"]), [0.133, 0.0, 0.086, 0.133]);
    }

    /// The values of a parent stay in its interval, and O and P on their sides of R.
    #[test]
    fn intervals_become_no_wider() {
        let parent = judged(true, [0, 10, -10]);
        let of = |children: &[[i32; 3]]| {
            let above = parent.above(children.iter().map(|&values| judged(false, values)));
            [above.real, above.optimistic, above.pessimistic]
        };
        assert_eq!(of(&[[3, 30, -30], [-5, 5, -7]]), [3, 10, -7]);
        assert_eq!(of(&[[14, 20, 12]]), [14, 14, 12]);
        assert_eq!(of(&[[-14, 8, -20]]), [-14, 8, -14]);
    }
}
