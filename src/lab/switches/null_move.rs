//! The switches of the null move.

use crate::lab::settings::{GivenSettings, SettingInfo};

const REDUCTION: SettingInfo = SettingInfo::word(
    "null",
    &["off", "0", "1", "2", "3", "adaptive"],
    "null move: the plies that its search is less deep, next to the one of a move; adaptive is \
     2, from depth 7 on 3, from depth 10 on 4",
);
const FORM: SettingInfo = SettingInfo::word(
    "nullform",
    &["node", "parent", "static"],
    "where it is tested: at each node; in the parent, after a move without check or capture; \
     static, in the parent without a search",
);
const RUNS: SettingInfo = SettingInfo::word(
    "nullruns",
    &["apart", "once", "double"],
    "null moves on a line: never two in a row; one; two in a row, which finds zugzwang",
);
const IF: SettingInfo = SettingInfo::words(
    "nullif",
    &["quiet", "unextended", "pieces"],
    "no null move after a capture, at a node that was extended, or with pawns alone",
);
const MARGIN: SettingInfo = SettingInfo::number(
    "nullmargin",
    [-10_000, 10_000],
    0,
    "no null move unless the static value less N is at least beta",
);
const PLY: SettingInfo =
    SettingInfo::number("nullply", [1, 100], 1, "no null move less than N plies below the root");
const VERIFY: SettingInfo = SettingInfo::flag(
    "nullverify",
    "verified null move: a fail-high takes a ply off the depth, null moves below it prune",
);
const ZUGZWANG: SettingInfo =
    SettingInfo::flag("zugzwang", "search without null moves if a pass is best at the root");

pub const SETTINGS: [SettingInfo; 8] = [REDUCTION, FORM, RUNS, IF, MARGIN, PLY, VERIFY, ZUGZWANG];

/// The plies that the search of a null move is less deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reduction {
    #[default]
    Off,
    Plies(u32),
    Adaptive,
}

/// Where the null move is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    #[default]
    Node,
    Parent,
    Static,
}

/// How many null moves a line may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Runs {
    #[default]
    Apart,
    Once,
    Double,
}

/// The switches of the null move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NullMove {
    pub reduction: Reduction,
    pub form: Form,
    pub runs: Runs,
    pub not_after_captures: bool,
    pub not_if_extended: bool,
    pub needs_pieces: bool,
    pub margin: i32,
    pub least_ply: usize,
    pub verified: bool,
    pub zugzwang: bool,
}

impl NullMove {
    pub fn new(given: &GivenSettings) -> Self {
        Self {
            reduction: match given.word(&REDUCTION) {
                "off" => Reduction::Off,
                "adaptive" => Reduction::Adaptive,
                plies => Reduction::Plies(plies.parse().unwrap_or(2)),
            },
            form: match given.word(&FORM) {
                "parent" => Form::Parent,
                "static" => Form::Static,
                _ => Form::Node,
            },
            runs: match given.word(&RUNS) {
                "once" => Runs::Once,
                "double" => Runs::Double,
                _ => Runs::Apart,
            },
            not_after_captures: given.has_word(&IF, "quiet"),
            not_if_extended: given.has_word(&IF, "unextended"),
            needs_pieces: given.has_word(&IF, "pieces"),
            margin: given.number(&MARGIN) as i32,
            least_ply: given.number(&PLY) as usize,
            verified: given.has(&VERIFY),
            zugzwang: given.has(&ZUGZWANG),
        }
    }

    pub fn is_on(&self) -> bool {
        self.reduction != Reduction::Off
    }

    /// Whether the root is tested for zugzwang.
    pub fn tests_root(&self) -> bool {
        self.zugzwang && self.is_on()
    }
}
