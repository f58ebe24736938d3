//! The switch of razoring.

use crate::lab::settings::{GivenSettings, SettingInfo};

/// The depth at which moves are pruned.
pub const RAZOR_DEPTH: u32 = 2;

pub const RAZORING: SettingInfo = SettingInfo::flag(
    "razoring",
    "at depth 2, sort moves by static values and prune from the first at most alpha on",
);

/// Whether razoring is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Razoring(bool);

impl Razoring {
    pub fn new(given: &GivenSettings) -> Self {
        Self(given.has(&RAZORING))
    }

    pub fn is_on(&self) -> bool {
        self.0
    }
}
