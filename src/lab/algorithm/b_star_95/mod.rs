//! B* of 1995 (Berliner and McConnell, "B* probability based search", Artificial
//! Intelligence 86, 1996). Its intervals come from shallow searches: the realistic value R
//! of a node from an ordinary one, the optimistic value O from one in which MAX, the side
//! to move at the root, moves twice, and the pessimistic value P from one in which MIN does.
//! A target T lies in the interval, and the share of the interval beyond it stands for the
//! probability that a deeper search gets there.
//!
//! | phase | target | a leaf gets there with | at MAX, at MIN | goes down by | ends when |
//! |---|---|---|---|---|---|
//! | select | halfway from the best R to the best O of the others | (O - T) / (O - R) | the greatest, the product | probability at MAX, the least R at MIN | no rival gets there with more than the threshold, or the best R is at least the best O of the others |
//! | verify | the R of the second best move, less one | (T - P) / (R - P) | the product, the greatest | probability at MIN, the greatest R at MAX | the best move gets there with no more than the threshold: it is played. Or another move has a better R: back to select |
//!
//! The intervals of chess are not inside one another: the O and P of a node never become
//! wider, and never cross R. So their searches have a window, from the R of the node to the
//! bound of its parent. A bound is searched for only when the probability depends on it:
//! selecting needs no P, verifying no O, and an R beyond the target neither.

pub mod goal;
pub mod judged;

use crate::lab::algorithm::alpha_beta::AlphaBeta;
use crate::lab::algorithm::b_star_95::goal::{Contest, Next, Phase, PhaseGoal};
use crate::lab::algorithm::b_star_95::judged::{Judged, JudgedTree, best_line, update_above};
use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::INFINITE;
use crate::lab::grow::visit_children;
use crate::lab::kept_tree::{KeptIndex, ROOT};
use crate::lab::search::leaf::leaf;
use crate::lab::search::node::NodeSearch;
use crate::lab::{Answer, Law, LineNode, Proof, Search, Searched, SettingInfo, ensure};

#[derive(Clone, Copy, Debug)]
pub struct BStar95 {
    plies: u32,
    threshold: f64,
    margin: i32,
}

const PLIES: SettingInfo = SettingInfo::number("plies", [1, 20], 1, "the plies of its searches");
const THRESHOLD: SettingInfo =
    SettingInfo::number("threshold", [0, 99], 15, "the percentage below which a move is let go");
const MARGIN: SettingInfo = SettingInfo::number(
    "margin",
    [0, 10_000],
    50,
    "the distance from R to O and P where the game does not allow to move twice",
);

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "b-star-95",
    summary: "B* of 1995: until no move is likely to be better than the best one",
    settings: &[PLIES, THRESHOLD, MARGIN],
    new: |given| {
        Box::new(BStar95 {
            plies: given.number(&PLIES) as u32,
            threshold: given.number(&THRESHOLD) as f64 / 100.0,
            margin: given.number(&MARGIN) as i32,
        })
    },
    laws: &LAWS,
};

impl Algorithm for BStar95 {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        s.enter()?;
        if let Some(value) = leaf(s, s.depth, -INFINITE, INFINITE)? {
            return Ok(s.complete(value));
        }
        s.keep(1, JudgedTree::NODE_BYTES)?;
        let mut tree = JudgedTree::new(Judged::OPEN_ROOT);
        self.expand(s, &mut tree, ROOT)?;
        let mut goal = PhaseGoal::FIRST;
        while self.bound_leaves(s, &mut tree, &goal).is_ok() {
            goal.estimate(&mut tree);
            match goal.next(&tree, self.threshold) {
                Next::Expand(leaf) => {
                    if self.expand(s, &mut tree, leaf).is_err() {
                        break;
                    }
                }
                Next::Change(other) => goal = other,
                Next::Play => break,
            }
        }
        let contest = Contest::of(&tree);
        let is_open = tree.get(ROOT).is_open;
        Ok(Answer {
            value: tree.get(contest.best).real,
            line: best_line(&tree),
            proof: match (is_open, contest.is_separated(&tree)) {
                (false, _) => s.proof(s.table.is_some()),
                (true, true) => Proof::BestMove,
                (true, false) => Proof::Estimate,
            },
        })
    }
}

