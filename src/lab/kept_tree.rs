//! A tree that is kept in memory, for the searches that expand it where it matters most.
//!
//! A node has a move and what the algorithm keeps of it, not a position: a search goes to a
//! node by [`Search::go_to`] with the [`path`](KeptTree::path) to it.
//! [`Search::keep`] counts the nodes.
//!
//! [`Search::go_to`]: crate::lab::search::Search::go_to
//! [`Search::keep`]: crate::lab::search::Search::keep

use std::ops::Range;

use crate::lab::game::GameMove;

/// A node of a [`KeptTree`], by the order in which nodes were added.
pub type KeptIndex = usize;

/// The first node.
pub const ROOT: KeptIndex = 0;

/// A tree whose nodes hold a `T` each.
#[derive(Clone, Debug)]
pub struct KeptTree<T> {
    nodes: Vec<KeptNode<T>>,
}

#[derive(Clone, Debug)]
struct KeptNode<T> {
    /// The parent; of the root itself.
    parent: u32,
    /// The move from there; of the root none.
    last_move: GameMove,
    /// The children, which were added together.
    children: Range<u32>,
    data: T,
}

impl<T> KeptTree<T> {
    /// The bytes of a node.
    pub const NODE_BYTES: usize = size_of::<KeptNode<T>>();

    /// A tree of its root.
    pub fn new(root: T) -> Self {
        Self { nodes: vec![KeptNode { parent: 0, last_move: 0, children: 0..0, data: root }] }
    }

    /// Adds the children of a node that has none, and returns them.
    pub fn expand(
        &mut self,
        node: KeptIndex,
        children: impl IntoIterator<Item = (GameMove, T)>,
    ) -> Range<KeptIndex> {
        debug_assert!(!self.is_expanded(node));
        let first = self.nodes.len();
        let parent = node as u32;
        let child = |(last_move, data)| KeptNode { parent, last_move, children: 0..0, data };
        self.nodes.extend(children.into_iter().map(child));
        self.nodes[node].children = first as u32..self.nodes.len() as u32;
        self.children(node)
    }

    /// The children of a node in the order of their addition.
    pub fn children(&self, node: KeptIndex) -> Range<KeptIndex> {
        let Range { start, end } = self.nodes[node].children;
        start as usize..end as usize
    }

    pub fn is_expanded(&self, node: KeptIndex) -> bool {
        !self.nodes[node].children.is_empty()
    }

    pub fn parent(&self, node: KeptIndex) -> Option<KeptIndex> {
        (node != ROOT).then(|| self.nodes[node].parent as usize)
    }

    /// The move that leads to a node; `None` for the root.
    pub fn last_move(&self, node: KeptIndex) -> Option<GameMove> {
        (node != ROOT).then(|| self.nodes[node].last_move)
    }

    /// A node and the nodes above it, up to the root.
    pub fn line_up(&self, node: KeptIndex) -> Vec<KeptIndex> {
        std::iter::successors(Some(node), |&node| self.parent(node)).collect()
    }

    /// The moves from the root to a node.
    pub fn path(&self, node: KeptIndex) -> Vec<GameMove> {
        let line = self.line_up(node).into_iter().rev();
        line.filter_map(|node| self.last_move(node)).collect()
    }

    pub fn get(&self, node: KeptIndex) -> &T {
        &self.nodes[node].data
    }

    pub fn get_mut(&mut self, node: KeptIndex) -> &mut T {
        &mut self.nodes[node].data
    }

    /// The number of nodes.
    #[expect(clippy::len_without_is_empty, reason = "there is a root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
}

/// Where the way down from a node ends, if `next` chooses a child at each.
pub fn descend(mut node: KeptIndex, next: impl Fn(KeptIndex) -> Option<KeptIndex>) -> KeptIndex {
    while let Some(child) = next(node) {
        node = child;
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_children() {
        let mut tree = KeptTree::new(10);
        assert_eq!(tree.expand(ROOT, [(7, 1), (8, 2)]), 1..3);
        assert_eq!(tree.expand(2, [(9, 3)]), 3..4);
        assert_eq!((tree.path(3), tree.path(0)), (vec![8, 9], vec![]));
        assert_eq!((tree.parent(3), tree.parent(0), tree.last_move(1)), (Some(2), None, Some(7)));
        assert!(tree.is_expanded(2) && !tree.is_expanded(1));
        *tree.get_mut(3) += 4;
        assert_eq!((*tree.get(3), tree.len()), (7, 4));
    }
}
