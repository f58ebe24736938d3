//! The steps of a node of an algorithm that searches a window: what may end it before its
//! moves are searched, and the search of a move. Pruning, extensions and internal iterative
//! deepening are in them, which search the node, or its children, again.

use crate::lab::game::GameMove;
use crate::lab::leaf::leaf;
use crate::lab::limit::StopReason;
use crate::lab::node_search::NodeSearch;
use crate::lab::order::IID_REDUCTION;
use crate::lab::search::Search;
use crate::lab::selective;

/// Enters a node. It has a value without a search of its moves if it is a leaf, if the table
/// knows enough, or if it is pruned.
#[inline]
pub fn enter_node<A: NodeSearch>(
    algorithm: &A,
    s: &mut Search<'_>,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Result<Option<i32>, StopReason> {
    s.enter()?;
    if let Some(value) = leaf(s, depth, alpha, beta)? {
        return Ok(Some(value));
    }
    if let Some(value) = s.probe(depth, alpha, beta) {
        return Ok(Some(value));
    }
    prune(algorithm, s, depth, alpha, beta)
}

/// The value with which pruning ends a node before its moves are searched. If the node goes
/// on, internal iterative deepening looks for its first move.
#[inline]
fn prune<A: NodeSearch>(
    algorithm: &A,
    s: &mut Search<'_>,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Result<Option<i32>, StopReason> {
    if s.is_selective() {
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
#[inline]
pub fn search_move<A: NodeSearch>(
    algorithm: &A,
    s: &mut Search<'_>,
    m: GameMove,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Result<i32, StopReason> {
    if s.is_selective() {
        return selective::search_move(algorithm, s, m, depth, alpha, beta);
    }
    s.play(m);
    let value = -algorithm.node(s, depth - 1, -beta, -alpha)?;
    s.undo();
    Ok(value)
}
