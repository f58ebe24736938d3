//! The steps of a node of an algorithm that searches a window: what may end it before its
//! moves are searched, and the search of a move. Pruning, extensions and internal iterative
//! deepening are in them, which search the node, or its children, again.

use std::fmt;

use crate::lab::game::GameMove;
use crate::lab::order::IID_REDUCTION;
use crate::lab::search::leaf::leaf;
use crate::lab::search::selective;
use crate::lab::{Search, Searched};

/// An algorithm with a function that searches one node.
pub trait NodeSearch: fmt::Debug + Send + Sync {
    /// The value of this node to a depth, as far as a window needs it.
    fn node(&self, s: &mut Search<'_>, depth: u32, alpha: i32, beta: i32) -> Searched<i32>;
}

/// Enters a node. It has a value without a search of its moves if it is a leaf, if the table
/// knows enough, or if it is pruned. If it goes on, internal iterative deepening looks for its
/// first move.
pub fn enter_node(
    algorithm: &dyn NodeSearch,
    s: &mut Search<'_>,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Searched<Option<i32>> {
    s.enter()?;
    if let Some(value) = leaf(s, depth, alpha, beta)? {
        return Ok(Some(value));
    }
    if let Some(value) = s.probe(depth, alpha, beta) {
        return Ok(Some(value));
    }
    if s.is_selective {
        let pruned = selective::prune(algorithm, s, depth, alpha, beta)?;
        if pruned.is_some() {
            return Ok(pruned);
        }
    }
    if s.lacks_first_move(depth) {
        algorithm.node(s, depth - IID_REDUCTION, alpha, beta)?;
        s.keep_first_move(depth);
    }
    Ok(None)
}

/// The value of a move, for the side that makes it: its child is searched a ply less deep.
/// Extensions add to that depth, and a move that is pruned gets a value of at most alpha.
pub fn search_move(
    algorithm: &dyn NodeSearch,
    s: &mut Search<'_>,
    m: GameMove,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Searched<i32> {
    if s.is_selective {
        return selective::search_move(algorithm, s, m, depth, alpha, beta);
    }
    s.play(m);
    let value = -algorithm.node(s, depth - 1, -beta, -alpha)?;
    s.undo();
    Ok(value)
}
