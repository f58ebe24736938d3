//! Conspiracy-number search (McAllester, "Conspiracy numbers for min-max search", 1988). How
//! sure is the value of the root? As many leaves must be wrong together, must conspire, as it
//! takes to change it. The search expands leaves until more than a given number of them would
//! have to conspire for any change. So it goes deep where few leaves hold a value, whatever
//! the depth.
//!
//! The conspiracy number of a value says how many leaves it takes to reach it. Here a node
//! has the reverse of it: the greatest and the least value that 0, 1, 2, … leaves can reach.
//! An open leaf can reach any value alone, a closed one none but its own (Schaeffer,
//! "Conspiracy numbers", 1990). To raise a node it is enough to raise one move; to lower it,
//! all moves that are too good must be lowered.
//!
//! One line may run away to any depth while others stay short. Controlled conspiracy-number
//! search (Lorenz and others, 1995) gives each node a target. Here the control is plainer:
//! all lines have a limit in plies, which rises when the value is settled within it.

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::INFINITE;
use crate::lab::grow::{GrownTree, answer, expand, grow_until};
use crate::lab::kept_tree::{KeptIndex, ROOT};
use crate::lab::{Answer, Law, Search, Searched, SettingInfo, ensure};

/// The most conspirators.
const MOST: usize = 100;

const CONSPIRATORS: SettingInfo = SettingInfo::number(
    "conspirators",
    [0, MOST as i64],
    4,
    "end when no N leaves together can change the value",
);

const CONTROL: SettingInfo = SettingInfo::number(
    "control",
    [0, 1000],
    0,
    "no line is longer than a limit, which rises by N plies whenever the value is settled; 0 for \
     no limit",
);

#[derive(Clone, Copy, Debug)]
pub struct Conspiracy {
    conspirators: usize,
    /// The plies by which the limit rises.
    control: usize,
}

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "conspiracy",
    summary: "conspiracy-number search: expands the leaves by which few could change the value",
    settings: &[CONSPIRATORS, CONTROL],
    new: |given| {
        Box::new(Conspiracy {
            conspirators: given.number(&CONSPIRATORS) as usize,
            control: given.number(&CONTROL) as usize,
        })
    },
    laws: &LAWS,
};

impl Algorithm for Conspiracy {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let most = self.conspirators;
        let mut limit = if self.control > 0 { self.control } else { usize::MAX };
        let mut beyond_limit = 0;
        let tree = grow_until(s, |s, tree: &mut GrownTree<Reach>| {
            if up(tree, ROOT, most) == down(tree, ROOT, most) {
                if beyond_limit == 0 {
                    return Ok(true);
                }
                limit += self.control;
                beyond_limit = raise_limit(tree, limit, most);
                return Ok(false);
            }
            s.limit.allocate(2 * (most + 1) * size_of::<i32>())?;
            let leaf = conspirator(tree, most);
            let is_beyond = tree.path(leaf).len() >= limit;
            let children = expand(s, tree, leaf, |tree, node| {
                for child in tree.children(node).filter(|_| node == leaf) {
                    tree.get_mut(child).data.is_beyond_limit = is_beyond;
                }
                tree.get_mut(node).data = Reach::new(tree, node, most);
            })?;
            beyond_limit += if is_beyond { children.len() } else { 0 };
            Ok(false)
        })?;
        Ok(answer(&tree))
    }
}

/// What a node with children can be changed to by 0, 1, 2, … leaves, for its side to move.
#[derive(Clone, Debug, Default)]
struct Reach {
    /// The greatest values, which do not fall.
    up: Vec<i32>,
    /// The least values, which do not rise.
    down: Vec<i32>,
    /// Whether it is a leaf beyond the limit, whose value counts as settled.
    is_beyond_limit: bool,
}

impl Reach {
    fn new(tree: &GrownTree<Self>, node: KeptIndex, most: usize) -> Self {
        let best = |count| tree.children(node).map(|child| -down(tree, child, count)).max();
        let up = (0..=most).map(|count| best(count).unwrap_or(-INFINITE)).collect();
        Self { up, down: lower(tree, node, most).0, is_beyond_limit: false }
    }
}

