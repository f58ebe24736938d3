//! The tree of B* of 1995: its nodes have a realistic, an optimistic and a pessimistic value.

use crate::lab::game::{GameMove, INFINITE};
use crate::lab::kept_tree::{KeptIndex, KeptTree, ROOT, descend};

/// The values of a node, for MAX.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// R.
    pub real: i32,
    /// O.
    pub optimistic: i32,
    /// P.
    pub pessimistic: i32,
    /// Whether O and P are found by a search; until then they are the ones of the parent.
    pub is_bounded: [bool; 2],
    /// The probability to get to the target of the phase.
    pub chance: f64,
    /// Whether it can be expanded, or a node below it.
    pub is_open: bool,
    pub max_to_move: bool,
}

pub type JudgedTree = KeptTree<Judged>;

impl Judged {
    /// The root before it is expanded.
    pub const OPEN_ROOT: Self = Self {
        real: -INFINITE,
        optimistic: INFINITE,
        pessimistic: -INFINITE,
        is_bounded: [false; 2],
        chance: 0.0,
        is_open: true,
        max_to_move: true,
    };

    /// The values of a parent: those of its best child, within the interval of the parent.
    pub fn above(self, children: impl Iterator<Item = Self> + Clone) -> Self {
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

/// Updates the values of the nodes above a node, and its own if it has children.
pub fn update_above(tree: &mut JudgedTree, node: KeptIndex) {
    for node in tree.line_up(node) {
        if tree.is_expanded(node) {
            let below = tree.children(node).map(|child| *tree.get(child));
            *tree.get_mut(node) = tree.get(node).above(below);
        }
    }
}

/// The best realistic line from the root.
pub fn best_line(tree: &JudgedTree) -> Vec<GameMove> {
    let best = |node| {
        let sign = if tree.get(node).max_to_move { -1 } else { 1 };
        tree.children(node).min_by_key(|&child| sign * tree.get(child).real)
    };
    tree.path(descend(ROOT, best))
}
