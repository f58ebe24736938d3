//! Alpha-beta-conspiracy search (McAllester and Yuret, "Alpha-beta-conspiracy search", 2002):
//! alpha-beta whose nodes have two depths. A lower bound rests on the moves of MAX, who has to
//! be wrong about all of them together; an upper bound on those of MIN. So where MAX proves
//! something only moves of MAX count, and a forced one, without an alternative, costs no
//! depth; where MIN does, only those of MIN. The two depths are the least numbers of leaves
//! that must conspire to refute the bounds.
//!
//! What an alternative is, is Lovec's reading: a move whose static value is at most a margin
//! worse. Each adds one conspirator.

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::INFINITE;
use crate::lab::grow::visit;
use crate::lab::order::child_value;
use crate::lab::{Answer, Law, Proof, Search, Searched, SettingInfo, ensure};

const CONSPIRATORS: SettingInfo = SettingInfo::number(
    "conspirators",
    [1, 1000],
    4,
    "a leaf whose value is a bound ends a line with N alternatives for the side that it favours",
);
const MARGIN: SettingInfo = SettingInfo::number(
    "margin",
    [0, 10_000],
    50,
    "a move is an alternative if its static value is at most N less",
);

#[derive(Clone, Copy, Debug)]
pub struct AlphaBetaConspiracy {
    conspirators: usize,
    margin: i32,
}

/// The alternatives that the side to move at the root, and the other one, had on the line.
type Alternatives = [usize; 2];

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "abc",
    summary: "alpha-beta-conspiracy: a line ends where each side that needs it had alternatives",
    settings: &[CONSPIRATORS, MARGIN],
    new: |given| {
        Box::new(AlphaBetaConspiracy {
            conspirators: given.number(&CONSPIRATORS) as usize,
            margin: given.number(&MARGIN) as i32,
        })
    },
    laws: &LAWS,
};

impl Algorithm for AlphaBetaConspiracy {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let (alpha, beta) = s.window;
        let value = self.node(s, &[0, 0], alpha, beta)?;
        Ok(Answer { proof: Proof::Estimate, ..s.complete(value) })
    }
}

impl AlphaBetaConspiracy {
    fn node(
        &self,
        s: &mut Search<'_>,
        alternatives: &Alternatives,
        alpha: i32,
        beta: i32,
    ) -> Searched<i32> {
        let (value, is_open) = visit(s)?;
        let side = s.ply() % 2;
        let had_enough = alternatives.map(|count| count >= self.conspirators);
        let is_lower_bound = value <= alpha || had_enough[side];
        let is_upper_bound = value >= beta || had_enough[1 - side];
        if !is_open || (is_lower_bound && is_upper_bound) {
            return Ok(value);
        }
        let mut best = -INFINITE;
        let moves = s.moves();
        let values: Vec<i64> = moves.iter().map(|&m| child_value(s.game, m, false)).collect();
        for (index, (&m, value)) in moves.iter().zip(&values).enumerate() {
            let is_alternative = |other: &&i64| **other >= value - i64::from(self.margin);
            let mut below = *alternatives;
            below[side] += values.iter().filter(is_alternative).count() - 1;
            s.play(m);
            let value = -self.node(s, &below, -beta, -alpha.max(best))?;
            s.undo();
            if value > best {
                best = value;
                if value > alpha {
                    s.improve(m);
                }
            }
            if best >= beta {
                s.cutoff(index, m, s.depth.saturating_sub(s.ply() as u32));
                break;
            }
        }
        Ok(best)
    }
}

const LAWS: [Law; 3] = [
    Law {
        name: "abc-is-minimax",
        text: "alpha-beta-conspiracy that needs more alternatives than there are has the value of \
               minimax, and visits no more nodes",
        applies: |sample| sample.size() <= 1000 && !sample.is_chess(),
        check: |sample| sample.expect_no_more_than_minimax("abc:conspirators=1000"),
    },
    Law {
        name: "abc-follows-forced-lines",
        text: "where there is one move alpha-beta-conspiracy goes to the end, however few \
               conspirators it asks for",
        applies: |sample| sample.shape().is_some_and(|shape| shape.width == 1),
        check: |sample| sample.expect_value("abc:conspirators=1", sample.minimax()?.value),
    },
    Law {
        name: "abc-of-equal-moves",
        text: "where every move is an alternative and one of each side is enough, no node is more \
               than two plies deep",
        applies: |sample| sample.uniform().is_some_and(|(width, _)| width > 1),
        check: |sample| {
            let nodes = sample.run("abc:conspirators=1:margin=10000")?.counts.nodes;
            let most = sample.at_depth(sample.depth.min(2)).size();
            ensure(nodes <= most, || format!("{nodes} nodes of {most}"))
        },
    },
];
