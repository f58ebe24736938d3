//! The switches of leaves.

use crate::lab::settings::{GivenSettings, SettingInfo};

const LEAF: SettingInfo = SettingInfo::word(
    "leaf",
    &["static", "see", "captures", "evasions", "exchanges", "first-line", "checks", "turbulence"],
    "the value of a leaf: static; see, with the best exchange; captures, by a search of \
     captures and promotions; evasions, of all moves in check, too; exchanges, without \
     captures that lose; first-line, captures at the first leaf alone; checks, two plies \
     deeper in check; turbulence, deeper while much is attacked",
);
const TURBULENCE: SettingInfo = SettingInfo::number(
    "turbulence",
    [0, 1000],
    8,
    "with leaf=turbulence: captures, promotions, checks, pins and forks of a quiet leaf",
);
const LAZY_LEAF: SettingInfo = SettingInfo::number(
    "lazyleaf",
    [0, 10_000],
    0,
    "lazy evaluation of static leaves: material alone if it is more than N outside the window",
);

pub const SETTINGS: [SettingInfo; 3] = [LEAF, TURBULENCE, LAZY_LEAF];

/// How a leaf gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafMode {
    /// The static value, by material alone beyond a margin if it is not 0.
    Static { lazy_margin: i32 },
    /// The static value and the best exchange.
    Exchange,
    /// Quiescence search.
    Quiescence(QuiescenceMoves),
    /// A search of captures at the first leaf of a search of the root alone.
    FirstLine,
    /// A deeper search of leaves that are not quiet.
    Deeper(Deeper),
}

impl Default for LeafMode {
    fn default() -> Self {
        Self::Static { lazy_margin: 0 }
    }
}

impl LeafMode {
    pub fn new(given: &GivenSettings) -> Self {
        match given.word(&LEAF) {
            "see" => Self::Exchange,
            "captures" => Self::Quiescence(QuiescenceMoves::Noisy),
            "evasions" => Self::Quiescence(QuiescenceMoves::Evasions),
            "exchanges" => Self::Quiescence(QuiescenceMoves::Exchanges),
            "first-line" => Self::FirstLine,
            "checks" => Self::Deeper(Deeper::Checks),
            "turbulence" => Self::Deeper(Deeper::Turbulence(given.number(&TURBULENCE) as i32)),
            _ => Self::Static { lazy_margin: given.number(&LAZY_LEAF) as i32 },
        }
    }

    /// Whether the value of a leaf is exact for any window.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Static { lazy_margin: 0 } | Self::Exchange)
    }
}

/// What is played below a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuiescenceMoves {
    /// Captures and promotions.
    Noisy,
    /// Those, and in check all moves.
    Evasions,
    /// Captures and promotions that lose nothing by exchange, and in check all moves.
    Exchanges,
}

/// Which leaves are searched deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deeper {
    /// Those in check, by two plies.
    Checks,
    /// Leaves of a turbulence above this, by one ply.
    Turbulence(i32),
}
