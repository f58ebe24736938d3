//! Probability-limited search: a line ends where it is improbable, not at a depth (Lai,
//! "Giraffe", 2015; with probabilities of move categories Tsuruoka, Yokoyama and Chikayama,
//! "Game-tree search algorithm based on realization probability", 2002). Here each legal
//! move is as likely as the others: the root has probability 1, and a child the probability of
//! its parent divided by the number of the moves there. So forced lines become deep, and lines
//! with many choices stay short.
//!
//! A node with probability 1/n is one of n equally likely ones, and n is a product of whole
//! numbers, so the limit is exact while n is below 2^53. The depth of the search sets it: depth
//! D ends lines as probable as D plies of `branching` moves each. Alpha-beta searches what is
//! left.
//!
//! A forced move costs nothing, so the plies have a limit of their own. The table takes
//! positions for equally deep if the probability that is left is about the same.

use std::collections::HashSet;

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::{GameTree, INFINITE, at_ply};
use crate::lab::search::leaf::leaf;
use crate::lab::{Answer, Law, LawSample, Proof, Search, Searched, SettingInfo, ensure};

/// The steps per bit of probability in which the table counts depth.
const TABLE_STEPS: f64 = 4.0;

#[derive(Clone, Copy, Debug)]
pub struct Probability {
    /// The moves of a ply of depth.
    branching: f64,
    /// The limit as a power of ten; 0 if the depth sets it.
    exponent: i32,
    max_plies: u32,
}

const BRANCHING: SettingInfo = SettingInfo::number(
    "branching",
    [2, 1000],
    32,
    "depth D is the probability of a line of D plies with N moves each",
);
const EXPONENT: SettingInfo = SettingInfo::number(
    "exponent",
    [0, 30],
    0,
    "end lines at a probability of 10^-N, whatever the depth; 0 for the depth",
);
pub const MAX_PLIES: SettingInfo =
    SettingInfo::number("plies", [1, 200], 60, "the most plies of a line");

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "probability",
    summary: "alpha-beta to lines of a probability, by the number of moves on the way",
    settings: &[BRANCHING, EXPONENT, MAX_PLIES],
    new: |given| {
        Box::new(Probability {
            branching: given.number(&BRANCHING) as f64,
            exponent: given.number(&EXPONENT) as i32,
            max_plies: given.number(&MAX_PLIES) as u32,
        })
    },
    laws: &LAWS,
};

impl Algorithm for Probability {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let limit = match self.exponent {
            0 => self.branching.powi(s.depth as i32),
            exponent => 10_f64.powi(exponent),
        };
        let frontier = Frontier { limit, max_plies: self.max_plies, depth: 0, few: None };
        frontier.search(s)
    }
}

/// A node on its line.
#[derive(Clone, Copy, Debug)]
pub struct LineEnd {
    pub plies: u32,
    /// One over the probability of the line.
    pub lines: f64,
}

impl LineEnd {
    const ROOT: Self = Self { plies: 0, lines: 1.0 };

    /// The next node of a line after one of `moves` moves.
    fn child(self, moves: usize) -> Self {
        Self { plies: self.plies + 1, lines: self.lines * moves as f64 }
    }
}

/// More than the bits of probability that any line has left.
const TABLE_PLY: u32 = 1000;

/// Where lines end before the game does: at a probability or a number of plies.
#[derive(Clone, Copy, Debug)]
pub struct Frontier {
    /// One over the probability.
    pub limit: f64,
    pub max_plies: u32,
    /// No line is shorter.
    pub depth: u32,
    /// A line of this depth ends at once where there are more moves.
    pub few: Option<usize>,
}

impl Frontier {
    /// Searches with alpha-beta to the frontier.
    pub fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let (alpha, beta) = s.window;
        let value = self.node(s, LineEnd::ROOT, alpha, beta)?;
        Ok(Answer { proof: Proof::Estimate, ..s.complete(value) })
    }

    fn ends(&self, s: &Search<'_>, end: LineEnd) -> bool {
        let is_improbable = end.lines >= self.limit || end.plies >= self.max_plies;
        end.plies >= self.depth
            && (is_improbable || self.few.is_some_and(|few| s.game.moves().len() > few))
    }

    /// How deep the tree below a node is, for the table: plies, and then bits of probability.
    fn table_depth(&self, end: LineEnd) -> u32 {
        let bits = ((self.limit / end.lines).log2() * TABLE_STEPS).max(0.0) as u32;
        self.depth.saturating_sub(end.plies) * TABLE_PLY + bits
    }

    fn node(&self, s: &mut Search<'_>, end: LineEnd, alpha: i32, beta: i32) -> Searched<i32> {
        s.enter()?;
        let is_leaf = s.game.end().is_some() || self.ends(s, end);
        if let Some(value) = leaf(s, u32::from(!is_leaf), alpha, beta)? {
            return Ok(value);
        }
        let depth = self.table_depth(end);
        if let Some(value) = s.probe(depth, alpha, beta) {
            return Ok(value);
        }
        let mut best = -INFINITE;
        let moves = s.moves();
        let child = end.child(moves.len());
        for (index, &m) in moves.iter().enumerate() {
            s.play(m);
            let value = -self.node(s, child, -beta, -alpha.max(best))?;
            s.undo();
            if value > best {
                best = value;
                s.improve(m);
            }
            if best >= beta {
                s.cutoff(index, m, depth);
                break;
            }
        }
        s.store(depth, alpha, beta, best);
        Ok(best)
    }
}

