//! ProbCut (Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm",
//! ICCA Journal 18, 1995). The values of a shallow and of a deep search are close to a line:
//!
//! ```text
//! deep = slope * shallow + shift, with a normal error
//! ```
//!
//! So a shallow search with a null window can say that the deep value is probably outside the
//! window, and then the node is not searched. [`fit`](crate::lab::fit) finds the line.

use crate::lab::game::DECISIVE;
use crate::lab::game::tree::TreeValues;
use crate::lab::search::node::NodeSearch;
use crate::lab::{GivenSettings, Law, LawSample, Search, Searched, SettingInfo};

const DEPTH: SettingInfo = SettingInfo::number(
    "probcut",
    [0, 100],
    0,
    "ProbCut: the depth of the nodes that a shallow search prunes if their value is probably \
     outside the window; 0 for none. `lovec lab fit` finds its slope, shift and error",
);
const SHALLOW: SettingInfo =
    SettingInfo::number("probcutshallow", [0, 99], 1, "with probcut: the depth of that search")
        .with("probcut");
const SLOPE: SettingInfo = SettingInfo::number(
    "probcutslope",
    [1, 1000],
    100,
    "with probcut: a value expected at the depth is N percent of the shallow one, …",
)
.with("probcut");
const SHIFT: SettingInfo =
    SettingInfo::number("probcutshift", [-10_000, 10_000], 0, "with probcut: … and N points")
        .with("probcut");
const ERROR: SettingInfo = SettingInfo::number(
    "probcuterror",
    [0, 10_000],
    100,
    "with probcut: the standard deviation of values from what is expected",
)
.with("probcut");
const WIDTH: SettingInfo = SettingInfo::number(
    "probcutwidth",
    [0, 1000],
    150,
    "with probcut: prune if the window is N percent of that error from what is expected",
)
.with("probcut");

pub const SETTINGS: [SettingInfo; 6] = [DEPTH, SHALLOW, SLOPE, SHIFT, ERROR, WIDTH];

/// The switches of ProbCut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// The shallow value at or above which the deep one is probably at least `beta`.
    fn high_goal(&self, beta: i32) -> i32 {
        -((self.shift - beta - self.margin) * 100).div_euclid(self.slope)
    }

    /// The shallow value at or below which the deep one is probably at most `alpha`.
    fn low_goal(&self, alpha: i32) -> i32 {
        ((alpha - self.margin - self.shift) * 100).div_euclid(self.slope)
    }
}

/// The bound with which a shallow search prunes a node: alpha or beta.
pub fn prune(
    algorithm: &dyn NodeSearch,
    s: &mut Search<'_>,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Searched<Option<i32>> {
    let probcut = s.switches.selection.probcut;
    if !probcut.is_on() || depth != probcut.depth || s.ply() == 0 || s.game.in_check() {
        return Ok(None);
    }
    // A decided game is no matter of probability.
    let is_open = |value: i32| value.abs() < DECISIVE;
    let mut bound = None;
    let goal = probcut.high_goal(beta);
    if is_open(beta) && is_open(goal) {
        let value = algorithm.node(s, probcut.shallow, goal - 1, goal)?;
        bound = (value >= goal).then_some(beta);
    }
    let goal = probcut.low_goal(alpha);
    if bound.is_none() && is_open(alpha) && is_open(goal) {
        let value = algorithm.node(s, probcut.shallow, goal, goal + 1)?;
        bound = (value <= goal).then_some(alpha);
    }
    s.forget_line();
    s.line_node().depth = depth;
    Ok(bound)
}

pub const LAWS: [Law; 2] = [
    Law {
        name: "probcut-within-its-error",
        text: "if no ply changes a value by more than the error allows, ProbCut finds the value \
               of minimax",
        applies: |sample| {
            let shape = sample.shape().filter(|_| sample.depth > 1);
            shape.is_some_and(|tree| tree.values == TreeValues::Correlated)
        },
        check: |sample| {
            let (range, depth) = (sample.shape().map_or(0, |tree| tree.range), sample.depth - 1);
            (0..depth).try_for_each(|shallow| {
                let error = range * (depth - shallow) as i32;
                finds_minimax(sample, &format!("probcut={depth}:probcutshallow={shallow}:probcuterror={error}:probcutwidth=100"))
            })
        },
    },
    Law {
        name: "probcut-by-true-values",
        text: "where a shallow search finds the true value, ProbCut without an error finds the \
               value of minimax",
        applies: |sample| sample.depth > 1 && sample.known_value().is_some(),
        check: |sample| {
            let depth = sample.depth - 1;
            finds_minimax(sample, &format!("probcut={depth}:probcutshallow=0:probcuterror=0"))
        },
    },
];

fn finds_minimax(sample: &LawSample, settings: &str) -> Result<(), String> {
    let rows = ["ab", "pvs", "negascout:table=9999:order=tt"];
    sample.expect_values(&rows, settings, sample.minimax()?.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::test_run::nodes_of_middlegame as nodes;

    /// With deep = 2 * shallow + 7 and a margin of 10.
    #[test]
    fn goals_are_rounded_away_from_the_window() {
        let probcut = ProbCut { depth: 3, shallow: 1, slope: 200, shift: 7, margin: 10 };
        assert_eq!((probcut.high_goal(100), probcut.high_goal(101)), (52, 52));
        assert_eq!((probcut.low_goal(100), probcut.low_goal(101)), (41, 42));
        assert_eq!((probcut.high_goal(-100), probcut.low_goal(-100)), (-48, -59));
    }

    /// In a middlegame the search saves nodes.
    #[test]
    fn probcut_saves_nodes() {
        let row = "ab:order=mvv+killers";
        assert!(nodes(&format!("{row}:probcut=3")) < nodes(row));
    }
}
