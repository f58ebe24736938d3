//! Growing a tree in memory: the steps of the searches that choose which leaf to expand.
//!
//! Each node has a static value from the moment it is added, and the minimax value of the
//! nodes below it after that. A leaf is open, and can be expanded, unless the game ends
//! there or it is at the depth of the search. The tree is exhausted when no leaf is open.

use std::ops::Range;

use crate::lab::game::{GameMove, INFINITE};
use crate::lab::kept_tree::{KeptIndex, KeptTree, ROOT, descend};
use crate::lab::search::leaf::leaf;
use crate::lab::search::switches::Switches;
use crate::lab::{Answer, LawSample, Limit, Proof, Search, Searched, Watch};

/// A node of a [`GrownTree`], with what the algorithm keeps of it.
#[derive(Clone, Copy, Debug)]
pub struct GrownNode<T> {
    /// The minimax value of the tree below it, for the side to move.
    pub value: i32,
    /// Whether it is an open leaf, or one is below it.
    pub is_open: bool,
    pub max_to_move: bool,
    pub data: T,
}

/// A tree that grows leaf by leaf.
pub type GrownTree<T> = KeptTree<GrownNode<T>>;

/// The static value of the position, which is counted as a node and as a leaf, and whether
/// it can be expanded.
pub fn visit(s: &mut Search<'_>) -> Searched<(i32, bool)> {
    s.enter()?;
    if let Some(value) = leaf(s, s.depth_left(), -INFINITE, INFINITE)? {
        return Ok((value, false));
    }
    let value = leaf(s, 0, -INFINITE, INFINITE)?;
    Ok((value.unwrap_or_default(), true))
}

impl<T: Default> GrownNode<T> {
    fn visit(s: &mut Search<'_>) -> Searched<Self> {
        let (value, is_open) = visit(s)?;
        Ok(Self { value, is_open, max_to_move: s.game.max_to_move(), data: T::default() })
    }
}

/// What a visit finds of each child of the node at the end of a path. A child takes
/// `node_bytes`.
pub fn visit_children<T>(
    s: &mut Search<'_>,
    path: &[GameMove],
    node_bytes: usize,
    visit: impl Fn(&mut Search<'_>) -> Searched<T>,
) -> Searched<Vec<(GameMove, T)>> {
    s.go_to(path);
    let moves = s.moves();
    s.keep(moves.len(), node_bytes)?;
    let mut children = Vec::with_capacity(moves.len());
    for m in moves {
        s.play(m);
        children.push((m, visit(s)?));
        s.undo();
    }
    Ok(children)
}

/// Grows a tree from the root by a step again and again, until it is exhausted or a limit is
/// reached.
pub fn grow<T: Default>(
    s: &mut Search<'_>,
    mut step: impl FnMut(&mut Search<'_>, &mut GrownTree<T>) -> Searched<()>,
) -> Searched<GrownTree<T>> {
    grow_until(s, |s, tree| step(s, tree).map(|()| false))
}

/// As [`grow`], but no further once a step finds that the tree is enough, and returns true.
pub fn grow_until<T: Default>(
    s: &mut Search<'_>,
    mut step: impl FnMut(&mut Search<'_>, &mut GrownTree<T>) -> Searched<bool>,
) -> Searched<GrownTree<T>> {
    s.keep(1, GrownTree::<T>::NODE_BYTES)?;
    let mut tree = GrownTree::new(GrownNode::visit(s)?);
    while tree.get(ROOT).is_open {
        match step(s, &mut tree) {
            Ok(false) => {}
            Err(reason) if !tree.is_expanded(ROOT) => return Err(reason),
            Ok(true) | Err(_) => break,
        }
    }
    Ok(tree)
}

/// Expands an open leaf: adds its children with their static values, and updates the nodes
/// above. `changed` is called for the leaf and each node above it after its update.
///
/// # Errors
///
/// If the search has to end; the tree is then unchanged.
pub fn expand<T: Default>(
    s: &mut Search<'_>,
    tree: &mut GrownTree<T>,
    leaf: KeptIndex,
    mut changed: impl FnMut(&mut GrownTree<T>, KeptIndex),
) -> Searched<Range<KeptIndex>> {
    let children =
        visit_children(s, &tree.path(leaf), GrownTree::<T>::NODE_BYTES, GrownNode::visit)?;
    let children = tree.expand(leaf, children);
    for node in tree.line_up(leaf) {
        let best = best_child(tree, node).map_or(-INFINITE, |child| -tree.get(child).value);
        let is_open = tree.children(node).any(|child| tree.get(child).is_open);
        (tree.get_mut(node).value, tree.get_mut(node).is_open) = (best, is_open);
        changed(tree, node);
    }
    Ok(children)
}

/// Grows a tree for a law, within a limit and to the depth of its sample.
pub fn grow_sample<T>(
    sample: &LawSample,
    limit: Limit<'_>,
    grow: impl FnOnce(&mut Search<'_>) -> Searched<T>,
) -> Result<T, String> {
    let (mut game, mut watch) = (sample.game.clone(), Watch::default());
    let search = Search::new(game.tree(), &mut watch, limit, &Switches::default());
    let grown = search.and_then(|mut search| {
        search.depth = sample.depth;
        grow(&mut search)
    });
    grown.map_err(|reason| reason.to_string())
}

/// The child with the best value for the side to move, the least for the other one; the first
/// of equals.
pub fn best_child<T>(tree: &GrownTree<T>, node: KeptIndex) -> Option<KeptIndex> {
    tree.children(node).min_by_key(|&child| tree.get(child).value)
}

/// The minimax value of the tree, and its best line.
pub fn answer<T>(tree: &GrownTree<T>) -> Answer {
    let root = tree.get(ROOT);
    let proof = if root.is_open { Proof::Estimate } else { Proof::Complete };
    Answer { value: root.value, line: best_line(tree, ROOT), proof }
}

/// The moves from the root to a node, and the best line from there.
pub fn best_line<T>(tree: &GrownTree<T>, node: KeptIndex) -> Vec<GameMove> {
    tree.path(descend(node, |node| best_child(tree, node)))
}
