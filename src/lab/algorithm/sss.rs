//! SSS* (Stockman, "A minimax algorithm better than alpha-beta?", 1979; with Campbell's
//! correction of 1981, by which the leftmost of equal states comes first): best-first search of
//! the best strategy of MAX. A list, OPEN, holds states of nodes with an upper bound of what
//! a strategy through the node can reach; the state with the greatest bound is always
//! developed. It never evaluates a leaf that alpha-beta skips, and pays with memory: about
//! the square root of the number of leaves.
//!
//! | state taken | states that replace it |
//! |---|---|
//! | live leaf | the leaf, solved, its bound lowered to its value |
//! | live MAX node | all children, live |
//! | live MIN node | the first child, live |
//! | solved MIN node | the parent, solved; all states below the parent are purged |
//! | solved MAX node | the next sibling, live, or after the last one the parent, solved |
//! | solved root | the search ends |
//!
//! DUAL* (Kumar and Kanal, "A general branch and bound formulation for understanding and
//! synthesizing AND/OR tree search procedures", 1983; Marsland, Reinefeld and Schaeffer, "Low
//! overhead alternatives to SSS*", 1987): SSS* with the sides exchanged. It
//! searches for the best strategy of the opponent, so that all moves of the root are settled
//! one after the other, as in alpha-beta, and OPEN is often shorter at odd depths.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::{GameMove, INFINITE};
use crate::lab::search::leaf::leaf;
use crate::lab::{Answer, Law, LawSample, Search, Searched, ensure};

pub const SSS: AlgorithmInfo = AlgorithmInfo {
    name: "sss",
    summary: "SSS*: best-first search for the best strategy of the side to move",
    settings: &[],
    new: |_| Box::new(BestStrategy::Max),
    laws: &LAWS,
};

pub const DUAL: AlgorithmInfo = AlgorithmInfo {
    name: "dual",
    summary: "DUAL*: SSS* for the best strategy of the side not to move",
    settings: &[],
    new: |_| Box::new(BestStrategy::Min),
    laws: &[],
};

/// SSS* or DUAL*: the side to move at the root. The bounds of OPEN are MAX's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BestStrategy {
    Max,
    Min,
}

impl Algorithm for BestStrategy {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let mut open = Open::new(s.depth);
        let mut solved_root = State::root();
        open.insert(s, State::root())?;
        while let Some(state) = open.take_best(s) {
            let is_max = (*self == Self::Max) == state.node.len().is_multiple_of(2);
            match (state.is_solved, is_max) {
                (false, _) => develop(s, &mut open, state, is_max)?,
                (true, _) if state.node.is_empty() => solved_root = state,
                (true, false) => {
                    let parent = state.into_parent();
                    open.purge(s, &parent.node);
                    open.insert(s, parent)?;
                }
                (true, true) => {
                    let sibling = state.node.last().map_or(0, |index| index + 1);
                    let parent = state.into_parent();
                    s.go_to(&parent.path);
                    let next = match s.moves().get(usize::from(sibling)) {
                        Some(&m) => parent.child(sibling, m),
                        None => parent,
                    };
                    open.insert(s, next)?;
                }
            }
        }
        let value = if *self == Self::Max { solved_root.bound } else { -solved_root.bound };
        Ok(Answer { value, line: solved_root.line.to_vec(), proof: s.proof(false) })
    }
}

/// Replaces a live state.
fn develop(s: &mut Search<'_>, open: &mut Open, mut state: State, is_max: bool) -> Searched<()> {
    s.go_to(&state.path);
    s.enter()?;
    let depth = s.depth - state.node.len() as u32;
    if let Some(value) = leaf(s, depth, -INFINITE, INFINITE)? {
        let value = if is_max { value } else { -value };
        if value < state.bound {
            (state.bound, state.line) = (value, state.path.as_slice().into());
        }
        state.is_solved = true;
        return open.insert(s, state);
    }
    let moves = s.moves();
    let children = if is_max { moves.len() } else { 1 };
    for (index, &m) in moves.iter().take(children).enumerate() {
        open.insert(s, state.child(index as u16, m))?;
    }
    Ok(())
}

/// An entry of OPEN.
#[derive(Clone, Debug)]
struct State {
    /// The numbers of the moves from the root: a node further left has a smaller list.
    node: Vec<u16>,
    /// The moves from the root.
    path: Vec<GameMove>,
    is_solved: bool,
    /// What MAX can reach at most.
    bound: i32,
    /// The path to the leaf from which the bound comes.
    line: Rc<[GameMove]>,
}

impl State {
    fn root() -> Self {
        let (node, path) = (Vec::new(), Vec::new());
        Self { node, path, is_solved: false, bound: INFINITE, line: Rc::new([]) }
    }

    /// A child, live.
    fn child(&self, index: u16, m: GameMove) -> Self {
        let mut child = Self { is_solved: false, ..self.clone() };
        child.node.push(index);
        child.path.push(m);
        child
    }

    /// The parent, solved.
    fn into_parent(mut self) -> Self {
        self.node.pop();
        self.path.pop();
        self.is_solved = true;
        self
    }
}

