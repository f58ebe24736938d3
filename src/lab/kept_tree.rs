//! A tree that is kept in memory, for the searches that expand it where it matters most.
//!
//! A node has a move and what the algorithm keeps of it, not a position: a search goes to a
//! node by [`Search::go_to`] with the [`path`](KeptTree::path) to it.
//! [`Search::keep`] counts the nodes.
//!
//! [`Search::go_to`]: crate::lab::search::Search::go_to
//! [`Search::keep`]: crate::lab::search::Search::keep

use std::ops::Range;

/// A node of a [`KeptTree`], by the order in which nodes were added.
pub type KeptIndex = usize;

/// A tree whose nodes hold a `T` each.
#[derive(Clone, Debug)]
pub struct KeptTree<M, T> {
    nodes: Vec<KeptNode<M, T>>,
}

#[derive(Clone, Debug)]
struct KeptNode<M, T> {
    /// The parent and the move from there; `None` for the root.
    origin: Option<(u32, M)>,
    /// The children, which were added together.
    children: Range<u32>,
    data: T,
}

impl<M: Copy, T> KeptTree<M, T> {
    pub const ROOT: KeptIndex = 0;

    /// The bytes of a node.
    pub const NODE_BYTES: usize = size_of::<KeptNode<M, T>>();

    /// A tree of its root.
    pub fn new(root: T) -> Self {
        Self { nodes: vec![KeptNode { origin: None, children: 0..0, data: root }] }
    }

    /// Adds the children of a node that has none, and returns them.
    pub fn expand(
        &mut self,
        node: KeptIndex,
        children: impl IntoIterator<Item = (M, T)>,
    ) -> Range<KeptIndex> {
        debug_assert!(!self.is_expanded(node));
        let first = self.nodes.len();
        let child = |(m, data)| KeptNode { origin: Some((node as u32, m)), children: 0..0, data };
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
        self.nodes[node].origin.map(|(parent, _)| parent as usize)
    }

    /// The move that leads to a node; `None` for the root.
    pub fn last_move(&self, node: KeptIndex) -> Option<M> {
        self.nodes[node].origin.map(|(_, m)| m)
    }

    /// The moves from the root to a node.
    pub fn path(&self, node: KeptIndex) -> Vec<M> {
        let ancestors = std::iter::successors(Some(node), |&node| self.parent(node));
        let mut path: Vec<M> = ancestors.filter_map(|node| self.last_move(node)).collect();
        path.reverse();
        path
    }

    pub fn get(&self, node: KeptIndex) -> &T {
        &self.nodes[node].data
    }

    pub fn get_mut(&mut self, node: KeptIndex) -> &mut T {
        &mut self.nodes[node].data
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes: never, since there is a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_children() {
        let mut tree = KeptTree::new(10);
        assert_eq!(tree.expand(KeptTree::<char, i32>::ROOT, [('a', 1), ('b', 2)]), 1..3);
        assert_eq!(tree.expand(2, [('c', 3)]), 3..4);
        assert_eq!((tree.path(3), tree.path(0)), (vec!['b', 'c'], vec![]));
        assert_eq!((tree.parent(3), tree.parent(0), tree.last_move(1)), (Some(2), None, Some('a')));
        assert!(tree.is_expanded(2) && !tree.is_expanded(1));
        *tree.get_mut(3) += 4;
        assert_eq!((*tree.get(3), tree.len()), (7, 4));
    }
}