/// Lets lines grow to another limit. Returns the number of leaves beyond it.
fn raise_limit(tree: &mut GrownTree<Reach>, limit: usize, most: usize) -> usize {
    let mut beyond = 0;
    // Children have greater numbers than their parents.
    for node in (0..tree.len()).rev() {
        if tree.is_expanded(node) {
            tree.get_mut(node).data = Reach::new(tree, node, most);
        } else if tree.get(node).data.is_beyond_limit {
            let is_beyond = tree.path(node).len() > limit;
            tree.get_mut(node).data.is_beyond_limit = is_beyond;
            beyond += usize::from(is_beyond);
        }
    }
    beyond
}

/// The greatest value of a node that `count` leaves can reach.
fn up(tree: &GrownTree<Reach>, node: KeptIndex, count: usize) -> i32 {
    let it = tree.get(node);
    match it.data.up.get(count) {
        Some(&value) => value,
        None if it.is_open && !it.data.is_beyond_limit && count > 0 => INFINITE,
        None => it.value,
    }
}

/// The least value of a node that `count` leaves can reach.
fn down(tree: &GrownTree<Reach>, node: KeptIndex, count: usize) -> i32 {
    let it = tree.get(node);
    match it.data.down.get(count) {
        Some(&value) => value,
        None if it.is_open && !it.data.is_beyond_limit && count > 0 => -INFINITE,
        None => it.value,
    }
}

/// Lowers a node: its children that are worst for the side they belong to are raised again
/// and again, each by as few leaves as that takes. Returns the values for each number of
/// leaves up to `most`, and the leaves of each child at the end.
fn lower(tree: &GrownTree<Reach>, node: KeptIndex, most: usize) -> (Vec<i32>, Vec<usize>) {
    let children = tree.children(node);
    let mut leaves = vec![0; children.len()];
    let mut values = Vec::with_capacity(most + 1);
    loop {
        let reached = |leaves: &[usize]| {
            children.clone().zip(leaves).map(|(child, &count)| up(tree, child, count)).min()
        };
        let worst = reached(&leaves).unwrap_or(INFINITE);
        let raised = children.clone().zip(&leaves).map(|(child, &count)| {
            let mut more = count..=most;
            more.find(|&count| up(tree, child, count) > worst)
        });
        let raised: Option<Vec<usize>> = raised.collect();
        let raised = raised.filter(|leaves| leaves.iter().sum::<usize>() <= most);
        let until = raised.as_ref().map_or(most + 1, |leaves| leaves.iter().sum());
        values.resize(until.max(values.len()), -worst);
        match raised {
            Some(raised) => leaves = raised,
            None => return (values, leaves),
        }
    }
}

/// An open leaf by which, with others, the root can be changed the furthest.
fn conspirator(tree: &GrownTree<Reach>, most: usize) -> KeptIndex {
    let (mut node, mut count) = (ROOT, most);
    let value = tree.get(node).value;
    let mut raises = up(tree, node, most) - value >= value - down(tree, node, most);
    while tree.is_expanded(node) {
        let reach = if raises { up } else { down };
        let goal = reach(tree, node, count);
        count = (0..count).find(|&count| reach(tree, node, count) == goal).unwrap_or(count);
        let next = if raises {
            tree.children(node).find(|&child| -down(tree, child, count) == goal)
        } else {
            let (_, leaves) = lower(tree, node, count);
            tree.children(node).zip(leaves).find(|&(_, leaves)| leaves > 0).map(
                |(child, leaves)| {
                    count = leaves;
                    child
                },
            )
        };
        let Some(next) = next else { break };
        node = next;
        raises = !raises;
    }
    node
}

