//! The switches of futility pruning.

use crate::lab::settings::{GivenSettings, SettingInfo};

pub const DEPTH: SettingInfo = SettingInfo::number(
    "futility",
    [0, 2],
    0,
    "futility pruning of quiet moves: at depth 1, or at depths 1 and 2",
);
pub const MARGIN: SettingInfo = SettingInfo::number(
    "futilitymargin",
    [1, 10_000],
    300,
    "with futility: what a ply may gain, by default a minor piece",
);

/// The switches of futility pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Futility {
    pub depth: u32,
    pub margin: i32,
}

impl Futility {
    pub fn new(given: &GivenSettings) -> Self {
        Self { depth: given.number(&DEPTH) as u32, margin: given.number(&MARGIN) as i32 }
    }

    pub fn is_on(&self) -> bool {
        self.depth > 0
    }
}
