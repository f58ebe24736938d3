//! The phases of B* of 1995: which leaf to expand next, and when a move is played.

use crate::lab::algorithm::b_star_95::judged::{Judged, JudgedTree};
use crate::lab::kept_tree::{KeptIndex, ROOT, descend};

/// The moves of the root against each other.
#[derive(Clone, Copy, Debug)]
pub struct Contest {
    /// The move with the best R, the first of equals.
    pub best: KeptIndex,
    best_real: i32,
    /// The best R and O of the other moves; `None` if there are none.
    others: Option<(i32, i32)>,
}

impl Contest {
    pub fn of(tree: &JudgedTree) -> Self {
        let moves = tree.children(ROOT);
        let best = moves.clone().min_by_key(|&child| -tree.get(child).real).unwrap_or(ROOT);
        let others = moves.filter(|&child| child != best).map(|child| tree.get(child));
        let others = others.map(|it| (it.real, it.optimistic));
        Self {
            best,
            best_real: tree.get(best).real,
            others: others.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))),
        }
    }

    /// Whether the best move is at its worst as good as all others at their best.
    pub fn is_separated(&self, tree: &JudgedTree) -> bool {
        self.others.is_none_or(|(_, optimistic)| tree.get(self.best).pessimistic >= optimistic)
    }
}

/// The phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Which move is best?
    Select,
    /// Does it have a refutation?
    Verify,
}

/// A phase with its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseGoal {
    pub phase: Phase,
    pub target: f64,
    /// Where the way down begins: the root, or the move to verify.
    pub top: KeptIndex,
}

/// What to do next.
pub enum Next {
    Expand(KeptIndex),
    /// The phase ends, or its target moves.
    Change(PhaseGoal),
    Play,
}

impl PhaseGoal {
    /// Before there is a target: every O matters.
    pub const FIRST: Self = Self { phase: Phase::Select, target: f64::INFINITY, top: ROOT };

    pub fn select(tree: &JudgedTree) -> Self {
        let Contest { best_real, others, .. } = Contest::of(tree);
        let (_, optimistic) = others.unwrap_or((best_real, best_real));
        let target = f64::from(best_real + optimistic) / 2.0;
        Self { phase: Phase::Select, target, top: ROOT }
    }

    pub fn verify(tree: &JudgedTree) -> Self {
        let Contest { best, best_real, others } = Contest::of(tree);
        let (second, _) = others.unwrap_or((best_real, best_real));
        Self { phase: Phase::Verify, target: f64::from(second - 1), top: best }
    }

    pub fn next(&self, tree: &JudgedTree, threshold: f64) -> Next {
        let Contest { best, best_real, others } = Contest::of(tree);
        let Some((_, optimistic)) = others else { return Next::Play };
        let is_unlikely = |node: KeptIndex| tree.get(node).chance <= threshold;
        let goal = match self.phase {
            Phase::Select => {
                let current = Self::select(tree);
                let mut rivals = tree.children(ROOT).filter(|&child| child != best);
                let is_selected = best_real >= optimistic || rivals.all(is_unlikely);
                if current == *self && is_selected { Self::verify(tree) } else { current }
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
    fn leaf_below(&self, tree: &JudgedTree) -> KeptIndex {
        descend(self.top, |node| {
            let by_chance = (self.phase == Phase::Select) == tree.get(node).max_to_move;
            let rank = |child: KeptIndex| match (by_chance, self.phase) {
                (true, _) => tree.get(child).chance,
                (false, Phase::Select) => -f64::from(tree.get(child).real),
                (false, Phase::Verify) => f64::from(tree.get(child).real),
            };
            let open = tree.children(node).filter(|&child| tree.get(child).is_open);
            open.max_by(|&a, &b| rank(a).total_cmp(&rank(b)).then(b.cmp(&a)))
        })
    }

    /// Whether the probability of a leaf depends on a bound that no search has found yet. An R
    /// beyond the target is enough without it.
    pub fn needs_bound(&self, leaf: &Judged) -> bool {
        let real = f64::from(leaf.real);
        match self.phase {
            Phase::Select => real < self.target && !leaf.is_bounded[0],
            Phase::Verify => real > self.target && !leaf.is_bounded[1],
        }
    }

    /// The probability that a leaf gets to the target.
    pub fn chance_of_leaf(&self, leaf: &Judged) -> f64 {
        let [real, optimistic, pessimistic] =
            [leaf.real, leaf.optimistic, leaf.pessimistic].map(f64::from);
        let share =
            |part: f64, whole: f64| if part >= whole { 1.0 } else { (part / whole).max(0.0) };
        match self.phase {
            Phase::Select => share(optimistic - self.target, optimistic - real),
            Phase::Verify => share(self.target - pessimistic, real - pessimistic),
        }
    }

    fn chance(&self, tree: &JudgedTree, node: KeptIndex) -> f64 {
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
    pub fn estimate(&self, tree: &mut JudgedTree) {
        (0..tree.len()).rev().for_each(|node| tree.get_mut(node).chance = self.chance(tree, node));
    }
}
