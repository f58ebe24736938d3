//! The switches of extensions.

use crate::lab::settings::{GivenSettings, SettingInfo};

pub const EXTEND: SettingInfo = SettingInfo::words(
    "extend",
    &["check", "recapture", "seventh", "threat", "sacrifice"],
    "moves that do not take from the depth, to twice the plies: checks; captures on the \
     square of the last capture; pawns to the seventh rank; moves of a piece that would win \
     something if it moved again; moves that lose material and prepare much",
);
pub const SACRIFICE: SettingInfo = SettingInfo::number(
    "sacrifice",
    [0, 1000],
    8,
    "with extend=sacrifice: the captures, promotions, checks, pins and forks that a move that \
     loses material has to prepare; a check counts as twenty",
);

/// The switches of extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Extensions {
    pub check: bool,
    pub recapture: bool,
    pub seventh: bool,
    pub threat: bool,
    /// The least potential of a sacrifice.
    pub sacrifice: Option<i32>,
}

impl Extensions {
    pub fn new(given: &GivenSettings) -> Self {
        let has = |word| given.has_word(&EXTEND, word);
        Self {
            check: has("check"),
            recapture: has("recapture"),
            seventh: has("seventh"),
            threat: has("threat"),
            sacrifice: has("sacrifice").then(|| given.number(&SACRIFICE) as i32),
        }
    }

    pub fn is_on(&self) -> bool {
        *self != Self::default()
    }
}
