//! What a row leaves out of the tree, and what it adds: pruning and extensions.
//!
//! All of them change the value of a tree. The root is never pruned.

use crate::lab::game::{GameMove, INFINITE};
use crate::lab::search::extension::{self, EXTEND, Extensions, SACRIFICE, SINGULAR};
use crate::lab::search::futility::{self, FUTILITY, FUTILITY_MARGIN, Futility};
use crate::lab::search::node::NodeSearch;
use crate::lab::search::null_move::{self, NullMove};
use crate::lab::search::probcut::{self, ProbCut};
use crate::lab::search::razoring::{self, RAZORING};
use crate::lab::search::trial::{self, PROMOTIONS};
use crate::lab::{GivenSettings, LineNode, Search, Searched, SettingInfo};

/// Static values of inner nodes by material alone.
pub const LAZY: SettingInfo = SettingInfo::flag(
    "lazy",
    "lazy evaluation: material alone for order and pruning, the full evaluation for leaves",
)
.with("order=value or null or futility or razoring");

/// The settings of pruning except the null move and ProbCut.
pub const PRUNING: [SettingInfo; 3] = [FUTILITY, FUTILITY_MARGIN, RAZORING];

/// The settings of extensions.
pub const EXTENSIONS: [SettingInfo; 4] = [EXTEND, SACRIFICE, SINGULAR, PROMOTIONS];

/// The switches of pruning and extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    pub null: NullMove,
    pub probcut: ProbCut,
    pub futility: Futility,
    pub razoring: bool,
    pub extensions: Extensions,
    /// The depth of the searches that choose a promotion; 0 for none.
    pub promotions: u32,
    /// Whether static values of inner nodes are material alone.
    pub lazy: bool,
}

impl Selection {
    pub fn new(given: &GivenSettings) -> Self {
        Self {
            null: NullMove::new(given),
            probcut: ProbCut::new(given),
            futility: Futility::new(given),
            razoring: given.has(&RAZORING),
            extensions: Extensions::new(given),
            promotions: given.number(&PROMOTIONS) as u32,
            lazy: given.has(&LAZY),
        }
    }

    /// Whether the tree is the full tree to the depth.
    pub fn is_off(&self) -> bool {
        !self.null.is_on()
            && !self.probcut.is_on()
            && !self.futility.is_on()
            && !self.razoring
            && !self.extensions.is_on()
            && self.promotions == 0
    }
}

/// The pruning of [`node::enter_node`](crate::lab::search::node::enter_node), with pruning or
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

/// As [`node::search_move`](crate::lab::search::node::search_move), with pruning or extensions
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