impl BStar95 {
    /// Adds the children of a leaf, and updates the values of the nodes above.
    fn expand(&self, s: &mut Search<'_>, tree: &mut JudgedTree, leaf: KeptIndex) -> Searched<()> {
        let parent = tree.get(leaf);
        let judge = |s: &mut Search<'_>| self.judge(s, parent);
        let children = visit_children(s, &tree.path(leaf), JudgedTree::NODE_BYTES, judge)?;
        tree.expand(leaf, children);
        update_above(tree, leaf);
        Ok(())
    }

    /// Searches the bounds of leaves that a goal needs.
    fn bound_leaves(
        &self,
        s: &mut Search<'_>,
        tree: &mut JudgedTree,
        goal: &PhaseGoal,
    ) -> Searched<()> {
        for leaf in 0..tree.len() {
            let is_below = || tree.line_up(leaf).contains(&goal.top);
            if !tree.is_expanded(leaf) && goal.needs_bound(tree.get(leaf)) && is_below() {
                s.go_to(&tree.path(leaf));
                *tree.get_mut(leaf) = self.bound(s, *tree.get(leaf), goal)?;
                update_above(tree, leaf);
            }
        }
        Ok(())
    }

    /// This node with the value of an ordinary search and the bounds of its parent. A node that
    /// the search settles has no others.
    fn judge(&self, s: &mut Search<'_>, parent: &Judged) -> Searched<Judged> {
        let left = s.depth - s.ply() as u32;
        let max_to_move = !parent.max_to_move;
        let value = shallow(s, self.plies.min(left), (-INFINITE, INFINITE))?;
        let real = if max_to_move { value } else { -value };
        let is_open = left > self.plies && s.game.end().is_none();
        let (optimistic, pessimistic) = match is_open {
            true => (parent.optimistic.max(real), parent.pessimistic.min(real)),
            false => (real, real),
        };
        let is_bounded = [!is_open; 2];
        Ok(Judged { real, optimistic, pessimistic, is_bounded, chance: 0.0, is_open, max_to_move })
    }

    /// This leaf with the bound that a goal needs.
    fn bound(&self, s: &mut Search<'_>, mut leaf: Judged, goal: &PhaseGoal) -> Searched<Judged> {
        let (index, bound) = match goal.phase {
            Phase::Select => (0, &mut leaf.optimistic),
            Phase::Verify => (1, &mut leaf.pessimistic),
        };
        let sign = if leaf.max_to_move { 1 } else { -1 };
        let (real, limit) = (sign * leaf.real, sign * *bound);
        let value = if limit > real {
            self.moving_twice(s, real, limit)?
        } else {
            self.passing(s, real, limit)?
        };
        *bound = sign * value;
        leaf.is_bounded[index] = true;
        Ok(leaf)
    }

    /// The value if the other side moves twice, for the side to move: at most the ordinary one.
    fn passing(&self, s: &mut Search<'_>, real: i32, least: i32) -> Searched<i32> {
        if !s.pass() {
            return Ok((real - self.margin).max(least));
        }
        let value = -shallow(s, self.plies, (-real, -least))?;
        s.undo();
        Ok(value.clamp(least, real))
    }

    /// The value if the side to move moves twice: at least the ordinary one.
    fn moving_twice(&self, s: &mut Search<'_>, real: i32, most: i32) -> Searched<i32> {
        let mut best = real;
        let mut has_passed = false;
        for m in s.moves() {
            s.play(m);
            if s.game.end().is_none() && s.pass() {
                has_passed = true;
                best = best.max(shallow(s, self.plies, (best, most))?);
                s.undo();
            }
            s.undo();
            if best >= most {
                break;
            }
        }
        Ok(if has_passed { best } else { real + self.margin }.min(most))
    }
}

