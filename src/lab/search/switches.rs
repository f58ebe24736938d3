//! What can be switched on for any algorithm that has the step.

use serde::Serialize;

use crate::lab::order::{ORDER, OrderFlags};
use crate::lab::search::leaf::{self, LAZY_LEAF, LeafMode};
use crate::lab::search::selective::{self, LAZY, Selection};
use crate::lab::search::{null_move, probcut};
use crate::lab::table::equivalence::Equivalence;
use crate::lab::table::replacement::Replacement;
use crate::lab::{GivenSettings, Proof, SettingInfo};

/// The switches of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
)
.with("table");
const MOVES: SettingInfo = SettingInfo::number(
    "moves",
    [0, (1 << 32) - 1],
    0,
    "a table of N best moves alone, for order=tt, next to the table of values or without one",
)
.with("order=tt or order=iid");
const CLASSES: SettingInfo = SettingInfo::word(
    "classes",
    &Equivalence::NAMES,
    "positions that share an entry: equal ones; reflections; those and ones with the sides \
     exchanged; coarse, ones with the same static value and number of moves, so that values \
     may be wrong",
)
.with("table or moves");
const KEEP: SettingInfo = SettingInfo::flag(
    "keep",
    "with table: in games the table stays from one move to the next, and from game to game",
)
.with("table");
const CONTEMPT: SettingInfo = SettingInfo::number(
    "contempt",
    [-1000, 1000],
    0,
    "in chess a draw is worth N less than nothing for the side that searches",
);
pub const DEEPEN: SettingInfo = SettingInfo::flag("deepen", "iterative deepening");
const ASPIRATION: SettingInfo = SettingInfo::number(
    "aspiration",
    [0, 10_000],
    0,
    "with deepen: begin with a window of N on either side of the last value",
)
.with("deepen");

/// Switches that belong together.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SwitchGroup {
    pub name: &'static str,
    /// The names of the algorithms that heed them; the others go on as without them.
    pub algorithms: &'static str,
    pub settings: &'static [SettingInfo],
}

/// The algorithms with a node function that prunes.
const PRUNING: &str = "ab, scout, negascout, pvs";

/// The algorithms that iterative deepening can run.
const DEEPENED: &str = "minimax, negamax, ab, m-n, product, probability, hybrid, abc, scout, \
                        negascout, pvs, mtdf, mtd, sss, dual";

/// Those of them that search within a window.
const WINDOW: &str = "ab, probability, hybrid, scout, negascout, pvs, mtdf, mtd";

/// Those whose leaves have a window.
const LEAF_WINDOW: &str = "ab, probability, hybrid, scout, negascout, pvs, mtdf, mtd, b-star-95";

/// All algorithms that share the steps of a search.
const ALL: &str = "all but lovec";

/// All switches, in groups.
pub const SWITCHES: [SwitchGroup; 11] = [
    SwitchGroup { name: "order", algorithms: ALL, settings: &[ORDER, LAZY] },
    SwitchGroup { name: "leaves", algorithms: ALL, settings: &leaf::SETTINGS },
    SwitchGroup { name: "lazy leaves", algorithms: LEAF_WINDOW, settings: &[LAZY_LEAF] },
    SwitchGroup {
        name: "table",
        algorithms: "negamax, ab, probability, hybrid, scout, negascout, pvs, mtdf, mtd, b-star-95",
        settings: &[TABLE, REPLACE, MOVES, CLASSES, KEEP],
    },
    SwitchGroup { name: "null move", algorithms: PRUNING, settings: &null_move::SETTINGS },
    SwitchGroup { name: "ProbCut", algorithms: PRUNING, settings: &probcut::SETTINGS },
    SwitchGroup { name: "pruning", algorithms: PRUNING, settings: &selective::PRUNING },
    SwitchGroup {
        name: "extensions",
        algorithms: "negamax, ab, scout, negascout, pvs",
        settings: &selective::EXTENSIONS,
    },
    SwitchGroup { name: "draws", algorithms: ALL, settings: &[CONTEMPT] },
    SwitchGroup { name: "deepening", algorithms: DEEPENED, settings: &[DEEPEN] },
    SwitchGroup { name: "aspiration", algorithms: WINDOW, settings: &[ASPIRATION] },
];

/// The settings of all switches.
pub fn switch_settings() -> Vec<SettingInfo> {
    SWITCHES.iter().flat_map(|group| group.settings).copied().collect()
}

/// The settings of the switches that an algorithm heeds.
pub fn heeded_switches(algorithm: &str) -> Vec<SettingInfo> {
    let heeded = SWITCHES.iter().filter(|group| match group.algorithms {
        ALL => algorithm != "lovec",
        names => names.split(", ").any(|name| name == algorithm),
    });
    heeded.flat_map(|group| group.settings).copied().collect()
}

impl Default for Switches {
    /// Of a row without settings.
    fn default() -> Self {
        Self::new(&GivenSettings::default())
    }
}

impl Switches {
    /// Of the settings that are given for an algorithm, all of which it heeds.
    pub fn new(given: &GivenSettings) -> Self {
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
            selection: Selection::new(given),
        }
    }

    /// What the value of a search to the depth means.
    pub fn proof(&self) -> Proof {
        let is_coarse = self.table > 0 && self.classes == Equivalence::Coarse;
        if self.selection.is_off() && !is_coarse && !self.leaf.is_lazy() {
            Proof::Complete
        } else {
            Proof::Estimate
        }
    }
}
