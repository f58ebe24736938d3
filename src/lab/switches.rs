//! What can be switched on for any algorithm that searches depth-first.

use crate::lab::law::Law;
use crate::lab::order::{ORDER, OrderFlags};
use crate::lab::selective::{self, Selection, extension, futility, null_move, razoring};
use crate::lab::settings::{GivenSettings, SettingInfo};
use crate::lab::table::Replacement;

/// How a leaf gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LeafMode {
    /// The static value.
    #[default]
    Static,
    /// A search of captures and promotions.
    Captures,
}

/// The switches of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Switches {
    pub order: OrderFlags,
    pub leaf: LeafMode,
    /// The entries of the table; 0 for no table.
    pub table: usize,
    pub replacement: Replacement,
    /// Search to depth 1, 2, … first.
    pub deepen: bool,
    /// Half of the width of the first window around the last value; 0 for an open window.
    pub aspiration: i32,
    pub selection: Selection,
}

const LEAF: SettingInfo = SettingInfo::word(
    "leaf",
    &["static", "captures"],
    "the value of a leaf: static, or by a search of captures and promotions",
);
const TABLE: SettingInfo =
    SettingInfo::number("table", [0, (1 << 32) - 1], 0, "a transposition table of N entries");
const REPLACE: SettingInfo = SettingInfo::word(
    "replace",
    &Replacement::NAMES,
    "which entry of the table stays: the deeper, the newer or the older",
);
const DEEPEN: SettingInfo = SettingInfo::flag("deepen", "iterative deepening");
const ASPIRATION: SettingInfo = SettingInfo::number(
    "aspiration",
    [0, 10_000],
    0,
    "with deepen: begin with a window of N on either side of the last value",
);

/// All switches, in groups.
pub const SWITCHES: [(&str, &[SettingInfo]); 5] = [
    ("order and leaves", &[ORDER, LEAF]),
    ("table", &[TABLE, REPLACE]),
    ("null move", &null_move::SETTINGS),
    ("pruning and extensions", &selective::SETTINGS),
    ("drivers", &[DEEPEN, ASPIRATION]),
];

/// The laws of the switches.
pub const SWITCH_LAWS: [&[Law]; 4] =
    [&null_move::LAWS, &futility::LAWS, &razoring::LAWS, &extension::LAWS];

/// The settings of all switches.
pub fn switch_settings() -> impl Iterator<Item = &'static SettingInfo> {
    SWITCHES.iter().flat_map(|(_, settings)| *settings)
}

impl Switches {
    pub fn new(given: &GivenSettings) -> Self {
        Self {
            order: OrderFlags::new(given),
            leaf: match given.word(&LEAF) {
                "captures" => LeafMode::Captures,
                _ => LeafMode::Static,
            },
            table: given.number(&TABLE) as usize,
            replacement: Replacement::named(given.word(&REPLACE)),
            deepen: given.has(&DEEPEN),
            aspiration: given.number(&ASPIRATION) as i32,
            selection: Selection::new(given),
        }
    }
}
