//! The switches of pruning and extensions.

use crate::lab::settings::{GivenSettings, SettingInfo};
use crate::lab::switches::extension::{self, Extensions};
use crate::lab::switches::futility::{self, Futility};
use crate::lab::switches::null_move::NullMove;
use crate::lab::switches::probcut::ProbCut;
use crate::lab::switches::razoring::{self, Razoring};

/// Static values of inner nodes by material alone.
const LAZY: SettingInfo = SettingInfo::flag(
    "lazy",
    "lazy evaluation: material alone for order and pruning, the full evaluation for leaves",
);

/// The settings of pruning and extensions except the null move and ProbCut.
pub const SETTINGS: [SettingInfo; 6] = [
    futility::DEPTH,
    futility::MARGIN,
    razoring::RAZORING,
    extension::EXTEND,
    extension::SACRIFICE,
    LAZY,
];

/// The switches of pruning and extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Selection {
    pub null: NullMove,
    pub probcut: ProbCut,
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
            probcut: ProbCut::new(given),
            futility: Futility::new(given),
            razoring: Razoring::new(given),
            extensions: Extensions::new(given),
            lazy: given.has(&LAZY),
        }
    }

    /// Whether the tree is the full tree to the depth.
    pub fn is_off(&self) -> bool {
        !self.null.is_on()
            && !self.probcut.is_on()
            && !self.futility.is_on()
            && !self.razoring.is_on()
            && !self.extensions.is_on()
    }
}
