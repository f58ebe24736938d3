//! The worked example of B* of 1995.

use crate::lab::algorithm::b_star_95::goal::{Contest, Next, Phase, PhaseGoal};
use crate::lab::algorithm::b_star_95::judged::{Judged, JudgedTree, update_above};
use crate::lab::experiment::laboratory::{Experiment, ExperimentError, Laboratory};
use crate::lab::game::GameMove;
use crate::lab::kept_tree::{KeptIndex, ROOT};

pub(super) const T13: Experiment = Experiment {
    name: "T13",
    title: "the worked example of B* of 1995",
    reported: "survey: probabilities of nodes by hand, from given values R, O and P",
    measured: "the same values in the tree of b-star-95; R, O and P as backed up",
    sizes: &[],
    run: t13,
};

/// The children of a node: their names, and R, O and P as far as they matter.
type Expansion = (&'static str, [(char, [i32; 3]); 3]);

/// Expansions, the target after them, and the probabilities that are reported then.
struct Step {
    expansions: &'static [Expansion],
    target: f64,
    reported: &'static [(&'static str, &'static str)],
}

const ANY: i32 = 99;

const STEPS: [Step; 4] = [
    Step {
        expansions: &[("", [('A', [20, 100, -90]), ('B', [18, 40, -90]), ('C', [10, 25, -90])])],
        target: 30.0,
        reported: &[("A", ".875"), ("B", ".455"), ("C", "0")],
    },
    Step {
        expansions: &[
            ("A", [('D', [20, ANY, 0]), ('E', [60, ANY, 40]), ('F', [80, ANY, -80])]),
            ("AD", [('G', [34, 76, 0]), ('H', [12, 36, 0]), ('I', [16, 32, 0])]),
        ],
        target: 37.0,
        reported: &[("A", ".929"), ("B", ".136")],
    },
    Step { expansions: &[], target: 17.0, reported: &[("AD", ".5"), ("AE", "0"), ("AF", ".606")] },
    Step {
        expansions: &[
            ("AF", [('J', [40, ANY, 4]), ('K', [60, ANY, -80]), ('L', [50, ANY, -80])]),
            ("AFJ", [('Q', [82, ANY, 4]), ('R', [70, ANY, 11]), ('S', [40, ANY, 16])]),
            ("ADG", [('M', [55, ANY, 10]), ('N', [30, ANY, 15]), ('P', [34, ANY, 20])]),
            ("ADGM", [('T', [55, ANY, 10]), ('U', [32, ANY, 10]), ('V', [20, ANY, 10])]),
        ],
        target: 17.0,
        reported: &[
            ("AFJ", ".167"),
            ("AFK", ".693"),
            ("AFL", ".746"),
            ("AF", ".086"),
            ("ADGM", ".035"),
            ("ADGN", ".133"),
            ("ADGP", "0"),
            ("AD", ".133"),
            ("AE", "0"),
        ],
    },
];

fn t13(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    const THRESHOLD: f64 = 0.15;
    lab.check_stop()?;
    lab.table("phase | target | node | R | O | P | reported | measured");
    let mut tree = JudgedTree::new(Judged::OPEN_ROOT);
    let mut goal = PhaseGoal::FIRST;
    let (mut are_targets, mut are_chances) = (true, true);
    for Step { expansions, target, reported } in STEPS {
        expansions.iter().for_each(|expansion| expand(&mut tree, expansion));
        if let Next::Change(next) = goal.next(&tree, THRESHOLD) {
            goal = next;
        }
        goal.estimate(&mut tree);
        are_targets &= goal.target == target;
        for &(path, reported) in reported {
            let judged = *tree.get(find(&tree, path));
            let Judged { real: r, optimistic: o, pessimistic: p, chance, .. } = judged;
            let phase = if goal.phase == Phase::Select { "select" } else { "verify" };
            let measured = format!("{chance:.3}");
            are_chances &= reported.parse() == measured.parse::<f64>();
            lab.row(&[&phase, &goal.target, &path, &r, &o, &p, &reported, &measured]);
        }
    }
    let is_played = matches!(goal.next(&tree, THRESHOLD), Next::Play);
    lab.shape("the targets are the reported ones", are_targets);
    lab.shape("the probabilities are the reported ones", are_chances);
    let best = tree.last_move(Contest::of(&tree).best);
    lab.shape("A is played", is_played && best == Some(number('A')));
    Ok(())
}

/// The move of a letter.
fn number(letter: char) -> GameMove {
    letter as GameMove
}

/// Expands a node by hand.
fn expand(tree: &mut JudgedTree, (path, children): &Expansion) {
    let node = find(tree, path);
    let max_to_move = !tree.get(node).max_to_move;
    let judged = |[real, optimistic, pessimistic]: [i32; 3]| Judged {
        real,
        optimistic,
        pessimistic,
        is_bounded: [true; 2],
        max_to_move,
        ..Judged::OPEN_ROOT
    };
    tree.expand(node, children.iter().map(|&(m, values)| (number(m), judged(values))));
    update_above(tree, node);
}

/// The node that the moves of a path lead to; the last one before a move that is missing.
fn find(tree: &JudgedTree, path: &str) -> KeptIndex {
    path.chars().fold(ROOT, |node, m| {
        let child = tree.children(node).find(|&child| tree.last_move(child) == Some(number(m)));
        child.unwrap_or(node)
    })
}
