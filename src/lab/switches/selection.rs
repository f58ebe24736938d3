//! The switches of pruning and extensions.

use crate::lab::settings::{GivenSettings, SettingInfo};
use crate::lab::switches::null_move::NullMove;
use crate::lab::switches::probcut::ProbCut;

/// Static values of inner nodes by material alone.
const LAZY: SettingInfo = SettingInfo::flag(
    "lazy",
    "lazy evaluation: material alone for order and pruning, the full evaluation for leaves",
);

const FUTILITY: SettingInfo = SettingInfo::number(
    "futility",
    [0, 2],
    0,
    "futility pruning of quiet moves: at depth 1, or at depths 1 and 2",
);
const FUTILITY_MARGIN: SettingInfo = SettingInfo::number(
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
        Self {
            depth: given.number(&FUTILITY) as u32,
            margin: given.number(&FUTILITY_MARGIN) as i32,
        }
    }

    pub fn is_on(&self) -> bool {
        self.depth > 0
    }
}

/// The depth at which moves are pruned.
pub const RAZOR_DEPTH: u32 = 2;

const RAZORING: SettingInfo = SettingInfo::flag(
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

const EXTEND: SettingInfo = SettingInfo::words(
    "extend",
    &["check", "recapture", "seventh", "threat", "sacrifice", "singular"],
    "moves that do not take from the depth, to twice the plies: checks; captures on the \
     square of the last capture; pawns to the seventh rank; moves of a piece that would win \
     something if it moved again; moves that lose material and prepare much; moves that a \
     search of half the depth finds better than all others",
);
const SACRIFICE: SettingInfo = SettingInfo::number(
    "sacrifice",
    [0, 1000],
    8,
    "with extend=sacrifice: the captures, promotions, checks, pins and forks that a move that \
     loses material has to prepare; a check counts as twenty",
);

const SINGULAR: SettingInfo = SettingInfo::number(
    "singular",
    [1, 10_000],
    100,
    "with extend=singular: by how much a move has to be better than all others",
);

/// Trials of promotions.
const PROMOTIONS: SettingInfo = SettingInfo::number(
    "promotions",
    [0, 5],
    0,
    "of the promotions of a pawn on a square only the one is searched that searches of this \
     depth find best",
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
    /// The least margin of a singular move.
    pub singular: Option<i32>,
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
            singular: has("singular").then(|| given.number(&SINGULAR) as i32),
        }
    }

    pub fn is_on(&self) -> bool {
        *self != Self::default()
    }
}

/// The settings of pruning and extensions except the null move and ProbCut.
pub const SETTINGS: [SettingInfo; 8] =
    [FUTILITY, FUTILITY_MARGIN, RAZORING, EXTEND, SACRIFICE, SINGULAR, PROMOTIONS, LAZY];

/// The switches of pruning and extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Selection {
    pub null: NullMove,
    pub probcut: ProbCut,
    pub futility: Futility,
    pub razoring: Razoring,
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
            razoring: Razoring::new(given),
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
            && !self.razoring.is_on()
            && !self.extensions.is_on()
            && self.promotions == 0
    }
}
