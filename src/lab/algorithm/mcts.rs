//! Monte-Carlo tree search (Coulom, "Efficient selectivity and backup operators in Monte-Carlo
//! tree search", 2006), with static values in the place of random games.
//!
//! Each visit goes from the root to a leaf, adds its moves to the tree, and counts the
//! chance of its static value at all nodes on the way. The mean of a node's visits is its
//! worth; a visit prefers moves with a good mean, and moves with few visits. So the means
//! come closer to minimax, but mistakes of a single leaf weigh less.
//!
//! - `select=uct`: the bound of a bandit, `Q + c √(ln N / n)`, after every move has been
//!   visited once (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006).
//! - `select=puct`: `Q + c P √N / (1 + n)` with a prior chance `P` that the move is best, as
//!   in AlphaZero (Silver et al., "Mastering chess and shogi by self-play", 2017; after
//!   Rosin, "Multi-armed bandits with episode context", 2011). A move without visits counts
//!   as much as its parent (first play urgency, Gelly and Wang 2006).
//!
//! The move with the most visits is played.

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::chance::{SCALE, chance, value_of_chance};
use crate::lab::grow::{grow_sample, visit};
use crate::lab::kept_tree::{KeptIndex, KeptTree, ROOT, descend};
use crate::lab::order::child_value;
use crate::lab::{
    Answer, GivenSettings, Law, LawSample, Limit, Proof, Search, Searched, SettingInfo, ensure,
};

#[derive(Clone, Copy, Debug)]
pub struct Mcts {
    rule: Rule,
    /// The weight of moves with few visits.
    exploration: f64,
    /// The difference of values that makes a move e times as likely; 0 for equal priors.
    softmax: f64,
    scale: f64,
    /// The visits of the root, if they are given.
    visits: Option<u32>,
}

/// How a visit chooses among moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Puct,
    Uct,
}

const SELECT: SettingInfo = SettingInfo::word(
    "select",
    &["puct", "uct"],
    "which move a visit follows: puct, by priors; uct, by the bound of a bandit",
);
const EXPLORATION: SettingInfo =
    SettingInfo::number("c", [0, 10_000], 100, "the weight of moves with few visits, in percent");
const SOFTMAX: SettingInfo = SettingInfo::number(
    "softmax",
    [0, 10_000],
    0,
    "with puct: N points make a move 2.7 times as likely; 0 for equal priors",
);
const VISITS: SettingInfo = SettingInfo::number(
    "visits",
    [2, u32::MAX as i64],
    10_000,
    "the visits of the root; by default 10000, or all that a limit of nodes or time allows",
);

/// What is kept of a node.
#[derive(Clone, Copy, Debug, Default)]
struct VisitedNode {
    visits: u32,
    /// The sum of the chances of the side to move over the visits.
    total: f64,
    /// The chance that the move to it is the best one, before any visit.
    prior: f32,
    /// The static value for the side to move, once it has been visited.
    value: i32,
    /// Whether it can have moves; known once it has been visited.
    is_open: bool,
}

impl VisitedNode {
    fn mean(&self) -> f64 {
        self.total / f64::from(self.visits)
    }
}

type VisitedTree = KeptTree<VisitedNode>;

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "mcts",
    summary: "Monte-Carlo tree search with static values in the place of random games",
    settings: &[SELECT, EXPLORATION, SOFTMAX, SCALE, VISITS],
    new: |given| Box::new(Mcts::new(given)),
    laws: &LAWS,
};

impl Algorithm for Mcts {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let tree = self.grow(s)?;
        Ok(self.answer(&tree))
    }
}

impl Mcts {
    fn new(given: &GivenSettings) -> Self {
        Self {
            rule: given.choice(&SELECT, &[Rule::Puct, Rule::Uct]),
            exploration: given.number(&EXPLORATION) as f64 / 100.0,
            softmax: given.number(&SOFTMAX) as f64,
            scale: given.number(&SCALE) as f64,
            visits: given.has(&VISITS).then(|| given.number(&VISITS) as u32),
        }
    }

    /// Visits the root again and again, until a limit is reached.
    fn grow(&self, s: &mut Search<'_>) -> Searched<VisitedTree> {
        let has_limit = s.limit.limit().nodes < u64::MAX || s.limit.limit().time.is_some();
        let default = if has_limit { u32::MAX } else { 10_000 };
        let visits = self.visits.unwrap_or(default);
        s.keep(1, VisitedTree::NODE_BYTES)?;
        let mut tree = VisitedTree::new(VisitedNode::default());
        loop {
            let result = self.visit(s, &mut tree);
            let root = tree.get(ROOT);
            match result {
                Err(reason) if root.visits < 2 => return Err(reason),
                Ok(()) if root.is_open && root.visits < visits => {}
                _ => return Ok(tree),
            }
        }
    }