const LAWS: [Law; 2] = [
    Law {
        name: "probability-is-minimax",
        text: "probability-limited search has the value of minimax over the lines up to the \
               limit, whose probabilities add up to 1, and visits no other leaves",
        applies: |sample| !sample.is_chess() || sample.depth == 2,
        check: |sample| {
            let moves = if sample.is_chess() { 32 } else { 3 };
            let limit = f64::from(moves).powi(sample.depth as i32);
            let row = format!("probability:branching={moves}:plies=60");
            searches_whole_tree(sample, &row, &|end, _| end.lines >= limit || end.plies >= 60)
        },
    },
    Law {
        name: "equal-moves-are-a-depth",
        text: "where all nodes have the same number of moves, probability-limited search visits \
               the leaves of alpha-beta",
        applies: |sample| sample.uniform().is_some_and(|(width, _)| width > 1),
        check: |sample| {
            let width = sample.uniform().map_or(2, |(width, _)| width);
            let above = sample.at_depth(sample.depth - 1);
            let row = format!("probability:branching={width}");
            above.expect_same_leaves(&row, &above.run("ab")?)
        },
    },
];

/// Which nodes are leaves, by their line and their number of moves.
pub type IsLeaf<'a> = &'a dyn Fn(LineEnd, usize) -> bool;

/// Compares a row with a walk through the whole tree to some leaves.
pub fn searches_whole_tree(
    sample: &LawSample,
    row: &str,
    is_leaf: IsLeaf<'_>,
) -> Result<(), String> {
    let mut walk = Walk { is_leaf, leaves: HashSet::new(), sum: 0.0 };
    let value = walk.value(sample.game.clone().tree(), LineEnd::ROOT);
    ensure((walk.sum - 1.0).abs() < 1e-9, || format!("probabilities of {}", walk.sum))?;
    let own = sample.expect_line(row, value)?;
    ensure(own.distinct_leaves().is_subset(&walk.leaves), || format!("{row}: leaves"))
}

/// The leaves of a whole tree, and the sum of their probabilities.
struct Walk<'a> {
    is_leaf: IsLeaf<'a>,
    leaves: HashSet<u64>,
    sum: f64,
}

impl Walk<'_> {
    /// The minimax value, for the side to move.
    fn value(&mut self, game: &mut dyn GameTree, line: LineEnd) -> i32 {
        let end = game.end();
        let moves = if end.is_none() { game.moves() } else { Vec::new() };
        if end.is_some() || (self.is_leaf)(line, moves.len()) {
            self.leaves.insert(game.key());
            self.sum += line.lines.recip();
            return end.map_or_else(|| game.value(), |end| at_ply(end, line.plies as i32));
        }
        let child = line.child(moves.len());
        let mut best = -INFINITE;
        for m in moves {
            game.play(m);
            best = best.max(-self.value(game, child));
            game.undo();
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use crate::lab::test_run::solve;

    /// The first move has a forced reply, so its line is a ply longer than the others.
    #[test]
    fn forced_lines_are_deeper() {
        let run = |row: &str, depth| {
            let tree = "explicit:[1[2[3[4] 5]] 9[8[7 6] 10[11]]]";
            let (answer, counts) = solve(row, tree, depth);
            (answer.value, counts.leaves)
        };
        // The leaves 3 and 5 after the forced reply; 8 and 10 after two replies.
        assert_eq!(run("probability:branching=2", 2), (8, 4));
        assert_eq!(run("probability:branching=2", 1), (9, 2));
        assert_eq!(run("probability:exponent=20", 1), (7, 5));
        assert_eq!(run("probability:exponent=20:plies=1", 1), (9, 2));
    }
}
