//! What pruning and extensions know of a node.

use crate::lab::game::MoveFacts;

/// What pruning and extensions know of a node on the line from the root to here.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineNode {
    /// The plies left here, without extensions below.
    pub depth: u32,
    /// The move that led here; a pass and the root have no facts.
    pub arrival: MoveFacts,
    /// Whether the depth here was extended.
    pub is_extended: bool,
    /// The null moves on the line.
    pub passes: u32,
    /// The null moves without a move after them.
    pub passes_in_a_row: u32,
    /// Whether the node is searched because its null move failed high.
    pub is_verification: bool,
    /// The static value, if it was asked for.
    pub value: Option<i32>,
}