    /// Goes to a leaf, expands it, and counts the chance of its value on the way back. At a
    /// leaf that cannot be expanded, its value counts again.
    fn visit(&self, s: &mut Search<'_>, tree: &mut VisitedTree) -> Searched<()> {
        let node = descend(ROOT, |node| self.select(tree, node));
        s.go_to(&tree.path(node));
        if tree.get(node).visits == 0 {
            let (value, is_open) = visit(s)?;
            if is_open {
                self.expand(s, tree, node)?;
            }
            (tree.get_mut(node).value, tree.get_mut(node).is_open) = (value, is_open);
        } else {
            s.enter()?;
        }
        let mut chance = chance(tree.get(node).value, self.scale);
        for node in tree.line_up(node) {
            let visited = tree.get_mut(node);
            visited.visits += 1;
            visited.total += chance;
            chance = 1.0 - chance;
        }
        Ok(())
    }

    /// The child that a visit goes to; the first of equals.
    fn select(&self, tree: &VisitedTree, node: KeptIndex) -> Option<KeptIndex> {
        let parent = tree.get(node);
        let urgency = |child: KeptIndex| self.urgency(parent, tree.get(child));
        let better = |a: KeptIndex, b: KeptIndex| if urgency(b) > urgency(a) { b } else { a };
        tree.children(node).reduce(better)
    }

    /// How much a child should be visited next.
    fn urgency(&self, parent: &VisitedNode, child: &VisitedNode) -> f64 {
        let [all, own] = [parent.visits, child.visits].map(f64::from);
        let mean = if child.visits > 0 { 1.0 - child.mean() } else { parent.mean() };
        match self.rule {
            Rule::Puct => {
                mean + self.exploration * f64::from(child.prior) * all.sqrt() / (1.0 + own)
            }
            Rule::Uct if child.visits == 0 => f64::INFINITY,
            Rule::Uct => mean + self.exploration * (all.ln() / own).sqrt(),
        }
    }

    /// Adds the moves of a leaf with their priors.
    fn expand(&self, s: &mut Search<'_>, tree: &mut VisitedTree, leaf: KeptIndex) -> Searched<()> {
        let moves = s.moves();
        s.keep(moves.len(), VisitedTree::NODE_BYTES)?;
        let weights: Vec<f64> = if self.softmax > 0.0 {
            let values: Vec<i64> = moves.iter().map(|&m| child_value(s.game, m, false)).collect();
            let best = values.iter().copied().max().unwrap_or_default();
            values.iter().map(|value| ((value - best) as f64 / self.softmax).exp()).collect()
        } else {
            vec![1.0; moves.len()]
        };
        let sum: f64 = weights.iter().sum();
        let children = moves.iter().zip(weights).map(|(&m, weight)| {
            (m, VisitedNode { prior: (weight / sum) as f32, ..VisitedNode::default() })
        });
        tree.expand(leaf, children);
        Ok(())
    }

    /// The mean of the move with the most visits, and the line of most visits.
    fn answer(&self, tree: &VisitedTree) -> Answer {
        let Some(best) = most_visited(tree, ROOT).map(|best| tree.get(best)) else {
            return Answer { value: tree.get(ROOT).value, line: vec![], proof: Proof::Complete };
        };
        let value = match best.is_open {
            true => value_of_chance(1.0 - best.mean(), self.scale),
            false => -best.value,
        };
        let line = tree.path(descend(ROOT, |node| most_visited(tree, node)));
        Answer { value, line, proof: Proof::Chance }
    }
}

/// The child with the most visits, or the best mean of equals, if any has been visited.
fn most_visited(tree: &VisitedTree, node: KeptIndex) -> Option<KeptIndex> {
    let visited = tree.children(node).filter(|&child| tree.get(child).visits > 0);
    visited.max_by(|&a, &b| {
        let [own, other] = [a, b].map(|child| tree.get(child));
        let by_mean = other.mean().total_cmp(&own.mean());
        own.visits.cmp(&other.visits).then(by_mean).then(b.cmp(&a))
    })
}

