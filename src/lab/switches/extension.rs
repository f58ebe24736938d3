//! The switches of extensions.

use crate::lab::settings::{GivenSettings, SettingInfo};

pub const EXTEND: SettingInfo = SettingInfo::words(
    "extend",
    &["check", "recapture", "seventh", "threat"],
    "moves that do not take from the depth, to twice the plies: checks; captures on the \
     square of the last capture; pawns to the seventh rank; moves of a piece that would win \
     something if it moved again",
);

/// The switches of extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Extensions {
    pub check: bool,
    pub recapture: bool,
    pub seventh: bool,
    pub threat: bool,
}

impl Extensions {
    pub fn new(given: &GivenSettings) -> Self {
        let has = |word| given.has_word(&EXTEND, word);
        Self {
            check: has("check"),
            recapture: has("recapture"),
            seventh: has("seventh"),
            threat: has("threat"),
        }
    }

    pub fn is_on(&self) -> bool {
        *self != Self::default()
    }
}
