//! The null move: if a side is at beta even after a pass, and a shallow search says so, a
//! move would be above beta too (Beal, "A generalised quiescence search algorithm", 1990;
//! Goetsch and Campbell, "Experiments with the null-move heuristic", 1990). That is wrong in
//! zugzwang, where each move is worse than a pass.
//!
//! With `nullverify` a null move that fails high only takes a ply off the depth of the node,
//! and null moves below prune as usual; if the node then stays below beta, it is searched
//! again to its depth (David-Tabibi and Netanyahu, "Verified null-move pruning", 2002).

use crate::lab::game::DECISIVE;
use crate::lab::search::node::NodeSearch;
use crate::lab::table::ValueBounds;
use crate::lab::{GivenSettings, Law, LineNode, Search, Searched, SettingInfo, ensure};

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
)
.with("null");
const RUNS: SettingInfo = SettingInfo::word(
    "nullruns",
    &["apart", "once", "double"],
    "null moves on a line: never two in a row; one; two in a row, which finds zugzwang",
)
.with("null");
const IF: SettingInfo = SettingInfo::words(
    "nullif",
    &["quiet", "unextended", "pieces"],
    "no null move after a capture, at a node that was extended, or with pawns alone",
)
.with("null")
.word_with("unextended", "extend");
const MARGIN: SettingInfo = SettingInfo::number(
    "nullmargin",
    [-10_000, 10_000],
    0,
    "no null move unless the static value less N is at least beta",
)
.with("null");
const PLY: SettingInfo =
    SettingInfo::number("nullply", [1, 100], 1, "no null move less than N plies below the root")
        .with("null");
const VERIFY: SettingInfo = SettingInfo::flag(
    "nullverify",
    "verified null move: a fail-high takes a ply off the depth, null moves below it prune",
)
.with("null");
const ZUGZWANG: SettingInfo =
    SettingInfo::flag("zugzwang", "search without null moves if a pass is best at the root")
        .with("null");

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
    /// Whether the root is tested for zugzwang.
    pub zugzwang: bool,
}

