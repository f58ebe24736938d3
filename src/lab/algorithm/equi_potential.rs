//! Equi-potential search: leaves are expanded in the order of what they cost for the chance
//! that they change the move (described by Junghanns, "Are there practical alternatives to
//! alpha-beta in computer chess?", ICCA Journal 21, 1998).
//!
//! The potential of a leaf is its cost over its chance `S`. All leaves with a potential below
//! a level are expanded, the tree is valued again, and when no leaf is left below the level,
//! it is doubled. Here
//!
//! - the cost is the number of moves of its parent, a guess of its own moves;
//! - `S = exp(-gap / sigma)`, where the gap is the least sum of changes of leaves, this one
//!   among them, that changes the move at the root: a leaf of the best move has to make it
//!   worse than the second, one of another move has to make that better than the best.
//!
//! Where the game has ended a leaf cannot change, so that for some leaves nothing changes the
//! move. If that holds for all, the best move may still fall while another one rises: then the
//! gap is the way of a move to its worst, or to its best. If the best move at its worst is as
//! good as the others at their best, it is a best one, and the search ends.

use std::f64::consts::LN_2;

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::INFINITE;
use crate::lab::grow::{GrownTree, answer, best_child, expand, grow_sample, grow_until};
use crate::lab::kept_tree::{KeptIndex, ROOT};
use crate::lab::{Answer, Law, LawSample, Limit, Proof, Search, Searched, SettingInfo, ensure};

/// More than any sum of changes.
const IMPOSSIBLE: i64 = i64::MAX;

/// More than any value that a move can reach.
const NEVER: i32 = i32::MAX;

#[derive(Clone, Copy, Debug)]
pub struct EquiPotential {
    sigma: f64,
}

const SIGMA: SettingInfo = SettingInfo::number(
    "sigma",
    [1, 10_000],
    50,
    "a change of N points more is 2.7 times less likely",
);

/// What changes the move at the root by a branch: one side gets a value there.
#[derive(Clone, Copy, Debug, Default)]
struct Goal {
    favours_max: bool,
    /// The least value for that side.
    value: i32,
}

/// What is kept of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    /// The least sum of changes of leaves below that the goal of this branch needs here.
    needed: i64,
    /// The least sum of changes elsewhere in the branch, if this node has to reach the goal.
    elsewhere: i64,
    /// The goal of the branch.
    goal: Goal,
}

type EffortTree = GrownTree<Effort>;

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "equi-potential",
    summary: "expands the leaves that cost least for the chance to change the move",
    settings: &[SIGMA],
    new: |given| Box::new(EquiPotential { sigma: given.number(&SIGMA) as f64 }),
    laws: &LAWS,
};

impl Algorithm for EquiPotential {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let (tree, is_certain) = self.grow(s)?;
        let answer = answer(&tree);
        let proof = if is_certain { Proof::BestMove } else { answer.proof };
        Ok(Answer { proof, ..answer })
    }
}

impl EquiPotential {
    /// Grows the tree until a limit is reached or, which is then true, no leaf changes the
    /// move.
    fn grow(&self, s: &mut Search<'_>) -> Searched<(EffortTree, bool)> {
        let (mut level, mut is_certain) = (0.0, false);
        let tree = grow_until(s, |s, tree| {
            is_certain = self.step(s, tree, &mut level)?;
            Ok(is_certain)
        })?;
        Ok((tree, is_certain))
    }

    /// Expands all leaves with a potential below the level, which is raised to the next
    /// power of two above the least potential if there are none. True if no leaf changes the
    /// move. `level` is a logarithm.
    fn step(&self, s: &mut Search<'_>, tree: &mut EffortTree, level: &mut f64) -> Searched<bool> {
        if !tree.is_expanded(ROOT) {
            expand(s, tree, ROOT, |_, _| ())?;
            return Ok(false);
        }
        set_goals(tree);
        let mut potentials = self.potentials(tree);
        if potentials.is_empty() {
            set_joint_goals(tree);
            potentials = self.potentials(tree);
        }
        let Some(least) = potentials.iter().map(|&(_, potential)| potential).reduce(f64::min)
        else {
            return Ok(true);
        };
        if least >= *level {
            *level = LN_2 * ((least / LN_2).floor() + 1.0);
        }
        for (leaf, _) in potentials.into_iter().filter(|&(_, potential)| potential < *level) {
            expand(s, tree, leaf, |_, _| ())?;
        }
        Ok(false)
    }

    /// The leaves that can help to reach the goals, with their potentials.
    fn potentials(&self, tree: &mut EffortTree) -> Vec<(KeptIndex, f64)> {
        value_efforts(tree);
        let leaves = ROOT + 1..tree.len();
        leaves.filter_map(|leaf| Some((leaf, self.potential(tree, leaf)?))).collect()
    }

