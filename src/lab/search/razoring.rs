//! Razoring: two plies above the leaves the moves are sorted by the static values after
//! them; from the first one on that is not above alpha, they are pruned (Birmingham and Kent,
//! "Tree-searching and tree-pruning techniques", 1977).

use crate::lab::{Law, Search, SettingInfo, ensure};

/// The depth at which moves are pruned.
pub const RAZOR_DEPTH: u32 = 2;

pub const RAZORING: SettingInfo = SettingInfo::flag(
    "razoring",
    "at depth 2, sort moves by static values and prune from the first at most alpha on",
);

/// The bound of a move that has just been made, if its static value is not above alpha.
pub fn bound(s: &mut Search<'_>, depth: u32, alpha: i32) -> Option<i32> {
    if !s.switches.selection.razoring || depth != RAZOR_DEPTH || s.game.end().is_some() {
        return None;
    }
    let value = -s.static_value();
    (value <= alpha).then_some(value)
}

pub const LAWS: [Law; 1] = [Law {
    name: "razoring-by-true-values",
    text: "if static values are true, razoring finds the value of minimax with no more leaves \
           than alpha-beta",
    applies: |sample| sample.known_value().is_some(),
    check: |sample| {
        let truth = sample.minimax()?.value;
        let run = sample.run("ab:razoring")?;
        ensure(run.value == truth, || format!("value {}", run.value))?;
        ensure(run.counts.leaves <= sample.run("ab")?.counts.leaves, || "more leaves".into())?;
        sample.expect_value("negascout:razoring", truth)
    },
}];
