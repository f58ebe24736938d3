//! Synthetic trees: the value of each node follows from its path and a seed.
//!
//! | values | a node's value | use |
//! |---|---|---|
//! | independent | random | the classic model of theory: no order helps |
//! | correlated | the sum of its edges, each random | nodes near each other are alike, as in games |
//! | ordered | known, the first child always best | alpha-beta visits the minimal tree |

use crate::lab::game::{GameMove, GameTree, mix};

/// How the values of a [`SyntheticTree`] arise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeValues {
    Independent,
    Correlated,
    Ordered,
}

/// The shape and the values of a synthetic tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeShape {
    /// The children of a node.
    pub width: u8,
    /// The plies to the leaves.
    pub depth: u8,
    pub values: TreeValues,
    /// Values, or edges, lie between this and its negative.
    pub range: i32,
    /// Whether nodes have any number of children up to the width, and some none.
    pub ragged: bool,
    pub seed: u64,
}

impl Default for TreeShape {
    fn default() -> Self {
        let values = TreeValues::Correlated;
        Self { width: 5, depth: 6, values, range: 100, ragged: false, seed: 1 }
    }
}

/// A node of the path.
#[derive(Clone, Copy, Debug)]
struct PathNode {
    key: u64,
    /// For the side to move.
    value: i32,
}

/// A synthetic tree, at one of its nodes. MAX moves at the root.
#[derive(Clone, Debug)]
pub struct SyntheticTree {
    shape: TreeShape,
    here: PathNode,
    above: Vec<PathNode>,
}

impl SyntheticTree {
    pub fn new(shape: TreeShape) -> Self {
        let key = mix(shape.seed, 0);
        let value = match shape.values {
            TreeValues::Correlated => 0,
            _ => draw(key, -shape.range, shape.range),
        };
        Self { shape, here: PathNode { key, value }, above: Vec::new() }
    }

    pub fn shape(&self) -> TreeShape {
        self.shape
    }

    /// The minimax value, where it is known.
    pub fn known_value(&self) -> Option<i32> {
        (self.shape.values == TreeValues::Ordered).then_some(self.here.value)
    }

    fn children(&self) -> u16 {
        let draw = mix(self.here.key, 2);
        match self.shape.ragged {
            true if draw.is_multiple_of(8) && !self.above.is_empty() => 0,
            true => 1 + ((draw >> 8) % u64::from(self.shape.width)) as u16,
            false => self.shape.width.into(),
        }
    }
}

/// A random number from `least` to `greatest` that belongs to a key.
fn draw(key: u64, least: i32, greatest: i32) -> i32 {
    let count = (greatest - least) as u64 + 1;
    least + (mix(key, 1) % count) as i32
}

impl GameTree for SyntheticTree {
    fn moves(&self) -> Vec<GameMove> {
        (0..self.children()).collect()
    }

    fn play(&mut self, m: GameMove) {
        let (parent, range) = (self.here, self.shape.range);
        self.above.push(parent);
        let key = mix(parent.key, 3 + u64::from(m));
        let value = match self.shape.values {
            TreeValues::Independent => draw(key, -range, range),
            TreeValues::Correlated => -parent.value + draw(key, -range, range),
            TreeValues::Ordered if m == 0 => -parent.value,
            TreeValues::Ordered => -parent.value + draw(key, 0, range),
        };
        self.here = PathNode { key, value };
    }

    /// In an ordered tree a pass keeps the value, as the best move does. Other trees have no
    /// pass.
    fn pass(&mut self) -> bool {
        let passes = self.shape.values == TreeValues::Ordered && self.end().is_none();
        if passes {
            let parent = self.here;
            self.above.push(parent);
            self.here = PathNode { key: mix(parent.key, 1000), value: -parent.value };
        }
        passes
    }

    fn undo(&mut self) {
        if let Some(parent) = self.above.pop() {
            self.here = parent;
        }
    }

    fn end(&self) -> Option<i32> {
        let is_leaf = self.above.len() == usize::from(self.shape.depth) || self.children() == 0;
        is_leaf.then_some(self.here.value)
    }

    /// Leaves have points; MAX wins above 0.
    fn least_win(&self) -> i32 {
        1
    }

    fn value(&self) -> i32 {
        self.here.value
    }

    fn key(&self) -> u64 {
        self.here.key
    }

    fn max_to_move(&self) -> bool {
        self.above.len().is_multiple_of(2)
    }

    fn text(&self, m: GameMove) -> String {
        (u32::from(m) + 1).to_string()
    }
}
