//! What a row leaves out of the tree, and what it adds: pruning and extensions.
//!
//! | to read | what it does |
//! |---|---|
//! | [`null_move`] | a pass that fails high prunes the node, or the move before it |
//! | [`probcut`] | a shallow search prunes a node that is probably outside the window |
//! | [`futility`] | prunes quiet moves near the leaves that are far below alpha |
//! | [`razoring`] | two plies above the leaves, prunes moves by their static values |
//! | [`extension`] | searches checks, recaptures and threats deeper |
//! | [`trial`] | shallow searches find singular moves, and the piece of a promotion |
//!
//! All of them change the value of a tree. The root is never pruned.

pub mod extension;
pub mod futility;
pub mod null_move;
pub mod probcut;
pub mod razoring;
pub mod trial;

use crate::lab::game::{GameMove, INFINITE};
use crate::lab::limit::Searched;
use crate::lab::node::NodeSearch;
use crate::lab::search::{LineNode, Search};

/// The pruning of [`node::enter_node`](crate::lab::node::enter_node), with pruning or
/// extensions switched on.
pub fn prune(
    algorithm: &dyn NodeSearch,
    s: &mut Search<'_>,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Searched<Option<i32>> {
    s.line_node().depth = depth;
    match null_move::prune(algorithm, s, depth, alpha, beta)? {
        None => probcut::prune(algorithm, s, depth, alpha, beta),
        pruned => Ok(pruned),
    }
}

/// As [`node::search_move`](crate::lab::node::search_move), with pruning or extensions
/// switched on.
pub fn search_move(
    algorithm: &dyn NodeSearch,
    s: &mut Search<'_>,
    m: GameMove,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Searched<i32> {
    let facts = s.game.facts(m);
    let is_root = s.ply() == 0;
    if let Some(bound) = futility::bound(s, facts, depth, alpha).filter(|_| !is_root) {
        return Ok(bound);
    }
    if trial::is_wrong_promotion(s, m, facts)? {
        return Ok(-INFINITE);
    }
    let parent = *s.line_node();
    let is_forcing = extension::is_sacrifice(s, m) || trial::is_singular(s, m, depth)?;
    s.play(m);
    *s.line_node() = LineNode { arrival: facts, passes: parent.passes, ..LineNode::default() };
    let mut pruned = None;
    if !is_root {
        pruned = razoring::bound(s, depth, alpha);
        if pruned.is_none() {
            pruned = null_move::bound_of_move(algorithm, s, depth, alpha)?;
        }
    }
    let value = match pruned {
        Some(bound) => bound,
        None => {
            let extension = extension::plies(s, parent.arrival, is_forcing)?;
            s.line_node().is_extended = extension > 0;
            -algorithm.node(s, depth - 1 + extension, -beta, -alpha)?
        }
    };
    s.undo();
    Ok(value)
}