    /// The logarithm of the cost of a leaf over its chance to change the move; `None` if it
    /// cannot.
    fn potential(&self, tree: &EffortTree, leaf: KeptIndex) -> Option<f64> {
        let Effort { needed, elsewhere, .. } = tree.get(leaf).data;
        let is_leaf = !tree.is_expanded(leaf) && tree.get(leaf).is_open;
        if !is_leaf || needed == 0 || needed == IMPOSSIBLE || elsewhere == IMPOSSIBLE {
            return None;
        }
        let cost = tree.children(tree.parent(leaf)?).len() as f64;
        Some(cost.ln() + (needed + elsewhere) as f64 / self.sigma)
    }
}

/// Computes the efforts of all nodes below the root for their goals. A parent has a smaller
/// index than its children.
fn value_efforts(tree: &mut EffortTree) {
    for node in (ROOT + 1..tree.len()).rev() {
        tree.get_mut(node).data.needed = needed(tree, node);
    }
    for node in ROOT + 1..tree.len() {
        let here = tree.get(node).data.elsewhere;
        let children = tree.children(node).map(|child| tree.get(child).data.needed);
        let (possible, impossible): (Vec<i64>, Vec<i64>) =
            children.partition(|&needed| needed != IMPOSSIBLE);
        let all: i64 = possible.iter().sum();
        for child in tree.children(node) {
            let own = tree.get(child).data.needed;
            let beside = match (is_choice(tree, node), impossible.len()) {
                (true, _) => 0,
                (false, 0) => all - own,
                (false, 1) if own == IMPOSSIBLE => all,
                _ => IMPOSSIBLE,
            };
            tree.get_mut(child).data.elsewhere = sum([here, beside].into_iter());
        }
    }
}

/// Gives each branch its goal: the best move should become worse than the second, any other
/// better than the best.
fn set_goals(tree: &mut EffortTree) {
    let max_to_move = tree.get(ROOT).max_to_move;
    let best = best_child(tree, ROOT).unwrap_or(ROOT);
    let rivals = tree.children(ROOT).filter(|&child| child != best);
    let second = rivals.map(|child| -tree.get(child).value).max();
    let better = Goal { favours_max: max_to_move, value: 1 - tree.get(best).value };
    // Without a second move nothing is worse.
    let worse = Goal { favours_max: !max_to_move, value: second.map_or(NEVER, |it| 1 - it) };
    set_goals_by_move(tree, |node| if node == best { worse } else { better });
}

/// Where no branch alone changes the move: the best move should become as bad as it can, and
/// others as good as they can, if they are then better.
fn set_joint_goals(tree: &mut EffortTree) {
    let best = best_child(tree, ROOT).unwrap_or(ROOT);
    let reach: Vec<i32> = tree.children(ROOT).map(|child| furthest(tree, child)).collect();
    let moves = tree.children(ROOT);
    let goals: Vec<Goal> = moves.clone().map(|child| tree.get(child).data.goal).collect();
    // What the other side can make of the best move, so that its sign is the other one.
    let worst = reach[best - moves.start];
    let is_rival = |child| child != best && reach[child - moves.start] > -worst;
    let is_contested = moves.clone().any(is_rival);
    set_goals_by_move(tree, |child| {
        let matters = if child == best { is_contested } else { is_rival(child) };
        let value = if matters { reach[child - moves.start] } else { NEVER };
        Goal { value, ..goals[child - moves.start] }
    });
}

/// Gives each node the goal of the move at the root that leads to it.
fn set_goals_by_move(tree: &mut EffortTree, goal_of: impl Fn(KeptIndex) -> Goal) {
    for node in ROOT + 1..tree.len() {
        let goal = match tree.parent(node) {
            Some(parent) if parent != ROOT => tree.get(parent).data.goal,
            _ => goal_of(node),
        };
        tree.get_mut(node).data = Effort { goal, ..Effort::default() };
    }
}

/// The best value that leaves can give a node, for the side that its goal favours.
fn furthest(tree: &EffortTree, node: KeptIndex) -> i32 {
    let here = tree.get(node);
    let children = tree.children(node).map(|child| furthest(tree, child));
    let best = if is_choice(tree, node) { children.max() } else { children.min() };
    best.unwrap_or(if here.is_open { INFINITE } else { own_value(tree, node) })
}

/// The value of a node for the side that its goal favours.
fn own_value(tree: &EffortTree, node: KeptIndex) -> i32 {
    let value = tree.get(node).value;
    if is_choice(tree, node) { value } else { -value }
}

/// Whether the side that the goal favours chooses the child: one child has to reach the goal,
/// and otherwise all have to.
fn is_choice(tree: &EffortTree, node: KeptIndex) -> bool {
    tree.get(node).max_to_move == tree.get(node).data.goal.favours_max
}

