//! Futility pruning: with a ply or two left, a quiet move cannot raise the static value to
//! alpha if even a minor piece more for each ply does not (Schaeffer, "Experiments in search
//! and knowledge", 1986; extended to two plies: Heinz, "Extended futility pruning", 1998).

use crate::lab::game::MoveFacts;
use crate::lab::game::tree::TreeValues;
use crate::lab::{GivenSettings, Law, Search, SettingInfo, ensure};

pub const FUTILITY: SettingInfo = SettingInfo::number(
    "futility",
    [0, 2],
    0,
    "futility pruning of quiet moves: at depth 1, or at depths 1 and 2",
);
pub const FUTILITY_MARGIN: SettingInfo = SettingInfo::number(
    "futilitymargin",
    [1, 10_000],
    300,
    "with futility: what a ply may gain, by default a minor piece",
)
.with("futility");

/// The switches of futility pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The bound of a move that is not made since it cannot exceed alpha.
pub fn bound(s: &mut Search<'_>, m: MoveFacts, depth: u32, alpha: i32) -> Option<i32> {
    let futility = s.switches.selection.futility;
    if depth > futility.depth || m.is_noisy || m.gives_check || s.game.in_check() {
        return None;
    }
    let bound = s.static_value() + futility.margin * depth as i32;
    (bound <= alpha).then_some(bound)
}

pub const LAWS: [Law; 1] = [Law {
    name: "futility-within-its-margin",
    text: "if no move changes the static value by more than the margin, futility pruning finds \
           the value of minimax with no more leaves than alpha-beta",
    applies: |sample| sample.shape().is_some_and(|tree| tree.values == TreeValues::Correlated),
    check: |sample| {
        let (truth, margin) =
            (sample.minimax()?.value, sample.shape().map_or(1, |tree| tree.range));
        let leaves = sample.run("ab")?.counts.leaves;
        for depth in [1, 2] {
            let futility = format!("futility={depth}:futilitymargin={margin}");
            let run = sample.run(&format!("ab:{futility}"))?;
            ensure(run.value == truth, || format!("depth {depth}: {}", run.value))?;
            ensure(run.counts.leaves <= leaves, || format!("depth {depth}: more leaves"))?;
            sample.expect_value(&format!("pvs:{futility}:table=9999"), truth)?;
        }
        Ok(())
    },
}];
