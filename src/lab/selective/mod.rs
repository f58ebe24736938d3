//! What a row leaves out of the tree, and what it adds: pruning and extensions.
//!
//! | to read | what it does |
//! |---|---|
//! | [`null_move`] | a pass that fails high prunes the node, or the move before it |
//! | [`futility`] | prunes quiet moves near the leaves that are far below alpha |
//! | [`razoring`] | two plies above the leaves, prunes moves by their static values |
//! | [`extension`] | searches checks, recaptures and threats deeper |
//!
//! All of them change the value of a tree. The root is never pruned.

pub mod extension;
pub mod futility;
pub mod null_move;
pub mod razoring;

use crate::lab::game::{GameTree, MoveFacts};
use crate::lab::limit::StopReason;
use crate::lab::node::NodeSearch;
use crate::lab::search::Search;
use crate::lab::selective::extension::Extensions;
use crate::lab::selective::futility::Futility;
use crate::lab::selective::null_move::NullMove;
use crate::lab::selective::razoring::Razoring;
use crate::lab::settings::{GivenSettings, SettingInfo};
use crate::lab::watch::Watch;

/// Static values of inner nodes by material alone.
const LAZY: SettingInfo = SettingInfo::flag(
    "lazy",
    "lazy evaluation: material alone for order and pruning, the full evaluation for leaves",
);

/// The settings next to those of the null move.
pub const SETTINGS: [SettingInfo; 5] =
    [futility::DEPTH, futility::MARGIN, razoring::RAZORING, extension::EXTEND, LAZY];

/// The switches of pruning and extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Selection {
    pub null: NullMove,
    pub futility: Futility,
    pub razoring: Razoring,
    pub extensions: Extensions,
    /// Whether static values of inner nodes are material alone.
    pub lazy: bool,
}

impl Selection {
    pub fn new(given: &GivenSettings) -> Self {
        Self {
            null: NullMove::new(given),
            futility: Futility::new(given),
            razoring: Razoring::new(given),
            extensions: Extensions::new(given),
            lazy: given.has(&LAZY),
        }
    }

    /// Whether the tree is the full tree to the depth.
    pub fn is_off(&self) -> bool {
        !self.null.is_on()
            && !self.futility.is_on()
            && !self.razoring.is_on()
            && !self.extensions.is_on()
    }
}

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

/// As [`node::prune`](crate::lab::node::prune), with pruning or extensions switched on.
///
/// # Errors
///
/// If the search has to end.
#[inline(never)]
pub fn prune<A: NodeSearch, G: GameTree, W: Watch>(
    algorithm: &A,
    s: &mut Search<'_, G, W>,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Result<Option<i32>, StopReason> {
    s.line_node().depth = depth;
    null_move::prune(algorithm, s, depth, alpha, beta)
}

/// As [`node::search_move`](crate::lab::node::search_move), with pruning or extensions
/// switched on.
///
/// # Errors
///
/// If the search has to end.
#[inline(never)]
pub fn search_move<A: NodeSearch, G: GameTree, W: Watch>(
    algorithm: &A,
    s: &mut Search<'_, G, W>,
    m: G::Move,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Result<i32, StopReason> {
    let facts = s.game.facts(m);
    let is_root = s.ply() == 0;
    if let Some(bound) = futility::bound(s, facts, depth, alpha).filter(|_| !is_root) {
        return Ok(bound);
    }
    let parent = *s.line_node();
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
            let extension = extension::plies(s, parent.arrival)?;
            s.line_node().is_extended = extension > 0;
            -algorithm.node(s, depth - 1 + extension, -beta, -alpha)?
        }
    };
    s.undo();
    Ok(value)
}