/// The list OPEN, in order of nodes, with their order by bounds.
struct Open {
    states: BTreeMap<Vec<u16>, State>,
    best_first: BTreeSet<(Reverse<i32>, Vec<u16>)>,
    state_bytes: usize,
}

impl Open {
    fn new(depth: u32) -> Self {
        // Three copies of the node, the path and the line of moves.
        let lists = depth as usize * (3 * size_of::<u16>() + 2 * size_of::<GameMove>());
        let state_bytes = size_of::<State>() + 2 * size_of::<Vec<u16>>() + lists;
        Self { states: BTreeMap::new(), best_first: BTreeSet::new(), state_bytes }
    }

    fn insert(&mut self, s: &mut Search<'_>, state: State) -> Searched<()> {
        s.keep(1, self.state_bytes)?;
        self.best_first.insert((Reverse(state.bound), state.node.clone()));
        self.states.insert(state.node.clone(), state);
        Ok(())
    }

    /// Takes the state with the greatest bound, the leftmost of equals.
    fn take_best(&mut self, s: &mut Search<'_>) -> Option<State> {
        let (_, node) = self.best_first.pop_first()?;
        s.drop_kept(1, self.state_bytes);
        self.states.remove(&node)
    }

    /// Drops the states below a node.
    fn purge(&mut self, s: &mut Search<'_>, node: &[u16]) {
        let from_here = self.states.range(node.to_vec()..);
        let below = from_here.take_while(|(other, _)| other.starts_with(node));
        let below: Vec<(Vec<u16>, i32)> =
            below.map(|(other, state)| (other.clone(), state.bound)).collect();
        s.drop_kept(below.len(), self.state_bytes);
        for (other, bound) in below {
            self.states.remove(&other);
            self.best_first.remove(&(Reverse(bound), other));
        }
    }
}

const LAWS: [Law; 3] = [
    Law {
        name: "sss-dominates-alpha-beta",
        text: "SSS* and DUAL* have the value of minimax, their lines lead to it, and they evaluate \
               no more leaves than alpha-beta, and none that it skips",
        applies: |_| true,
        check: |sample| {
            ["sss", "dual"].into_iter().try_for_each(|row| dominates_alpha_beta(sample, row))
        },
    },
    Law {
        name: "sss-list",
        text: "in a uniform tree the list of SSS* grows to the leaves of a strategy of MAX, \
               w^ceil(d/2), and no further",
        applies: |sample| sample.uniform().is_some(),
        check: |sample| expect_peak(sample, "sss", |width, depth| width.pow(depth.div_ceil(2))),
    },
    Law {
        name: "dual-list",
        text: "in a uniform tree the list of DUAL* grows to the leaves of a strategy of MIN, \
               w^floor(d/2), and no further",
        applies: |sample| sample.uniform().is_some(),
        check: |sample| expect_peak(sample, "dual", |width, depth| width.pow(depth / 2)),
    },
];

/// Checks the length of the list in a uniform tree.
fn expect_peak(sample: &LawSample, row: &str, expected: fn(u64, u32) -> u64) -> Result<(), String> {
    let Some((width, depth)) = sample.uniform() else { return Ok(()) };
    let (peak, expected) = (sample.run(row)?.counts.peak, expected(width, depth));
    ensure(peak == expected, || format!("{row}: {peak} states, not {expected}"))
}

/// Checks the value, the line and the leaves of a row.
fn dominates_alpha_beta(sample: &LawSample, row: &str) -> Result<(), String> {
    let own = sample.expect_line(row, sample.minimax()?.value)?;
    let alpha_beta = sample.run("ab")?;
    ensure(own.is_within(&alpha_beta), || format!("{row}: leaves that alpha-beta does not visit"))?;
    let leaves = [&own, &alpha_beta].map(|run| run.counts.leaves);
    ensure(leaves.is_sorted(), || format!("{row}: {} leaves, alpha-beta {}", leaves[0], leaves[1]))
}

#[cfg(test)]
mod tests {
    use crate::lab::game::AnyGame;
    use crate::lab::test_run::{found, run};
    use crate::lab::{Limit, StopReason};

    const TREE: &str = "explicit:[[3 1 8] [2 4 6] [14 7 5]]";

    /// SSS* needs fewer leaves of a tree whose best move comes last.
    #[test]
    fn a_tree_with_the_best_move_last() {
        let run = |row| found(row, TREE, 9, u64::MAX);
        assert_eq!(run("ab"), (5, vec![2, 2], 9));
        assert_eq!(run("sss"), (5, vec![2, 2], 5));
    }

    #[test]
    fn the_limit_of_memory_refuses() {
        let mut tree = AnyGame::parse(TREE).unwrap();
        for row in ["sss", "dual"] {
            let limit = Limit { memory: 200, ..Limit::NONE };
            let (outcome, _) = run(row, tree.tree(), 9, limit);
            assert_eq!((outcome.answer, outcome.stopped), (None, Some(StopReason::Memory)));
        }
    }
}
