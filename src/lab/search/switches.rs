//! What can be switched on for any algorithm that has the step.

use serde::Serialize;

use crate::lab::order::{ORDER, OrderFlags};
use crate::lab::search::leaf::{self, LeafMode};
use crate::lab::search::selective::{self, Selection};
use crate::lab::search::{null_move, probcut};
use crate::lab::table::equivalence::Equivalence;
use crate::lab::table::replacement::Replacement;
use crate::lab::{GivenSettings, SettingInfo};

/// The switches of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Switches {
    pub order: OrderFlags,
    pub leaf: LeafMode,
    /// The entries of the table; 0 for no table.
    pub table: usize,
    pub replacement: Replacement,
    /// The entries of the table of moves alone; 0 for no such table.
    pub moves: usize,
    pub classes: Equivalence,
    /// Keep the table from one search of a game to the next.
    pub keep: bool,
    /// What a draw is worth less than nothing.
    pub contempt: i32,
    /// Search to depth 1, 2, … first.
    pub deepen: bool,
    /// Half of the width of the first window around the last value; 0 for an open window.
    pub aspiration: i32,
    pub selection: Selection,
}

const TABLE: SettingInfo =
    SettingInfo::number("table", [0, (1 << 32) - 1], 0, "a transposition table of N entries");
const REPLACE: SettingInfo = SettingInfo::word(
    "replace",
    &Replacement::NAMES,
    "which entry of the table stays: the deeper, the newer, the older; the one with more nodes \
     below it, found ones as one node or all; in two places the deepest, or biggest, and the \
     newest; in a cluster of six all but the least deep, or the least often found",
);
const MOVES: SettingInfo = SettingInfo::number(
    "moves",
    [0, (1 << 32) - 1],
    0,
    "a table of N best moves alone, for order=tt, next to the table of values or without one",
);
const CLASSES: SettingInfo = SettingInfo::word(
    "classes",
    &Equivalence::NAMES,
    "positions that share an entry: equal ones; reflections; those and ones with the sides \
     exchanged; coarse, ones with the same static value and number of moves, so that values \
     may be wrong",
);
const KEEP: SettingInfo = SettingInfo::flag(
    "keep",
    "with table: in games the table stays from one move to the next, and from game to game; \
     --table-file of compare, match and uci keeps it in a file",
);
const CONTEMPT: SettingInfo = SettingInfo::number(
    "contempt",
    [-1000, 1000],
    0,
    "in chess a draw is worth N less than nothing for the side that searches",
);
const DEEPEN: SettingInfo = SettingInfo::flag("deepen", "iterative deepening");
const ASPIRATION: SettingInfo = SettingInfo::number(
    "aspiration",
    [0, 10_000],
    0,
    "with deepen: begin with a window of N on either side of the last value",
);

/// Switches that belong together.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SwitchGroup {
    pub name: &'static str,
    /// The algorithms that heed them; the others go on as without them.
    pub algorithms: &'static str,
    pub settings: &'static [SettingInfo],
}

impl SwitchGroup {
    const fn new(
        name: &'static str,
        algorithms: &'static str,
        settings: &'static [SettingInfo],
    ) -> Self {
        Self { name, algorithms, settings }
    }
}

/// The algorithms with a node function that prunes.
const PRUNING: &str = "ab, negascout, pvs";

/// The pruning and the extensions that an algorithm heeds.
fn heeded(algorithm: &str, selection: Selection) -> Selection {
    if PRUNING.split(", ").any(|name| name == algorithm) {
        return selection;
    }
    let Selection { lazy, extensions, promotions, .. } = selection;
    match algorithm {
        "negamax" => Selection { lazy, extensions, promotions, ..Selection::default() },
        _ => Selection { lazy, ..Selection::default() },
    }
}

/// All switches, in groups.
pub const SWITCHES: [SwitchGroup; 8] = [
    SwitchGroup::new("order", "all but lovec", &[ORDER]),
    SwitchGroup::new("leaves", "all but lovec", &leaf::SETTINGS),
    SwitchGroup::new(
        "table",
        "negamax, ab, probability, hybrid, b-star-95 and all with null windows",
        &[TABLE, REPLACE, MOVES, CLASSES, KEEP],
    ),
    SwitchGroup::new("null move", PRUNING, &null_move::SETTINGS),
    SwitchGroup::new("ProbCut", PRUNING, &probcut::SETTINGS),
    SwitchGroup::new(
        "pruning and extensions",
        "ab, negascout, pvs; extensions also negamax",
        &selective::SETTINGS,
    ),
    SwitchGroup::new("draws", "all but lovec", &[CONTEMPT]),
    SwitchGroup::new(
        "drivers",
        "minimax to dual; aspiration ab, probability, hybrid and all with null windows",
        &[DEEPEN, ASPIRATION],
    ),
];

/// The settings of all switches.
pub fn switch_settings() -> impl Iterator<Item = &'static SettingInfo> {
    SWITCHES.iter().flat_map(|group| group.settings)
}

impl Switches {
    /// Of the settings that are given for an algorithm.
    pub fn new(algorithm: &str, given: &GivenSettings) -> Self {
        Self {
            order: OrderFlags::new(given),
            leaf: LeafMode::new(given),
            table: given.number(&TABLE) as usize,
            replacement: given.choice(&REPLACE, &Replacement::ALL),
            moves: given.number(&MOVES) as usize,
            classes: given.choice(&CLASSES, &Equivalence::ALL),
            keep: given.has(&KEEP),
            contempt: given.number(&CONTEMPT) as i32,
            deepen: given.has(&DEEPEN),
            aspiration: given.number(&ASPIRATION) as i32,
            selection: heeded(algorithm, Selection::new(given)),
        }
    }
}