const LAWS: [Law; 3] = [
    Law {
        name: "conspiracy-of-all",
        text: "conspiracy-number search of a tree with fewer leaves than conspirators has the \
               value of minimax, and visits no more nodes, with control too",
        applies: |sample| sample.size() <= MOST as u64,
        check: |sample| {
            let row = format!("conspiracy:conspirators={MOST}");
            sample.expect_no_more_than_minimax(&row)?;
            sample.expect_no_more_than_minimax(&format!("{row}:control=1"))
        },
    },
    Law {
        name: "conspiracy-of-none",
        text: "without conspirators the value is the static one of the root",
        applies: |_| true,
        check: |sample| {
            let run = sample.run("conspiracy:conspirators=0")?;
            let root = sample.at_depth(0).minimax()?.value;
            ensure(run.value == root && run.counts.nodes == 1, || {
                format!("{}, not {root}", run.value)
            })
        },
    },
    Law {
        name: "conspiracy-control",
        text: "a limit that is the depth controls nothing",
        applies: |sample| sample.size() <= 1000,
        check: |sample| {
            let free = sample.run("conspiracy:conspirators=3")?;
            let row = format!("conspiracy:conspirators=3:control={}", sample.depth);
            ensure(sample.run(&row)? == free, || row)
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::game::AnyGame;
    use crate::lab::game::tree::{SyntheticTree, TreeShape};
    use crate::lab::grow::grow;
    use crate::lab::search::switches::Switches;
    use crate::lab::test_run::solve;
    use crate::lab::{Limit, Watch};

    /// The minimax value of a tree in which some leaves are changed as the side wants that
    /// the root belongs to, or against it.
    fn changed(tree: &GrownTree<Reach>, node: KeptIndex, leaves: &[KeptIndex], to: i32) -> i32 {
        if leaves.contains(&node) {
            return to;
        }
        let below = tree.children(node).map(|child| -changed(tree, child, leaves, -to));
        below.max().unwrap_or_else(|| tree.get(node).value)
    }

    /// What any leaves, at most `count`, can change the root to, by trying all.
    fn by_trial(tree: &GrownTree<Reach>, open: &[KeptIndex], count: usize) -> (i32, i32) {
        let (mut greatest, mut least) = (-INFINITE, INFINITE);
        for set in 0_u32..1 << open.len() {
            if set.count_ones() as usize <= count {
                let chosen = open.iter().enumerate().filter(|(index, _)| set >> index & 1 == 1);
                let leaves: Vec<KeptIndex> = chosen.map(|(_, &leaf)| leaf).collect();
                greatest = greatest.max(changed(tree, ROOT, &leaves, INFINITE));
                least = least.min(changed(tree, ROOT, &leaves, -INFINITE));
            }
        }
        (greatest, least)
    }

    #[test]
    fn what_leaves_can_reach() {
        for seed in 0..60 {
            let shape =
                TreeShape { width: 3, depth: 4, ragged: true, seed, ..TreeShape::default() };
            let mut game = AnyGame::Tree(SyntheticTree::new(shape));
            let (mut watch, switches) = (Watch::default(), Switches::default());
            let mut s = Search::new(game.tree(), &mut watch, Limit::NONE, &switches).unwrap();
            s.depth = 4;
            let is_open = |tree: &GrownTree<Reach>, node: &KeptIndex| {
                !tree.is_expanded(*node) && tree.get(*node).is_open
            };
            let step = |s: &mut Search<'_>, tree: &mut GrownTree<Reach>| {
                let open: Vec<KeptIndex> =
                    (0..tree.len()).filter(|node| is_open(tree, node)).collect();
                if open.len() <= 8 {
                    for count in 0..=4 {
                        let reached = (up(tree, ROOT, count), down(tree, ROOT, count));
                        assert_eq!(reached, by_trial(tree, &open, count), "{seed}, {count}");
                    }
                }
                let leaf = open[seed as usize % open.len()];
                expand(s, tree, leaf, |tree, node| {
                    tree.get_mut(node).data = Reach::new(tree, node, 4);
                })?;
                Ok(())
            };
            grow(&mut s, step).unwrap();
        }
    }

    /// With none the search ends at the root; with enough it has the value of minimax.
    #[test]
    fn more_conspirators_visit_more() {
        let run = |conspirators: u32| {
            let tree = "explicit:[3[3[1 3] 5[5 2]] 2[2[2 9] 4[7 4]]]";
            let row = format!("conspiracy:conspirators={conspirators}");
            let (answer, counts) = solve(&row, tree, 9);
            (answer.value, counts.nodes)
        };
        let runs = [0, 1, 2, 4].map(run);
        assert_eq!((runs[0], runs[3].0), ((0, 1), 7));
        assert!(runs.windows(2).all(|pair| pair[0].1 <= pair[1].1), "{runs:?}");
    }
}
