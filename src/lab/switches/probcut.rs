//! The switches of ProbCut.

use crate::lab::settings::{GivenSettings, SettingInfo};

const DEPTH: SettingInfo = SettingInfo::number(
    "probcut",
    [0, 100],
    0,
    "ProbCut: the depth of the nodes that a shallow search prunes if their value is probably \
     outside the window; 0 for none. `lovec lab fit` finds its slope, shift and error",
);
const SHALLOW: SettingInfo =
    SettingInfo::number("probcutshallow", [0, 99], 1, "with probcut: the depth of that search");
const SLOPE: SettingInfo = SettingInfo::number(
    "probcutslope",
    [1, 1000],
    100,
    "with probcut: a value expected at the depth is N percent of the shallow one, …",
);
const SHIFT: SettingInfo =
    SettingInfo::number("probcutshift", [-10_000, 10_000], 0, "with probcut: … and N points");
const ERROR: SettingInfo = SettingInfo::number(
    "probcuterror",
    [0, 10_000],
    100,
    "with probcut: the standard deviation of values from what is expected",
);
const WIDTH: SettingInfo = SettingInfo::number(
    "probcutwidth",
    [0, 1000],
    150,
    "with probcut: prune if the window is N percent of that error from what is expected",
);

pub const SETTINGS: [SettingInfo; 6] = [DEPTH, SHALLOW, SLOPE, SHIFT, ERROR, WIDTH];

/// The switches of ProbCut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ProbCut {
    /// The depth of the nodes that are pruned; 0 for none.
    pub depth: u32,
    /// The depth of the search that prunes them.
    pub shallow: u32,
    /// The deep value that is expected, in percent of the shallow one, …
    pub slope: i32,
    /// … and what is added to that.
    pub shift: i32,
    /// How far from the window the expected value has to be.
    pub margin: i32,
}

impl ProbCut {
    pub fn new(given: &GivenSettings) -> Self {
        Self {
            depth: given.number(&DEPTH) as u32,
            shallow: given.number(&SHALLOW) as u32,
            slope: given.number(&SLOPE) as i32,
            shift: given.number(&SHIFT) as i32,
            margin: (given.number(&ERROR) * given.number(&WIDTH) / 100) as i32,
        }
    }

    /// Whether nodes are pruned. A search that is not shallower would say nothing new.
    pub fn is_on(&self) -> bool {
        self.shallow < self.depth
    }
}