/// The least sum of changes below a node that the goal needs there.
fn needed(tree: &EffortTree, node: KeptIndex) -> i64 {
    let children = tree.children(node).map(|child| tree.get(child).data.needed);
    match (tree.is_expanded(node), is_choice(tree, node)) {
        (true, true) => children.min().unwrap_or(IMPOSSIBLE),
        (true, false) => sum(children),
        (false, _) => {
            let here = tree.get(node);
            match i64::from(here.data.goal.value) - i64::from(own_value(tree, node)) {
                ..=0 => 0,
                _ if !here.is_open || here.data.goal.value == NEVER => IMPOSSIBLE,
                change => change,
            }
        }
    }
}

/// A sum that is impossible if a part of it is.
fn sum(mut changes: impl Iterator<Item = i64>) -> i64 {
    changes.try_fold(0, i64::checked_add).unwrap_or(IMPOSSIBLE)
}

const LAWS: [Law; 2] = [
    Law {
        name: "equi-potential-is-certain",
        text: "equi-potential search without a limit ends with a best move, and visits no node \
               of the tree twice",
        applies: |_| true,
        check: |sample| {
            let (minimax, run) = (sample.minimax()?, sample.run("equi-potential")?);
            sample.expect_best_move("equi-potential", &run)?;
            let is_sure = matches!(run.proof, Proof::Complete | Proof::BestMove);
            ensure(is_sure && run.counts.nodes <= minimax.counts.nodes, || {
                format!("{:?}, {} nodes", run.proof, run.counts.nodes)
            })
        },
    },
    Law {
        name: "gaps-change-the-move",
        text: "where a change of one leaf changes the move, the gap is the least such change",
        applies: |sample| sample.is_synthetic(),
        check: gaps_change_the_move,
    },
];

/// Changes each leaf that changes the move alone.
fn gaps_change_the_move(sample: &LawSample) -> Result<(), String> {
    let algorithm = EquiPotential { sigma: 50.0 };
    let limit = Limit { nodes: 60, ..Limit::NONE };
    let (mut tree, _) = grow_sample(sample, limit, |s| algorithm.grow(s))?;
    set_goals(&mut tree);
    value_efforts(&mut tree);
    (1..tree.len()).try_for_each(|leaf| gap_changes_the_move(&algorithm, &tree, leaf))
}

fn gap_changes_the_move(
    algorithm: &EquiPotential,
    tree: &EffortTree,
    leaf: KeptIndex,
) -> Result<(), String> {
    let Effort { needed, elsewhere, goal } = tree.get(leaf).data;
    if algorithm.potential(tree, leaf).is_none() || elsewhere > 0 {
        return Ok(());
    }
    let best = best_child(tree, ROOT);
    let own = if is_choice(tree, leaf) { 1 } else { -1 };
    for (change, changes_move) in [(needed - 1, false), (needed, true)] {
        let mut tree = tree.clone();
        tree.get_mut(leaf).value += own * change as i32;
        for node in tree.line_up(leaf).into_iter().skip(1) {
            let values = tree.children(node).map(|child| -tree.get(child).value);
            tree.get_mut(node).value = values.max().unwrap_or_default();
        }
        let better = |child| -tree.get(child).value > best.map_or(0, |best| -tree.get(best).value);
        let is_changed = tree.children(ROOT).any(better);
        ensure(is_changed == changes_move, || {
            format!("leaf {leaf}, gap {needed}, {goal:?}: a change of {change}")
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::lab::Proof;
    use crate::lab::test_run::solve_within;

    fn run(text: &str, depth: u32, nodes: u64) -> (Vec<u16>, Proof, u64) {
        let tree = format!("explicit:{text}");
        let (answer, counts) = solve_within("equi-potential", &tree, depth, nodes);
        (answer.line, answer.proof, counts.nodes)
    }

    /// The last move is far behind: its replies come after the replies to the others.
    #[test]
    fn hopeless_moves_come_last() {
        let tree = "[50[60 40] 45[50 30] -500[-400 -600]]";
        assert_eq!(run(tree, 2, 8), (vec![0, 1], Proof::Estimate, 8));
        assert_eq!(run(tree, 2, u64::MAX), (vec![0, 1], Proof::Complete, 10));
    }

    /// A single move is a best one before its replies are known.
    #[test]
    fn what_is_certain_ends_the_search() {
        assert_eq!(run("[1[0 5]]", 2, u64::MAX), (vec![0], Proof::BestMove, 2));
    }

    /// The first move may fall to 5 and no further, the second may rise to 10 and no further:
    /// only both together change the move.
    #[test]
    fn moves_change_together() {
        let tree = "[10[10[5 10[0]]] 5[10 5[20]]]";
        let (line, proof, _) = run(tree, 4, u64::MAX);
        assert_eq!((line[0], proof), (1, Proof::Complete));
        // Below the closed reply of 5 the second is no rival.
        let (line, proof, nodes) = run("[10[10[5 10[0]]] 5[5 5[20]]]", 4, u64::MAX);
        assert_eq!((line[0], proof, nodes), (0, Proof::BestMove, 8));
    }
}