const LAWS: [Law; 2] = [
    Law {
        name: "mcts-visits-add-up",
        text: "in Monte-Carlo tree search a node has a visit more than its children together, \
               and its total is its own chance and the complement of theirs",
        applies: has_moves,
        check: |sample| {
            for row in ["visits=200", "select=uct:visits=200", "softmax=50:visits=200"] {
                visits_add_up(sample, row)?;
            }
            Ok(())
        },
    },
    Law {
        name: "mcts-finds-the-best-of-few",
        text: "in a tree of one ply Monte-Carlo tree search plays a move with the value of \
               minimax",
        applies: |sample| sample.depth == 1 && has_moves(sample),
        check: |sample| {
            let truth = sample.minimax()?.value;
            for row in ["mcts:visits=4000", "mcts:select=uct:visits=4000", "mcts:softmax=50"] {
                let run = sample.run(row)?;
                ensure(run.line_value == truth, || {
                    format!("{row}: plays for {}, not {truth}", run.line_value)
                })?;
            }
            Ok(())
        },
    },
];

/// Whether there is a move to visit.
fn has_moves(sample: &LawSample) -> bool {
    sample.minimax().is_ok_and(|run| run.counts.nodes > 1)
}

/// Checks the visits and the totals of all nodes of a tree.
fn visits_add_up(sample: &LawSample, settings: &str) -> Result<(), String> {
    let known = INFO.settings;
    let given = GivenSettings::parse("mcts", known, &settings.split(':').collect::<Vec<_>>());
    let mcts = Mcts::new(&given.map_err(|error| error.to_string())?);
    let tree = grow_sample(sample, Limit::NONE, |s| mcts.grow(s))?;
    let visits = tree.get(ROOT).visits;
    ensure(visits == 200, || format!("{settings}: {visits} visits"))?;
    (0..tree.len()).try_for_each(|node| node_adds_up(&tree, node, mcts.scale))
}

fn node_adds_up(tree: &VisitedTree, node: KeptIndex, scale: f64) -> Result<(), String> {
    let here = tree.get(node);
    if !tree.is_expanded(node) {
        return Ok(());
    }
    let children = tree.children(node).map(|child| tree.get(child));
    let (visits, total) =
        children.fold((1, chance(here.value, scale)), |(visits, total), child| {
            (visits + child.visits, total + f64::from(child.visits) - child.total)
        });
    let holds = visits == here.visits && (total - here.total).abs() < 1e-9 * f64::from(visits);
    ensure(holds, || format!("node {node}: {here:?}, of children {visits} and {total}"))
}

#[cfg(test)]
mod tests {
    use crate::lab::Limit;
    use crate::lab::game::{AnyGame, Evaluation, WIN};
    use crate::lab::test_run::{run, search, solve, solve_within};

    /// Neither side goes wrong in tic-tac-toe.
    #[test]
    fn tictactoe_is_drawn() {
        for row in ["mcts:visits=20000", "mcts:select=uct:visits=20000"] {
            let mut game = AnyGame::parse("tictactoe").unwrap();
            while game.tree().end().is_none() {
                let answer = run(row, game.tree(), 9, Limit::NONE).0.answer.unwrap();
                assert!(answer.value.abs() < 200, "{row} {answer:?}");
                game.tree().play(answer.line[0]);
            }
            assert_eq!(game.tree().end(), Some(0));
        }
    }

    #[test]
    fn a_win_at_once_has_its_value() {
        let (answer, _) = solve("mcts", "tictactoe/a1,a2,b1,b2", 9);
        assert_eq!((answer.value, answer.line), (WIN - 1, vec![2]));
    }

    /// Values far beyond the scale are told from each other, and from a win.
    #[test]
    fn the_better_of_great_values_is_played() {
        for row in ["mcts", "mcts:select=uct", "mcts:softmax=50"] {
            assert_eq!(solve(row, "explicit:[9000 20000]", 1).0.line, [1], "{row}");
            let mate = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";
            assert_eq!(search(row, mate, 1, Evaluation::Lovec).0.value, WIN - 1, "{row}");
        }
    }

    /// Each visit is a node, and each leaf is evaluated once.
    #[test]
    fn visits_are_counted() {
        let run = |row: &str, nodes| {
            let (answer, counts) = solve_within(row, "explicit:[5 7 -3]", 1, nodes);
            (answer.line, counts.nodes, counts.leaves)
        };
        assert_eq!(run("mcts:visits=50", u64::MAX), (vec![1], 50, 4));
        assert_eq!(run("mcts", 70), (vec![1], 70, 4));
        assert_eq!(run("mcts", u64::MAX).1, 10_000);
    }
}