/// The value of an ordinary search from here with a window.
fn shallow(s: &mut Search<'_>, plies: u32, (alpha, beta): (i32, i32)) -> Searched<i32> {
    *s.line_node() = LineNode::default();
    AlphaBeta::SOFT.node(s, plies, alpha, beta)
}

const LAWS: [Law; 2] = [
    Law {
        name: "b-star-95-in-a-settled-tree",
        text: "where its searches reach the leaves, B* of 1995 has the value of minimax and \
               plays a best move",
        applies: |sample| sample.depth <= 4,
        check: |sample| {
            let row = format!("b-star-95:plies={}", sample.depth);
            let run = sample.run(&row)?;
            ensure(run.proof == Proof::Complete, || format!("{row}: {:?}", run.proof))?;
            sample.expect_best_move(&row, &run)?;
            let truth = sample.minimax()?.value;
            ensure(run.value == truth, || format!("{row}: value {}, not {truth}", run.value))
        },
    },
    Law {
        name: "b-star-95-is-an-opinion",
        text: "B* of 1995 ends with a legal move, and with the value of minimax if its tree is \
               complete",
        applies: |sample| sample.depth <= 4,
        check: |sample| {
            ["b-star-95", "b-star-95:threshold=0:margin=5"].into_iter().try_for_each(|row| {
                let (truth, run) = (sample.minimax()?.value, sample.run(row)?);
                if let Some(best) = &run.best {
                    sample.move_value(best)?;
                }
                let is_right = run.proof != Proof::Complete || run.value == truth;
                ensure(is_right, || format!("{row}: value {}, not {truth}", run.value))
            })
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::epd;
    use crate::lab::Limit;
    use crate::lab::game::Evaluation;
    use crate::lab::test_run::{chess, run};

    /// The values of a parent stay in its interval, and O and P on their sides of R.
    #[test]
    fn intervals_become_no_wider() {
        let judged = |max_to_move: bool, [real, optimistic, pessimistic]: [i32; 3]| Judged {
            real,
            optimistic,
            pessimistic,
            max_to_move,
            ..Judged::OPEN_ROOT
        };
        let parent = judged(true, [0, 10, -10]);
        let of = |children: &[[i32; 3]]| {
            let above = parent.above(children.iter().map(|&values| judged(false, values)));
            [above.real, above.optimistic, above.pessimistic]
        };
        assert_eq!(of(&[[3, 30, -30], [-5, 5, -7]]), [3, 10, -7]);
        assert_eq!(of(&[[14, 20, 12]]), [14, 14, 12]);
        assert_eq!(of(&[[-14, 8, -20]]), [-14, 8, -14]);
    }

    /// The best move is certain if it is at its worst as good as the other at its best.
    #[test]
    fn separated_moves() {
        let is_separated = |best_at_worst: i32, other_at_best: i32| {
            let judged = |real, optimistic, pessimistic| Judged {
                real,
                optimistic,
                pessimistic,
                max_to_move: false,
                ..Judged::OPEN_ROOT
            };
            let mut tree = JudgedTree::new(Judged::OPEN_ROOT);
            let moves = [judged(20, 30, best_at_worst), judged(5, other_at_best, -5)];
            tree.expand(ROOT, (0..).zip(moves));
            Contest::of(&tree).is_separated(&tree)
        };
        assert!(is_separated(10, 10) && !is_separated(10, 11));
    }

    /// An expansion is affordable: there is a move within 2 500 nodes.
    #[test]
    fn there_is_a_move_within_few_nodes() {
        let text = include_str!("../../../../tests/data/wac.epd");
        let answers = epd::lines(text).take(30).filter(|(_, line)| {
            let fields: Vec<&str> = line.split(' ').take(4).collect();
            let mut game = chess(&(fields.join(" ") + " 0 1"), Evaluation::Lovec);
            let limit = Limit { nodes: 2500, ..Limit::NONE };
            let (outcome, _) = run("b-star-95", &mut game, 60, limit);
            outcome.answer.is_some_and(|answer| !answer.line.is_empty())
        });
        assert!(answers.count() >= 25);
    }
}