impl NullMove {
    pub fn new(given: &GivenSettings) -> Self {
        use Reduction::{Adaptive, Off, Plies};
        let reductions = [Off, Plies(0), Plies(1), Plies(2), Plies(3), Adaptive];
        Self {
            reduction: given.choice(&REDUCTION, &reductions),
            form: given.choice(&FORM, &[Form::Node, Form::Parent, Form::Static]),
            runs: given.choice(&RUNS, &[Runs::Apart, Runs::Once, Runs::Double]),
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

    /// The depth after a null move at a depth.
    fn depth_below(&self, depth: u32) -> u32 {
        let reduction = match (self.reduction, depth) {
            (Reduction::Plies(plies), _) => plies,
            (_, 0..=6) => 2,
            (_, 7..=9) => 3,
            _ => 4,
        };
        (depth - 1).saturating_sub(reduction)
    }

    /// Whether a null move may be tried for a side that has to reach beta.
    fn is_allowed(&self, s: &mut Search<'_>, beta: i32) -> bool {
        let node = *s.line_node();
        let may_run = match self.runs {
            Runs::Apart => node.passes_in_a_row == 0,
            Runs::Once => node.passes == 0,
            Runs::Double => node.passes_in_a_row < 2,
        };
        self.is_on()
            && may_run
            && !node.is_verification
            && s.ply() >= self.least_ply
            && beta.abs() < DECISIVE
            && !s.game.in_check()
            && !(self.not_after_captures && node.arrival.is_noisy)
            && !(self.not_if_extended && node.is_extended)
            && (!self.needs_pieces || s.game.has_pieces())
            && s.static_value() - self.margin >= beta
    }
}

/// The value of a node whose null move fails high.
pub fn prune(
    algorithm: &dyn NodeSearch,
    s: &mut Search<'_>,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Searched<Option<i32>> {
    let null = s.switches.selection.null;
    let verifies = null.verified && !s.is_verifying;
    if null.form != Form::Node || (verifies && depth < 2) || !null.is_allowed(s, beta) {
        return Ok(None);
    }
    let Some(value) = value_of_pass(algorithm, s, depth, beta)?.filter(|&value| value >= beta)
    else {
        return Ok(None);
    };
    if !verifies {
        s.store_bounds(depth, ValueBounds { low: value, ..ValueBounds::UNKNOWN });
        return Ok(Some(value));
    }
    s.is_verifying = true;
    s.line_node().is_verification = true;
    let value = algorithm.node(s, depth - 1, alpha, beta)?;
    s.line_node().is_verification = false;
    s.is_verifying = false;
    s.forget_line();
    s.line_node().depth = depth;
    Ok((value >= beta).then_some(value))
}

/// The bound of a move that has just been made, if it leads to a node that a null move of
/// the other side prunes.
pub fn bound_of_move(
    algorithm: &dyn NodeSearch,
    s: &mut Search<'_>,
    depth: u32,
    alpha: i32,
) -> Searched<Option<i32>> {
    let null = s.switches.selection.null;
    let arrival = s.line_node().arrival;
    let is_tested = null.form != Form::Node && depth > 1 && !arrival.is_noisy;
    if !is_tested || s.game.end().is_some() || !null.is_allowed(s, -alpha) {
        return Ok(None);
    }
    let value = match null.form {
        Form::Static => Some(s.static_value() - null.margin),
        _ => value_of_pass(algorithm, s, depth - 1, -alpha)?,
    };
    Ok(value.map(|value| -value).filter(|&bound| bound <= alpha))
}

/// The value of a pass by a search that is less deep; `None` if there is no pass.
fn value_of_pass(
    algorithm: &dyn NodeSearch,
    s: &mut Search<'_>,
    depth: u32,
    beta: i32,
) -> Searched<Option<i32>> {
    let node = *s.line_node();
    if !s.pass() {
        return Ok(None);
    }
    *s.line_node() = LineNode {
        passes: node.passes + 1,
        passes_in_a_row: node.passes_in_a_row + 1,
        ..LineNode::default()
    };
    let depth_below = s.switches.selection.null.depth_below(depth);
    let value = -algorithm.node(s, depth_below, -beta, 1 - beta)?;
    s.undo();
    // A win after a pass of the other side is no proof.
    Ok(Some(value.clamp(1 - DECISIVE, DECISIVE - 1)))
}

pub const LAWS: [Law; 3] = [
    Law {
        name: "null-move-without-zugzwang",
        text: "where a pass keeps the value, the null move of each kind finds the value of \
               minimax",
        applies: |sample| sample.known_value().is_some(),
        check: |sample| {
            let truth = sample.minimax()?.value;
            for null in KINDS {
                sample.expect_values(&["ab", "pvs", "negascout:table=9999"], null, truth)?;
            }
            let leaves = |row| sample.run(row).map(|run| run.counts.leaves);
            let (full, pruned) = (leaves("ab")?, leaves("ab:null=2")?);
            ensure(pruned <= full, || format!("{pruned} leaves, {full} without it"))
        },
    },
    Law {
        name: "null-move-without-a-pass",
        text: "in a game without a pass the null move changes nothing",
        applies: |sample| !sample.is_chess() && sample.known_value().is_none(),
        check: |sample| {
            let full = sample.run("ab")?;
            for row in ["ab:null=2:nullverify:zugzwang", "ab:null=2:nullform=parent"] {
                ensure(sample.run(row)?.is_like(&full), || row.into())?;
            }
            Ok(())
        },
    },
    Law {
        name: "null-move-out-of-reach",
        text: "a null move that is allowed below the leaves only changes nothing",
        applies: |_| true,
        check: |sample| {
            for row in ["ab", "pvs"] {
                let own = sample.run(&format!("{row}:null=0:nullply=100:nullverify"))?;
                ensure(own.is_like(&sample.run(row)?), || row.to_owned())?;
            }
            Ok(())
        },
    },
];

/// Null moves of each kind.
const KINDS: [&str; 10] = [
    "null=0",
    "null=1",
    "null=2",
    "null=3:nullruns=once",
    "null=adaptive:nullruns=double",
    "null=2:nullif=quiet+unextended+pieces:extend=check:nullmargin=10:nullply=2",
    "null=1:nullverify",
    "null=3:nullverify",
    "null=2:nullform=parent",
    "null=2:zugzwang",
];

#[cfg(test)]
mod tests {
    use crate::lab::game::Evaluation;
    use crate::lab::test_run::chess;
    use crate::lab::{Limit, Row, Watch};

    /// The value that a row finds with a window, by material.
    fn value(row: &str, fen: &str, depth: u32, window: (i32, i32)) -> i32 {
        let mut game = chess(fen, Evaluation::Material);
        let row = Row::parse(row, &[]).unwrap().with_window(window);
        let outcome = row.run(&mut game, depth, Limit::NONE, &mut Watch::default());
        outcome.answer.unwrap().value
    }

    /// White wins by c7, after which each move of Black gives up the queening square. With a
    /// pass Black would be stalemated.
    #[test]
    fn zugzwang() {
        const FEN: &str = "2k5/8/2PK4/8/8/8/8/8 w - - 0 1";
        let wins = |row| value(row, FEN, 6, (100, 101)) > 100;
        assert!(wins("ab") && !wins("ab:null=2") && wins("ab:null=2:nullif=pieces"));
    }

    /// As after c7: the null move is off once the pass is seen to be best.
    #[test]
    fn zugzwang_at_the_root() {
        const FEN: &str = "2k5/2P5/3K4/8/8/8/8/8 b - - 0 1";
        let value = |row| value(row, FEN, 6, (-2000, 2000));
        assert_eq!(value("ab:null=2:zugzwang:table=1000"), value("ab"));
    }
}
